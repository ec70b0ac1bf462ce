/// Decides which cues a phase has, and when.
///
/// Every rule considers the phase's own length, so a short phase loses only the cues that would
/// come before its start. Two cues may share an instant; neither replaces the other. The values are taken as they
/// are.
public struct CuePlan: Hashable, Sendable {
  /// Length of the countdown before a boundary, in whole seconds, 0…60; 3 by default. 0: only the boundary.
  public var countdown = 3
  /// The shortest phase with a halfway announcement; 40 s by default.
  public var halfwayFrom = Duration.seconds(40)
  /// The shortest rest or recovery in which the next phase is announced; 10 s by default.
  public var nextFrom = Duration.seconds(10)
  /// How long after the start of a rest the next phase is announced: after the boundary's sound and
  /// the "0" of a set's count; 2 s by default.
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
  /// How much later than in any other rest the next phase is announced where the rest before a send-off is said
  /// first, and how much longer such a rest has to be for that; 4 s by default.
  public var sendOffWords = Duration.seconds(4)
  /// How much is said in phases of a kind that `densities` does not have, and at the end; `normal` by default.
  public var density = Density.normal
  /// Overrides `density` for some kinds of phase; none by default.
  public var densities: [PhaseKind: Density] = [:]

  /// The plan of a run without options: every property at its default.
  public init() {}

  /// The cues of entry `index` (`count` for the end), in hand-off order.
  public func cues(of index: Int, in timeline: Timeline) -> [Cue] {
    guard index < timeline.count else { return end(index) }
    return cues(
      of: index, in: timeline, length: timeline.length(of: index),
      isEndKnown: timeline.entries[index].phase.length.end == nil)
  }

  /// The cues of an entry that lasts `length`; nil where nobody knows.
  ///
  /// - Parameter isEndKnown: false where `length` is the longest, and the entry may end earlier: nothing is
  ///   said of what is left then.
  func cues(
    of index: Int, in timeline: Timeline, length: Duration?, isEndKnown: Bool
  ) -> [Cue] {
    guard index < timeline.count else { return end(index) }
    // Nothing is left of a send-off.
    guard length != .zero else { return [] }
    let entry = timeline.entries[index]
    let density = density(of: entry.phase.kind)
    if timeline.isBeforeSurprise(index) {
      return cuesBeforeSurprise(of: index, entry, length: length, density)
    }
    var cues = [Cue(phase: index, content: .transition(.of(entry.phase.kind)), at: .zero)]
    if density >= .normal {
      cues += words(of: index, in: timeline, length: length, isEndKnown: isEndKnown)
    }
    if density == .full {
      cues += times(of: index, in: timeline, length: isEndKnown ? length : nil)
    }
    if let length {
      let isLast = index + 1 == timeline.count
      cues += counts(
        of: index, length: length, endsSet: entry.endsSet, isLast: isLast,
        isSpoken: density >= .counts)
    }
    return cues.sorted { ($0.earliest, $0.rank) < ($1.earliest, $1.rank) }
  }

  /// Nothing tells when the phase ends, and what comes then; a set's end has its sound.
  private func cuesBeforeSurprise(
    of index: Int, _ entry: Timeline.Entry, length: Duration?, _ density: Density
  ) -> [Cue] {
    var cues = [Cue(phase: index, content: .transition(.of(entry.phase.kind)), at: .zero)]
    if density >= .normal { cues += remarks(of: index, entry.phase, length: length) }
    if entry.endsSet, let length {
      cues.append(Cue(phase: index, content: .transition(.setEnd), at: length))
    }
    return cues.sorted { ($0.earliest, $0.rank) < ($1.earliest, $1.rank) }
  }

  /// The workout's own texts.
  private func remarks(of index: Int, _ phase: Phase, length: Duration?) -> [Cue] {
    phase.remarks.enumerated().compactMap { number, remark in
      remark.place.offset(in: length).map { at in
        Cue(
          phase: index, content: .remark(number), at: at, earliest: max(.zero, at - .seconds(2)),
          patience: .seconds(4))
      }
    }
  }

  /// The density in phases of this kind.
  package func density(of kind: PhaseKind) -> Density { densities[kind] ?? density }

  private func end(_ index: Int) -> [Cue] {
    let sound = Cue(phase: index, content: .transition(.finish), at: .zero)
    guard density >= .normal else { return [sound] }
    return [sound, Cue(phase: index, content: .finish, at: finishAt, patience: nil)]
  }

  /// The next phase, halfway, and the workout's own texts.
  private func words(
    of index: Int, in timeline: Timeline, length: Duration?, isEndKnown: Bool
  ) -> [Cue] {
    let phase = timeline.entries[index].phase
    var cues: [Cue] = []
    var (nextAt, nextFrom) = (nextAt, nextFrom)
    if isEndKnown, phase.length.sendOff != nil, let length, length >= sendOffFrom {
      // Known only now: a slow machine may have to render it first.
      cues.append(
        Cue(
          phase: index, content: .timeLeft, at: elapsedAt,
          earliest: max(.zero, elapsedAt - .milliseconds(500)), patience: .seconds(8)))
      nextAt += sendOffWords
      nextFrom += sendOffWords
    }
    if phase.kind.isRest, index + 1 < timeline.count, length.map({ $0 >= nextFrom }) ?? true {
      cues.append(
        Cue(
          phase: index, content: .next(index + 1), at: nextAt,
          earliest: max(.zero, nextAt - .milliseconds(800)), patience: nil))
    }
    cues += remarks(of: index, phase, length: length)
    if isEndKnown, let length, length >= halfwayFrom {
      let middle = length / 2
      cues.append(
        Cue(
          phase: index, content: .halfway, at: middle, earliest: middle - .seconds(1),
          patience: .milliseconds(1500)))
    }
    return cues
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

  /// The countdown to the phase's end: beeps, or words at the end of a set.
  private func counts(
    of index: Int, length: Duration, endsSet: Bool, isLast: Bool, isSpoken: Bool
  ) -> [Cue] {
    let leads = (0...max(0, countdown)).reversed().filter { .seconds($0) <= length }
    // Less than a second before its end there is no number to say, only the end itself.
    if endsSet, isSpoken, leads[0] > 0 || countdown == 0 {
      let first = Duration.seconds(leads[0])
      return [
        Cue(
          phase: index, content: .setCompletion(from: leads[0]), at: length - first,
          earliest: max(.zero, length - first - leadIn), until: length)
      ]
    }
    var cues = leads.filter { $0 > 0 }.map {
      Cue(phase: index, content: .countdown($0), at: length - .seconds($0))
    }
    // The finish has a sound of its own.
    if endsSet, !isLast {
      cues.append(Cue(phase: index, content: .transition(.setEnd), at: length))
    }
    return cues
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
