/// Decides which cues a phase has, and when.
///
/// Every rule considers the phase's own length, so a short phase loses only the cues that would
/// come before its start. Two cues may share an instant; neither replaces the other. The values are taken as they
/// are.
public struct CuePlan: Hashable, Sendable {
  /// Length of the countdown before a boundary, in whole seconds, 0…60; 3 by default. 0: only the boundary,
  /// and after a set that it is complete. A countdown of beeps takes at most a third of its phase.
  public var countdown = 3
  /// Overrides `countdown` for some kinds of phase; none by default.
  public var countdowns: [PhaseKind: Int] = [:]
  /// Whether the coach announces the workout and each of its phases; true by default. With false, for a program that does
  /// so itself, it still announces the next phase in a rest of 10 s or more, at `nextAt`.
  public var tells = true
  /// The shortest effort or low phase of which half is announced; 2 min by default.
  public var halfwayFrom = Duration.seconds(120)
  /// How long after the start of a rest whose end nobody knows the next phase is told: after the boundary's sound and
  /// the "0" of a set's count; 2 s by default. Where the rest says which heart rate it waits for, 4 s later.
  public var nextAt = Duration.seconds(2)
  /// How long before its first number a set completion may begin to speak: slow voices and long
  /// names take seconds; 6 s by default.
  public var leadIn = Duration.seconds(6)
  /// How long after the finish sound the finish is announced; 1 s by default.
  public var finishAt = Duration.seconds(1)
  /// How long after the start of a set the elapsed time is announced: after the boundary's sound; 1.2 s by
  /// default. Only with `Density.full`.
  public var elapsedAt = Duration.milliseconds(1200)
  /// The shortest rest before a send-off of which is said how long it is, after the boundary's sound; 5 s by
  /// default.
  public var sendOffFrom = Duration.seconds(5)
  /// How much is said in phases of a kind that `densities` does not have, and at the end; `normal` by default.
  public var density = Density.normal
  /// Overrides `density` for some kinds of phase; none by default.
  public var densities: [PhaseKind: Density] = [:]

  /// The plan of a run without options: every property at its default.
  public init() {}

  /// The cues of entry `index` (`count` for the end), in hand-off order.
  package func cues(of index: Int, in timeline: Timeline) -> [Cue] {
    guard index < timeline.count else { return end(index) }
    return cues(
      of: index, in: timeline, length: timeline.length(of: index),
      isEndKnown: timeline.entries[index].phase.length.end == nil,
      isTold: isTold(index, in: timeline))
  }

  /// Whether something tells the entry before it begins, or nothing has to.
  func isTold(_ index: Int, in timeline: Timeline) -> Bool {
    switch Script(timeline).place(of: index) {
    case .nowhere: return true
    case .atStart: return false
    case .ahead:
      let before = timeline.entries[index - 1]
      let length = timeline.length(of: index - 1)
      let density = density(of: before.phase.kind)
      guard density >= .normal else { return false }
      let lead = lead(
        countdown(of: before.phase.kind), of: before, length: length, isSpoken: true)
      let isEndKnown = before.phase.length.end == nil
      return !next(
        after: index - 1, length: length, lead, isSpoken: before.endsSet && lead > 0,
        isEndKnown: isEndKnown
      ).isEmpty
    }
  }

