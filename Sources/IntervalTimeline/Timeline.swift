/// A workout laid out: every phase of every set in order, with its start where that is known.
///
/// Times are workout time, measured from the start of the workout. What follows an open phase has
/// no start until something ends it. One with a longest length is laid out with it, and what follows comes
/// earlier if it ends earlier. The distance between two phases without an endless phase between them is
/// always known.
public struct Timeline: Hashable, Sendable {
  /// The most phases a timeline holds: 100 000.
  public static let maximumPhaseCount = 100_000
  /// The most time a timeline holds, 24 h, with open phases as long as they may be.
  public static let maximumLength = Duration.seconds(24 * 3600)
  /// The most repetitions that end a phase: 10 000.
  public static let maximumReps = 10_000

  /// A phase at its position.
  public struct Entry: Hashable, Sendable {
    // Half the size that an `Int?` and a `Duration` would make it: a workout may have many entries.
    private let place: Place
    private let milliseconds: Int64
    /// 0 for none.
    private let number: Int32
    /// True for the phase with which a numbered set ends.
    public let endsSet: Bool

    /// The set's number from 1, nil in a block without sets.
    public var set: Int? { number == 0 ? nil : Int(number) }
    /// The time of all phases before this one, as far as it is known: see `fixedLength`.
    public var offset: Duration { .milliseconds(milliseconds) }
    /// The phase as the workout has it.
    public var phase: Phase { place.phase }
    /// The block's index in the workout.
    public var block: Int { place.block }
    /// The index in the block's steps; nil for the phase between two sets.
    public var step: Int? { place.step }
    /// How many sets the block has, nil in a block without sets.
    public var sets: Int? { place.sets }

    fileprivate var identity: ObjectIdentifier { ObjectIdentifier(place) }

    fileprivate init(_ place: Place, set: Int?, endsSet: Bool, offset: Duration) {
      self.place = place
      number = Int32(set ?? 0)
      self.endsSet = endsSet
      milliseconds = offset.wholeMilliseconds
    }
  }

  /// What a phase has in common in all sets of its block: kept once for them.
  fileprivate final class Place: Hashable, Sendable {
    let phase: Phase
    let block: Int
    let step: Int?
    let sets: Int?

    init(_ phase: Phase, block: Int, step: Int?, sets: Int?) {
      self.phase = phase
      self.block = block
      self.step = step
      self.sets = sets
    }

    static func == (one: Place, other: Place) -> Bool {
      one === other
        || (one.phase, one.block, one.step, one.sets)
          == (other.phase, other.block, other.step, other.sets)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(phase)
      hasher.combine(block)
      hasher.combine(step)
    }
  }

  /// Kept once for all copies of a timeline: each workout that runs has several.
  private final class Layout: Sendable {
    let workout: Workout
    let entries: [Entry]
    let fixedLength: Duration
    /// The indices of the phases without a longest length, in order. Most workouts have none.
    private let endless: [Int32]
    /// For each entry, the index of the first entry at or after it that ends a set; `count` if there is
    /// none.
    let nextSetEnd: [Int32]
    /// The index of the last open phase; nil if there is none.
    let lastOpen: Int?
    /// The indices of the last of three or more equal efforts, in no order.
    let lastEqual: [Int32]

    init(_ workout: Workout, _ entries: [Entry], fixedLength: Duration) {
      self.workout = workout
      self.entries = entries
      self.fixedLength = fixedLength
      endless = entries.indices.filter { entries[$0].phase.length.duration == nil }.map {
        Int32($0)
      }
      nextSetEnd = Timeline.nextSetEnds(in: entries)
      lastOpen = entries.lastIndex { $0.phase.length.end != nil }
      lastEqual = Timeline.lastEqualEfforts(in: entries)
    }

    /// The index of the first phase without a longest length at or after entry `index`; the entries' count if
    /// there is none.
    func nextEndless(from index: Int) -> Int {
      var (low, high) = (0, endless.count)
      while low < high {
        let middle = (low + high) / 2
        if endless[middle] < index { low = middle + 1 } else { high = middle }
      }
      return low < endless.count ? Int(endless[low]) : entries.count
    }
  }

  private let layout: Layout

  /// The workout that was laid out.
  public var workout: Workout { layout.workout }
  /// Every phase of every set in the order in which they run; one at least.
  public var entries: [Entry] { layout.entries }
  /// The time of all phases: each fixed length, and the longest of an open phase; zero for one without it.
  public var fixedLength: Duration { layout.fixedLength }

