/// A cue that passed every rule and is to be heard.
public struct HandOff: Hashable, Sendable {
  /// Unique within its session.
  public let id: Int
  public let cue: Cue
  /// The set at the cue's instant, asked of the transport when it was handed off; nil without sets.
  public let set: Int?
  public let sets: Int?
  /// The set noted when the cue was scheduled: advice, kept for the ledger.
  public let scheduledSet: Int?
  /// The instant of `cue.at`.
  public let due: BootInstant
  /// The instant before which nothing of it may begin: never before the hand-off itself.
  public let earliest: BootInstant
  /// The instant of `cue.until`.
  public let until: BootInstant
  /// The latest instant at which its words may begin; nil: any.
  public let latest: BootInstant?
  /// The instant by which its words must be over, because they are not true any more: the end of
  /// the phase. Nil where nothing follows.
  public let limit: BootInstant?
  /// When a person asked for it, as soon as the output can answer; nil for what was planned.
  public var asked: BootInstant?

  /// True for an answer that may begin late and is then worded for the moment at which it is heard.
  public var isLate: Bool {
    guard let asked, let latest else { return false }
    return latest > asked + Session.answerTime
  }

  /// True for an answer that may not begin so long after it was asked for.
  func isBehind(_ patience: Duration) -> Bool {
    guard let asked, let latest else { return false }
    return latest < asked + patience
  }

  /// True for a question that found no room for so long that the numbers of counts which have not
  /// begun make room for it: it must be heard.
  public var goesBeforeCounts: Bool {
    guard cue.content == .stopQuestion, let asked, let latest else { return false }
    return latest > asked + Session.positionTime
  }
}

/// A cue that is not to be heard, and when it was due.
public struct SilentCue: Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// Its time had passed when the check came to it.
    case missed
    case duplicate(CueGate.Verdict)
    /// The same question is being answered.
    case answered
  }

  public let cue: Cue
  public let set: Int?
  public let scheduledSet: Int?
  public let due: BootInstant
  public let reason: Reason
}

/// How a phase ended.
public enum PhaseOutcome: UInt8, Hashable, Codable, Sendable {
  case pending
  /// Its time ran out, or it was open and the person said next.
  case done
  /// The person said next before its time, or within 3 s of an open phase's start.
  case skipped
}

/// What a session wants done.
public enum SessionEffect: Hashable, Sendable {
  case handOff(HandOff)
  case silent(SilentCue)
  /// Take back everything handed off and not yet heard.
  case withdraw
  case phaseBegan(Int, at: BootInstant)
  case phaseEnded(Int, PhaseOutcome, at: BootInstant)
  /// A command took effect.
  case obeyed(Command, at: BootInstant)
  /// The last phase ended.
  case finished(at: BootInstant)
}