  /// The cues of an entry that lasts `length`; nil where nobody knows.
  ///
  /// - Parameters:
  ///   - isEndKnown: false where `length` is the longest, and the entry may end earlier: nothing is
  ///     said of what is left then.
  ///   - isTold: whether the entry has been told ahead, or is not told.
  func cues(
    of index: Int, in timeline: Timeline, length: Duration?, isEndKnown: Bool, isTold: Bool
  ) -> [Cue] {
    guard index < timeline.count else { return end(index) }
    // Nothing is left of a send-off.
    guard length != .zero else { return [] }
    let entry = timeline.entries[index]
    let density = density(of: entry.phase.kind)
    let script = Script(timeline)
    let isBeforeSurprise = timeline.isBeforeSurprise(index)
    let isChange = index > 0 && script.courseGoesOn(after: index - 1)
    let isPaced = entry.isSetPaced(in: length)
    let lead = counted(of: index, in: timeline, length: length)
    var cues = [
      Cue(
        phase: index, content: .transition(isChange ? .change : .of(entry.phase.kind)), at: .zero)
    ]
    if index > 0, completesSet(timeline.entries[index - 1]),
      !Self.beats(among: entry.phase.remarks, in: length).contains(where: { $0 < Self.beatsFirst })
    {
      cues.append(
        Cue(
          phase: index, content: .setComplete(phase: index - 1), at: Self.afterCount,
          patience: .seconds(3)))
    }
    if density >= .normal {
      let end = length.map { $0 - .seconds(lead) }
      cues += remarks(of: index, in: timeline, length: length)
      let begins =
        tells ? beginning(of: index, script, isTold: isTold, before: end, in: timeline) : []
      cues += begins
      if !isBeforeSurprise {
        let saysLimit =
          entry.phase.restLimit != nil && begins.contains { $0.content == .begins }
        cues += words(
          of: index, script, in: timeline, length: length, lead, isEndKnown: isEndKnown,
          nextAt: saysLimit ? nextAt + .seconds(4) : nextAt)
      }
    }
    if density == .full, !isBeforeSurprise {
      cues += times(of: index, in: timeline, length: isEndKnown ? length : nil)
    }
    if let length {
      cues += counts(
        of: index, length: length, endsSet: entry.endsSet, lead,
        isLast: index + 1 == timeline.count,
        isSpoken: density >= .counts && !isBeforeSurprise && !isPaced
          && !script.courseGoesOn(after: index))
    }
    return cues.sorted { ($0.earliest, $0.rank) < ($1.earliest, $1.rank) }
  }

  /// How many seconds before its end an entry of that length is counted down, in words or in beeps; 0: it is not.
  package func counted(of index: Int, in timeline: Timeline, length: Duration?) -> Int {
    let entry = timeline.entries[index]
    let kind = entry.phase.kind
    return timeline.isBeforeSurprise(index) || entry.isSetPaced(in: length)
      || Script(timeline).courseGoesOn(after: index)
      ? 0
      : lead(
        countdown(of: kind), of: entry, length: length, isSpoken: density(of: kind) >= .counts)
  }

  /// The workout's own texts.
  private func remarks(of index: Int, in timeline: Timeline, length: Duration?) -> [Cue] {
    let before = index > 0 ? timeline.entries[index - 1] : nil
    let isAfterCount =
      before.map { $0.endsSet && density(of: $0.phase.kind) >= .counts } ?? false
      && length.map { $0 >= .seconds(2) } ?? true
    // About how long the texts of an instant take: the next one of it follows them.
    var taken: [Duration: Duration] = [:]
    let remarks = timeline.entries[index].phase.remarks
    let beats = Self.beats(among: remarks, in: length)
    return remarks.enumerated().compactMap { number, remark in
      remark.place.offset(in: length).map { offset in
        guard !beats.contains(offset) else {
          return Cue(
            phase: index, content: .remark(number), at: offset,
            earliest: max(.zero, offset - Self.offBeat), patience: Self.offBeat)
        }
        let wait = taken[offset, default: .zero]
        taken[offset] = wait + .milliseconds(80 * (remark.wordings.first?.source.count ?? 0))
        let at = isAfterCount ? max(offset, Self.afterCount) : offset
        return Cue(
          phase: index, content: .remark(number), at: at,
          earliest: max(.zero, offset - .seconds(2)), patience: .seconds(4) + wait)
      }
    }
  }

  /// The instants of texts that follow each other in a beat, such as the seconds of a tempo: each is true at its own
  /// instant only.
  private static func beats(among remarks: [Remark], in length: Duration?) -> Set<Duration> {
    guard remarks.count >= leastBeats else { return [] }
    let offsets = Set(remarks.compactMap { $0.place.offset(in: length) }).sorted()
    var beats: Set<Duration> = []
    var begin = 0
    for index in offsets.indices {
      let isLast = index + 1 == offsets.count
      guard isLast || offsets[index + 1] - offsets[index] > longestBeat else { continue }
      if index - begin + 1 >= leastBeats { beats.formUnion(offsets[begin...index]) }
      begin = index + 1
    }
    return beats
  }

  /// How many words make a beat, the longest time between two of them, and how far one may be off it.
  private static let leastBeats = 4
  private static let longestBeat = Duration.seconds(1)
  private static let offBeat = Duration.milliseconds(250)

  /// The words of a tempo within this time of a phase's start come before what is said of the set before.
  private static let beatsFirst = Duration.seconds(3)