  /// Lays `workout` out; O(phases).
  ///
  /// - Throws: `WorkoutError` for the first value that is not possible.
  public init(_ workout: Workout) throws(WorkoutError) {
    var entries: [Entry] = []
    var offset = Duration.zero
    // The length of the phase before; nil for the first, and for one without a longest length.
    var before: Duration?

    func append(_ place: Place, set: Int?, endsSet: Bool) throws(WorkoutError) {
      if let fault = place.phase.fault {
        throw WorkoutError(fault, block: place.block, step: place.step)
      }
      guard entries.count < Self.maximumPhaseCount else { throw WorkoutError(.tooManyPhases) }
      entries.append(Entry(place, set: set, endsSet: endsSet, offset: offset))
      let sendOff = place.phase.length.sendOff
      let length = sendOff.map { Self.left(of: $0, after: before) }
      offset += length ?? place.phase.length.duration ?? .zero
      before = length ?? place.phase.length.duration
      guard offset <= Self.maximumLength else { throw WorkoutError(.tooLong) }
    }

    guard !workout.blocks.isEmpty else { throw WorkoutError(.emptySet) }
    for (index, block) in workout.blocks.enumerated() {
      for (step, phase) in (block.steps.map(\.phase) + [block.between].compactMap { $0 })
        .enumerated()
      {
        if let fault = phase.remarks.lazy.compactMap(Self.fault).first {
          throw WorkoutError(fault, block: index, step: step < block.steps.count ? step : nil)
        }
      }
      let count = block.sets ?? 1
      guard count >= 1 else { throw WorkoutError(.setCount(count), block: index) }
      if block.sets == nil, block.numbering == .each {
        let efforts = block.steps.count { $0.phase.kind.isEffort }
        guard efforts > 0 else { throw WorkoutError(.emptySet, block: index) }
        var set = 0
        for (step, phase) in block.steps.map(\.phase).enumerated() {
          if phase.kind.isEffort { set += 1 }
          try append(
            Place(phase, block: index, step: step, sets: set > 0 ? efforts : nil),
            set: set > 0 ? set : nil, endsSet: phase.kind.isEffort)
        }
        continue
      }
      if block.sets == nil, block.numbering == .marked {
        guard !block.steps.isEmpty else { throw WorkoutError(.emptySet, block: index) }
        guard Block.firstMisnumbered(of: block.steps) == nil else {
          throw WorkoutError(.setNumbers, block: index)
        }
        let sets = block.steps.last { $0.set != nil }?.set
        var number: Int?
        for (step, content) in block.steps.enumerated() {
          number = content.set ?? number
          let next = step + 1 < block.steps.count ? block.steps[step + 1].set : nil
          try append(
            Place(content.phase, block: index, step: step, sets: number == nil ? nil : sets),
            set: number, endsSet: content.set != nil && next != content.set)
        }
        continue
      }
      let places = block.steps.enumerated().map { step, content in
        Place(content.phase, block: index, step: step, sets: block.sets)
      }
      let between = block.between.map { Place($0, block: index, step: nil, sets: block.sets) }
      for set in 1...count {
        let isLast = set == count
        let steps = block.steps.indices.filter { !isLast || !block.steps[$0].skippedInLastSet }
        guard let final = steps.last else { throw WorkoutError(.emptySet, block: index) }
        let number = block.sets == nil ? nil : set
        for step in steps {
          try append(
            places[step], set: number, endsSet: number != nil && step == final)
        }
        if !isLast, let between { try append(between, set: number, endsSet: false) }
      }
    }

    // Appending has left room for more entries than there are: the copy has none.
    layout = Layout(workout, entries.map { $0 }, fixedLength: offset)
  }

  /// What a phase that lasts `before` leaves of a send-off; all of it where that is not known.
  private static func left(of sendOff: Duration, after before: Duration?) -> Duration {
    max(.zero, sendOff - (before ?? .zero))
  }

  /// What is left of the send-off of phase `index` if the phase before it lasts `before`; nil for a phase that is
  /// none, and for `count`.
  func sendOffLength(of index: Int, after before: Duration) -> Duration? {
    guard index > 0, index < count else { return nil }
    return entries[index].phase.length.sendOff.map { Self.left(of: $0, after: before) }
  }

  /// How long entry `index` lasts, with the open phases as long as they may be; nil for one without a longest length.
  /// A send-off lasts zero where the phase before it may last as long.
  public func length(of index: Int) -> Duration? {
    let length = entries[index].phase.length
    return length.sendOff == nil ? length.duration : offset(of: index + 1) - offset(of: index)
  }

  /// A workout is laid out in one way.
  public static func == (one: Timeline, other: Timeline) -> Bool {
    one.layout === other.layout || one.workout == other.workout
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(workout) }

  private static func fault(of remark: Remark) -> WorkoutError.Fault? {
    if remark.wordings.isEmpty { return .emptyRemark }
    let time = remark.place.time
    return (.zero...maximumLength).contains(time) ? nil : .remarkPlace(time)
  }

  /// How many phases there are, 1 to `maximumPhaseCount`. As an index it stands for the workout's end.
  public var count: Int { entries.count }

  /// Entry `index`; nil for `count`.
  func entry(_ index: Int) -> Entry? { index < count ? entries[index] : nil }

  /// True if something may end a phase before its time: `length` is then the longest.
  public var mayEndEarly: Bool { layout.lastOpen != nil }

