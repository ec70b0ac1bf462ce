/// A whole workout: blocks in order, each of sets, each of phases.
public struct Workout: Hashable, Codable, Sendable {
  /// Its name in the ledger, in the history and on a display. It is not said.
  public var name: String
  /// How it asks to be announced, as a preset's file has it. An engine reads nothing of it: a lane is announced by
  /// the `LaneStyle` that `addLane` is given. Who makes that decides what counts; `cuecoach` and the product
  /// `InstalledFiles` take what the workout leaves open from the run's own settings.
  public var style: AnnouncementStyle {
    get { sharedStyle.value }
    set { sharedStyle = Shared(newValue) }
  }
  private var sharedStyle: Shared<AnnouncementStyle>
  /// In the order in which they are done. `Timeline` checks them.
  public var blocks: [Block]
  /// What it is and for whom, to be shown and searched for.
  public var facts: WorkoutFacts {
    get { sharedFacts?.value ?? WorkoutFacts() }
    set { sharedFacts = newValue.isEmpty ? nil : Shared(newValue) }
  }
  /// Nil where they are empty: nothing is stored then.
  private var sharedFacts: Shared<WorkoutFacts>?
  /// The threshold power (FTP) that its watts are of, in watts: an athlete with another one has other watts. Nil: its
  /// watts are for everybody.
  public var thresholdPower: Double?
  /// A note to be shown, not said.
  public var note: String?
  /// An address to be shown, such as that of the workout's source. Not said.
  public var link: String?
  /// From what its surprises were drawn; nil where nothing in it is random.
  public var seed: Seed?
  /// The name of the preset by which it was asked for; nil where it came in another way.
  package var preset: String?

  private enum CodingKeys: String, CodingKey {
    case name
    case sharedStyle = "style"
    case sharedFacts = "facts"
    case blocks, thresholdPower, note, link, seed, preset
  }

  /// A number from which everything that is random in a workout follows.
  public struct Seed: Hashable, Codable, Sendable {
    /// The same number makes the same workout on every machine.
    public var number: UInt64
    /// True if nobody chose it: another day has another.
    public var isOfDay: Bool

    /// Takes the arguments as they are.
    public init(_ number: UInt64, isOfDay: Bool = false) {
      self.number = number
      self.isOfDay = isOfDay
    }
  }

  /// Takes the arguments as they are; laying out a `Timeline` checks them.
  public init(name: String, style: AnnouncementStyle = AnnouncementStyle(), blocks: [Block]) {
    self.name = name
    sharedStyle = Shared(style)
    self.blocks = blocks
  }
}

/// A run of sets that all have the same phases.
///
/// A rest at the end of `steps` and a rest in `between` differ in where the set ends:
///
/// ```swift
/// let (row, rest) = (Phase(.work, .fixed(.seconds(20))), Phase(.rest, .fixed(.seconds(10))))
/// let inside = Block(sets: 3, steps: [Block.Step(row), Block.Step(rest)])
/// let between = Block(sets: 3, steps: [Block.Step(row)], between: rest)
/// ```
///
/// In `inside` the rest belongs to its set: "Set 1 completing in 3, 2, 1, 0" leads to the end of the rest, and the
/// third rest is done too, unless its step has `skippedInLastSet`. It lasts 90 s. In `between` a set ends with its
/// rowing, so the count leads to the rest, and no rest follows the third set: it lasts 80 s. While such a rest runs,
/// the set's number is that of the set before it.
public struct Block: Hashable, Codable, Sendable {
  /// One phase of each set.
  public struct Step: Hashable, Codable, Sendable {
    /// What is done in it.
    public var phase: Phase
    /// Left out of the last set.
    public var skippedInLastSet: Bool
    /// The number of its set, from 1, in a block whose `numbering` is `marked`; nil between two sets, before the
    /// first and after the last, and in all other blocks.
    public var set: Int?

    /// A phase of every set unless `skippedInLastSet` or `set` is given.
    public init(_ phase: Phase, skippedInLastSet: Bool = false, set: Int? = nil) {
      self.phase = phase
      self.skippedInLastSet = skippedInLastSet
      self.set = set
    }
  }

  /// What counts as a numbered set in a block that is done once.
  public enum Numbering: String, Hashable, Codable, Sendable {
    /// Each phase of effort. What follows it, up to the next one, belongs to that set, which has
    /// already ended. What comes before the first belongs to none.
    case each
    /// The steps say to which set each belongs. Sets may so have different phases.
    case marked
  }