  /// Whether it is said after a phase that it has completed a set, because no count before its end says so.
  private func completesSet(_ entry: Timeline.Entry) -> Bool {
    guard entry.endsSet, density(of: entry.phase.kind) >= .counts else { return false }
    return countdown(of: entry.phase.kind) == 0
      || entry.phase.length.duration.map { entry.isPaced(in: $0) } ?? false
  }

  /// How long the "0" of a set's count takes, or the sound of its end.
  private static let afterCount = Duration.milliseconds(700)

  /// What the workout is, and what the phase is where that has not been told.
  private func beginning(
    of index: Int, _ script: Script, isTold: Bool, before end: Duration?, in timeline: Timeline
  ) -> [Cue] {
    var cues: [Cue] = []
    var at = Script.afterBoundary
    let together = script.together(from: index)
    // What is done is more than what it is called, where a short first phase has time for one alone.
    let isShort = together.map { $0.times > 1 } ?? false && end.map { $0 < .seconds(15) } ?? false
    if index == 0, !isShort, end.map({ $0 >= at + Script.opening }) ?? true {
      cues.append(
        Cue(phase: 0, content: .opening, at: at, patience: Script.openingPatience, ends: end))
      at += Script.opening
    }
    // Of a rest before a send-off it is said what is left.
    let isSendOff = timeline.entries[index].phase.length.sendOff != nil
    guard !isTold, !isSendOff, together != nil || !script.hasOwnText(index) else { return cues }
    // The first of them may be shorter than the words, unless each has a text of its own.
    let isLonger = together.map { $0.times == 1 || !script.hasOwnText(index) } ?? false
    let end =
      isLonger
      ? together.flatMap { timeline.distance(from: index, to: $0.phases.upperBound) } : end
    // A first phase that is hardly longer than the words about the workout needs none of its own.
    if let end, end < at + (index == 0 ? Script.opening : Script.leastRoom) { return cues }
    // How often phases are repeated is true until they have been done once.
    let once = together.flatMap { together in
      together.times > 1
        ? timeline.distance(from: index, to: index + together.cycle).map { $0 - at } : nil
    }
    cues.append(
      Cue(
        phase: index, content: .begins, at: at, earliest: at - .milliseconds(200),
        patience: min(.seconds(8), max(.zero, once ?? .seconds(8))), ends: end))
    return cues
  }

  /// The countdown in phases of this kind.
  private func countdown(of kind: PhaseKind) -> Int { countdowns[kind] ?? countdown }

  /// The density in phases of this kind.
  package func density(of kind: PhaseKind) -> Density { densities[kind] ?? density }

  /// The density in an entry; nil: at the end.
  package func density(of entry: Timeline.Entry?) -> Density {
    entry.map { density(of: $0.phase.kind) } ?? density
  }

  private func end(_ index: Int) -> [Cue] {
    let sound = Cue(phase: index, content: .transition(.finish), at: .zero)
    guard density >= .normal else { return [sound] }
    return [sound, Cue(phase: index, content: .finish, at: finishAt, patience: nil)]
  }

  /// The next phase, and halfway.
  private func words(
    of index: Int, _ script: Script, in timeline: Timeline, length: Duration?, _ lead: Int,
    isEndKnown: Bool, nextAt: Duration
  ) -> [Cue] {
    let phase = timeline.entries[index].phase
    var cues: [Cue] = []
    if isEndKnown, phase.length.sendOff != nil, let length, length >= sendOffFrom {
      // Known only now: a slow machine may have to render it first.
      cues.append(
        Cue(
          phase: index, content: .timeLeft, at: elapsedAt,
          earliest: max(.zero, elapsedAt - .milliseconds(500)), patience: .seconds(8)))
    }
    if index + 1 < timeline.count,
      tells ? script.place(of: index + 1) == .ahead : phase.kind.isRest
    {
      cues += next(
        after: index, length: length, lead,
        isSpoken: timeline.entries[index].endsSet && lead > 0, isEndKnown: isEndKnown,
        at: nextAt)
    }
    if isEndKnown, let length, length >= halfwayFrom, script.tellsHalf(of: index, length: length) {
      let middle = length / 2
      cues.append(
        Cue(
          phase: index, content: .halfway, at: middle, earliest: middle - .seconds(1),
          patience: .milliseconds(1500)))
    }
    return cues
  }

