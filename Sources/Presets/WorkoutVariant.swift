import IntervalTimeline

/// What a file leaves to the run: from what a preset's surprises are drawn, at which of its stations it begins, in whose
/// numbers its intensities are, and whether repeated phases of another program's file become sets.
public struct WorkoutVariant: Hashable, Sendable {
  /// Instead of the preset's own seed; nil: that, or the day's.
  public var seed: UInt64?
  /// The seed of the day, such as 20261122, for a preset that has none; nil: 0.
  public var day: UInt64?
  /// The group, from 1: the first begins at the first station, the second at the second. Nil: the first.
  public var group: Int?
  /// True to write out what is repeated in a file of another program, instead of as sets; presets stay as they are.
  public var isFlat: Bool
  /// In whose numbers intensities are; where nothing is known of the athlete, they are as the file has them.
  public var athlete = Athlete()

  /// The file as it is, with its first group and its sets, unless something is given.
  public init(seed: UInt64? = nil, day: UInt64? = nil, group: Int? = nil, isFlat: Bool = false) {
    self.seed = seed
    self.day = day
    self.group = group
    self.isFlat = isFlat
  }
}

extension Workout {
  /// True if an intensity is in watts.
  package var saysWatts: Bool {
    blocks.flatMap { $0.steps.map(\.phase) + [$0.between].compactMap { $0 } }
      .contains { $0.intensity.flatMap(Intensity.init(reading:))?[.watts] != nil }
  }

  /// What is other than in its file once it is in the athlete's own numbers.
  package func reports(of athlete: Athlete) -> [Sentence] {
    guard let threshold = thresholdPower, let own = athlete.thresholdPower, own != threshold,
      saysWatts
    else { return [] }
    let (of, with) = (Intensity.text(of: threshold), Intensity.text(of: own))
    return ["its watts are of an FTP of \(of) W and are scaled to one of \(with) W"]
  }
}

/// Gives a preset that is being read what it leaves to the run: random numbers, and where its group begins.
final class Draws {
  let seed: Workout.Seed
  private let group: Int
  private var count: UInt64 = 0
  private(set) var hasStations = false
  /// True when a tempo has been read.
  var hasTempo = false

  /// - Parameter own: the seed that the preset has.
  init(_ variant: WorkoutVariant, own: UInt64?) {
    let chosen = variant.seed ?? own
    seed = Workout.Seed(chosen ?? variant.day ?? 0, isOfDay: chosen == nil)
    group = max(1, variant.group ?? 1) - 1
  }

  var hasDrawn: Bool { count > 0 }

  /// The station at which the group begins, from 0.
  func firstStation() -> Int {
    hasStations = true
    return group
  }

  /// What a preset that is written from the workout no longer has, one sentence for each kind of it.
  var writtenOut: [Sentence] {
    var reports: [Sentence] = []
    if hasStations { reports.append("the stations are written out for group \(group + 1)") }
    if hasDrawn { reports.append("what is drawn is written out as seed \(seed.number) draws it") }
    if hasTempo { reports.append("each word of a tempo is written out as a text") }
    return reports
  }

  /// New ones for each phase: what one draws changes nothing for the next.
  func dice() -> RandomSource {
    count += 1
    return RandomSource(seed: seed.number, stream: count)
  }
}

/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
/// number generators, OOPSLA 2014), in integers alone.
struct RandomSource {
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var state: UInt64

  init(seed: UInt64, stream: UInt64) {
    state = Self.mixed(Self.mixed(seed &+ Self.step) ^ (stream &* 0xD134_2543_DE82_EF95))
  }

  /// From 0 up to `limit`, without it. The least numbers are more probable by less than 1 in 2⁴⁰ as long as `limit`
  /// is below 2²⁴.
  mutating func number(below limit: Int64) -> Int64 {
    state &+= Self.step
    return Int64(Self.mixed(state).multipliedFullWidth(by: UInt64(max(1, limit))).high)
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