  /// The number of sets; nil for a block that is done once.
  public var sets: Int?
  /// Only in a block without `sets`; nil if its end is not announced as a set's.
  public var numbering: Numbering?
  /// The phases of a set, in order; one at least, which `Timeline` checks.
  public var steps: [Step]
  /// A phase between two sets, not after the last one. The set before it has ended when it begins.
  public var between: Phase?

  /// A block that is done once and not numbered unless `sets` or `numbering` is given. `Timeline` checks the
  /// values.
  public init(
    sets: Int? = nil, numbering: Numbering? = nil, steps: [Step], between: Phase? = nil
  ) {
    self.sets = sets
    self.numbering = numbering
    self.steps = steps
    self.between = between
  }
}

extension [Block.Step] {
  /// These phases `times` times in a row, as a group within a set: it is neither numbered nor announced as sets are.
  /// Groups may lie in groups.
  ///
  /// ```swift
  /// let (swings, rest) = (Block.Step(Phase(.work, .fixed(.seconds(40)))), Block.Step(Phase(.rest, .fixed(.seconds(20)))))
  /// let plank = Block.Step(Phase(.work, .fixed(.seconds(60))))
  /// let block = Block(sets: 3, steps: [swings, rest].repeated(2) + [plank])
  /// ```
  ///
  /// A step with `skippedInLastSet` is left out of the last time, whatever the set. None are left for fewer than one time,
  /// which `Timeline` reports where the set has no other.
  public func repeated(_ times: Int) -> [Block.Step] {
    let each = map { Block.Step($0.phase, set: $0.set) }
    let last = each.indices.filter { !self[$0].skippedInLastSet }.map { each[$0] }
    return (0..<Swift.max(times, 0)).flatMap { $0 == times - 1 ? last : each }
  }
}

extension Block {
  /// The index of the first of a `marked` block's steps with which its sets do not go up from 1, one by one and
  /// each in one piece; the count where no step has a set; nil where all is well.
  package static func firstMisnumbered(of steps: [Step]) -> Int? {
    var current = 0
    var isInSet = false
    for (index, step) in steps.enumerated() {
      if let set = step.set {
        guard set == current + 1 || isInSet && set == current else { return index }
        current = set
      }
      isInSet = step.set != nil
    }
    return current == 0 ? steps.count : nil
  }
}

extension Workout {
  /// True for the same phases under the same name: a session of one workout can continue as the
  /// other, whatever their announcements.
  package func hasSamePhases(as other: Workout) -> Bool {
    let (mine, others) = (silent, other.silent)
    guard name == other.name else { return false }
    if mine.blocks == others.blocks { return true }
    // The same sets may be marked one by one in one of them.
    guard let mine = try? Timeline(mine).entries, let others = try? Timeline(others).entries else {
      return false
    }
    return mine.count == others.count
      && zip(mine, others).allSatisfy {
        ($0.phase, $0.set, $0.sets, $0.endsSet) == ($1.phase, $1.set, $1.sets, $1.endsSet)
      }
  }

  /// True for the same workout of two days, each with the surprises of its own.
  package func isOfAnotherDay(than other: Workout) -> Bool {
    name == other.name && seed?.isOfDay == true && other.seed?.isOfDay == true
      && seed != other.seed
  }

  /// Without its texts and what is only shown.
  private var silent: Workout {
    var workout = self
    for block in blocks.indices {
      workout.blocks[block].between = blocks[block].between?.silent
      for step in blocks[block].steps.indices {
        workout.blocks[block].steps[step].phase = blocks[block].steps[step].phase.silent
      }
    }
    return workout
  }

  /// True if its texts have possible times. Laying out a `Timeline` checks everything else.
  package var isSane: Bool {
    let phases = blocks.flatMap { block in
      block.steps.map(\.phase) + [block.between].compactMap { $0 }
    }
    return phases.flatMap(\.remarks).allSatisfy { remark in
      switch remark.place {
      case .fromStart(let time), .beforeEnd(let time):
        (.zero...Timeline.maximumLength).contains(time)
      }
    }
  }
}

extension Phase {
  fileprivate var silent: Phase {
    var phase = self
    (phase.remarks, phase.intensity, phase.total) = ([], nil, nil)
    (phase.note, phase.link, phase.isSurprise, phase.course) = (nil, nil, false, nil)
    (phase.isCoached, phase.metronome, phase.glides) = (false, nil, nil)
    if case .open(let end, var bounds) = length {
      bounds.about = nil
      phase.length = .open(end, bounds)
    }
    return phase
  }
}