  private func next(
    after index: Int, length: Duration?, _ lead: Int, isSpoken: Bool, isEndKnown: Bool,
    at: Duration? = nil
  ) -> [Cue] {
    let content = Cue.Content.next(index + 1)
    guard tells, isEndKnown, let length else {
      guard length.map({ $0 >= Script.shortest }) ?? true else { return [] }
      let at = at ?? nextAt
      return [
        Cue(
          phase: index, content: content, at: at,
          earliest: max(.zero, at - .milliseconds(800)), patience: nil)
      ]
    }
    guard
      let window = Script.window(in: length, countdown: .seconds(lead), isSpoken: isSpoken)
    else { return [] }
    return [
      Cue(
        phase: index, content: content, at: window.end, earliest: window.earliest, patience: nil,
        ends: window.end)
    ]
  }

  /// Remaining time at each whole minute, and elapsed time at each set.
  private func times(of index: Int, in timeline: Timeline, length: Duration?) -> [Cue] {
    let entry = timeline.entries[index]
    var cues: [Cue] = []
    let before = index > 0 ? timeline.entries[index - 1] : nil
    let isFirst = before?.block != entry.block || before?.set != entry.set
    if let set = entry.set, set > 1, isFirst {
      cues.append(
        Cue(phase: index, content: .elapsed, at: elapsedAt, patience: .seconds(4)))
    }
    guard let length else { return cues }
    var left = Duration.seconds(60)
    // Not close to the beginning, where the length is announced, and not halfway.
    while left <= length - .seconds(10) {
      if left * 2 != length {
        let at = length - left
        cues.append(
          Cue(
            phase: index, content: .timeLeft, at: at, earliest: at - .milliseconds(500),
            patience: .milliseconds(500)))
      }
      left += .seconds(60)
    }
    return cues
  }

  /// How many seconds of an entry are counted: in words at the end of a set, else in beeps.
  private func lead(
    _ countdown: Int, of entry: Timeline.Entry, length: Duration?, isSpoken: Bool
  ) -> Int {
    guard let length else { return 0 }
    var countdown = countdown
    let seconds = Int(length.components.seconds)
    if !(entry.endsSet && isSpoken) { countdown = min(countdown, seconds / Script.beepShare) }
    return max(0, min(countdown, seconds))
  }

  /// The countdown to the phase's end: beeps, or words at the end of a set.
  private func counts(
    of index: Int, length: Duration, endsSet: Bool, _ lead: Int, isLast: Bool, isSpoken: Bool
  ) -> [Cue] {
    // Less than a second before its end there is no number to say, only the end itself.
    if endsSet, isSpoken, lead > 0 {
      let first = Duration.seconds(lead)
      return [
        Cue(
          phase: index, content: .setCompletion(from: lead), at: length - first,
          earliest: max(.zero, length - first - leadIn), until: length)
      ]
    }
    var cues = (0..<lead).map { $0 + 1 }.reversed().map {
      Cue(phase: index, content: .countdown($0), at: length - .seconds($0))
    }
    // The finish has a sound of its own.
    if endsSet, !isLast {
      cues.append(Cue(phase: index, content: .transition(.setEnd), at: length))
    }
    return cues
  }
}

extension Timeline.Entry {
  /// True for a phase with which a set ends and that is paced.
  fileprivate func isSetPaced(in length: Duration?) -> Bool {
    endsSet && length.map { isPaced(in: $0) } ?? false
  }

  /// True for a phase of which each of the last seconds has a word of the workout's own, such as a tempo, or its tone.
  func isPaced(in length: Duration) -> Bool {
    if phase.glides != nil { return true }
    guard length >= .seconds(2), phase.remarks.count >= 2 else { return false }
    var seconds: [Bool] = [false, false]
    for remark in phase.remarks {
      guard let offset = remark.place.offset(in: length), offset < length else { continue }
      let left = length - offset
      if left <= .seconds(2) { seconds[left <= .seconds(1) ? 0 : 1] = true }
    }
    return seconds == [true, true]
  }
}

extension Cue.Transition {
  /// The sound at the start of a phase of this kind.
  static func of(_ kind: PhaseKind) -> Cue.Transition {
    if kind.isEffort { return .effort }
    return kind.isRest ? .rest : .ease
  }
}

extension Remark.Place {
  /// Offset from the phase's start; nil if the phase is too short or open.
  func offset(in length: Duration?) -> Duration? {
    switch self {
    case .fromStart(let offset): length.map { offset <= $0 } ?? true ? offset : nil
    case .beforeEnd(let lead): length.flatMap { lead <= $0 ? $0 - lead : nil }
    }
  }
}