  /// True if something may end a phase at or after `index` before its time.
  func mayEndEarly(from index: Int) -> Bool { layout.lastOpen.map { index <= $0 } ?? false }

  /// The whole length, with open phases as long as they may be; nil if one has no longest length.
  public var length: Duration? { layout.nextEndless(from: 0) == count ? fixedLength : nil }

  /// About how long it is where an open phase says so: that, its longest length where it does not, and the fixed
  /// lengths. Nil where no phase says so, and where one has neither.
  public var aboutLength: Duration? {
    var sum = Duration.zero
    for length in aboutLengths {
      guard let length else { return nil }
      sum += length
    }
    return entries.contains { $0.phase.length.about != nil } ? sum : nil
  }

  /// True for a phase that a surprise follows: nothing may tell what is left of it, or what comes.
  package func isBeforeSurprise(_ index: Int) -> Bool {
    index + 1 < count && entries[index + 1].phase.isSurprise
  }

  /// About how long each phase is; nil for an open one that does not say so and has no longest length.
  package var aboutLengths: [Duration?] {
    var lengths: [Duration?] = []
    for entry in entries {
      var length = entry.phase.length.about ?? entry.phase.length.duration
      if let sendOff = entry.phase.length.sendOff {
        length = Self.left(of: sendOff, after: (lengths.last ?? nil) ?? .zero)
      }
      lengths.append(length)
    }
    return lengths
  }

  /// From the start of entry `first` to the start of entry `index` (`count` stands for the end).
  /// Nil if a phase without a longest length lies between them. `first <= index <= count`.
  package func distance(from first: Int, to index: Int) -> Duration? {
    guard first < index else { return .zero }
    return layout.nextEndless(from: first) < index ? nil : offset(of: index) - offset(of: first)
  }

  /// The start of entry `index` from the start of the workout; nil if it is unknown.
  public func start(of index: Int) -> Duration? { distance(from: 0, to: index) }

  /// The time of all phases before `index`, as far as it is known; `count` stands for the end.
  func offset(of index: Int) -> Duration { index < count ? entries[index].offset : fixedLength }

  /// The entry that is running `elapsed` after the start of entry `first`, without further
  /// commands; `count` if the timeline has ended by then.
  func entry(at elapsed: Duration, from first: Int) -> Int {
    guard first < count else { return count }
    // What follows a phase without a longest length waits for its end.
    let last = layout.nextEndless(from: first)
    let target = offset(of: first) + elapsed
    var low = first
    var high = last
    while low < high {
      let middle = low + (high - low + 1) / 2
      if offset(of: middle) <= target { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The first entry at or after `index` that ends a set; nil if there is none.
  package func nextSetEnd(from index: Int) -> Int? {
    guard index < count, layout.nextSetEnd[index] < count else { return nil }
    return Int(layout.nextSetEnd[index])
  }

  /// True for the last of three or more equal efforts.
  package func isLastOfEqual(_ index: Int) -> Bool { layout.lastEqual.contains(Int32(index)) }

  private static func lastEqualEfforts(in entries: [Entry]) -> [Int32] {
    struct Effort: Hashable {
      let kind: PhaseKind
      let name: String?
      let length: PhaseLength
      let intensity: String?
    }
    var numbers: [ObjectIdentifier: Int] = [:]
    var efforts: [Effort: Int] = [:]
    var found: [(count: Int, last: Int32, label: Phase.Label)] = []
    for (index, entry) in entries.enumerated() where entry.phase.kind.isEffort {
      // The phases of a set are the same objects in each set.
      let number =
        numbers[entry.identity]
        ?? {
          let phase = entry.phase
          let effort = Effort(
            kind: phase.kind, name: phase.name, length: phase.length, intensity: phase.intensity)
          let number = efforts[effort] ?? found.count
          if number == found.count { found.append((0, 0, phase.label)) }
          (efforts[effort], numbers[entry.identity]) = (number, number)
          return number
        }()
      found[number].count += 1
      found[number].last = Int32(index)
    }
    // Nobody takes it for the last where another of that name follows.
    let last = Dictionary(found.map { ($0.label, $0.last) }, uniquingKeysWith: max)
    return found.filter { $0.count >= 3 && $0.last == last[$0.label] }.map(\.last)
  }

  private static func nextSetEnds(in entries: [Entry]) -> [Int32] {
    var next = Int32(entries.count)
    var indices = [Int32](repeating: next, count: entries.count)
    for index in entries.indices.reversed() {
      if entries[index].endsSet { next = Int32(index) }
      indices[index] = next
    }
    return indices
  }
}

extension Timeline: CustomStringConvertible {
  /// One line for a log, in English: the workout's name, how many phases it has, and its length: "Rows: 16
  /// phases, 4:00", "at most 4:00" with open phases, and "open-ended" where one has no longest length.
  public var description: String {
    let length = length.map { mayEndEarly ? "at most \($0.clockText)" : $0.clockText }
    return "\(workout.name): \(count) phase\(count == 1 ? "" : "s"), \(length ?? "open-ended")"
  }
}
