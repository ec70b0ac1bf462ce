/// A cue that passed every rule and will be heard.
package struct HandOff: Hashable, Sendable {
  /// Unique within its session.
  package let id: Int
  /// What is to be heard. Its times are offsets from its phase's start; the instants below are on the clock.
  package let cue: Cue
  /// The set at the cue's instant, read from the transport at hand-off; nil without sets.
  package let set: Int?
  /// How many sets the block has; nil where `set` is.
  package let sets: Int?
  /// The set at the time of scheduling; only for the ledger.
  package let scheduledSet: Int?
  /// The instant of `cue.at`.
  package let due: BootInstant
  /// The earliest instant at which it may begin; never before the hand-off.
  package let earliest: BootInstant
  /// The instant of `cue.until`.
  package let until: BootInstant
  /// The latest instant at which its words may begin; nil: any.
  package let latest: BootInstant?
  /// The instant by which its words must be over, because they are not true afterwards: the end of
  /// the phase. Nil if nothing follows.
  package let limit: BootInstant?
  /// When it was requested, plus the output's latency; nil for planned cues.
  package var asked: BootInstant?

  /// True for an answer that may begin late and is worded for the moment when it is heard.
  package var isLate: Bool {
    guard let asked, let latest else { return false }
    return latest > asked + Answers.time
  }

  /// True for an answer that has to begin earlier than `patience` after the request.
  func mustBegin(within patience: Duration) -> Bool {
    guard let asked, let latest else { return false }
    return latest < asked + patience
  }

  /// True for a question that found no room for so long that it takes the room of counts that have
  /// not begun.
  package var outranksCounts: Bool {
    guard cue.content == .stopQuestion, let asked, let latest else { return false }
    return latest > asked + Answers.positionTime
  }
}

extension HandOff {
  /// A planned cue of the phase that begins at `start`, in workout time.
  init(
    id: Int, _ cue: Cue, _ live: (set: Int?, sets: Int?), scheduledSet: Int?, from start: Duration,
    in transport: Transport, notBefore: BootInstant? = nil
  ) {
    let due = transport.nominalInstant(of: start + cue.at)
    let earliest = transport.nominalInstant(of: start + cue.earliest)
    self.init(
      id: id, cue: cue, set: live.set, sets: live.sets, scheduledSet: scheduledSet, due: due,
      earliest: max(notBefore ?? earliest, earliest),
      until: transport.nominalInstant(of: start + cue.until),
      latest: cue.patience.map { due + $0 }, limit: transport.limit(of: cue, from: start))
  }

  /// The same cue, which will not be heard.
  func silent(_ reason: SilentCue.Reason) -> SessionEffect {
    .silent(SilentCue(cue: cue, set: set, scheduledSet: scheduledSet, due: due, reason: reason))
  }
}

extension Transport {
  /// The set the workout will be in when the cue is heard.
  func liveSet(of cue: Cue, from start: Duration) -> (set: Int?, sets: Int?) {
    guard cue.phase < timeline.count else { return (nil, nil) }
    // A cue at its phase's end still belongs to the set that ends there.
    let offset = length(of: cue.phase).map { cue.at < $0 ? cue.at : .zero } ?? cue.at
    let entry = entry(at: nominalInstant(of: start + offset))
    return (entry?.set, entry?.sets)
  }

  /// When the cue's words have to be over: at the end of its phase, if not before.
  fileprivate func limit(of cue: Cue, from start: Duration) -> BootInstant? {
    (cue.ends ?? length(of: cue.phase)).map { nominalInstant(of: start + $0) }
  }
}

/// A cue that will not be heard, and when it was due.
package struct SilentCue: Hashable, Sendable {
  /// Why a cue is not heard.
  package enum Reason: Hashable, Sendable {
    /// Its time had passed at the check.
    case missed
    /// The gate did not let it pass.
    case duplicate(CueGate.Verdict)
    /// The same request is being answered already.
    case answered
  }

  /// What would have been heard.
  package let cue: Cue
  /// The set at the cue's instant; nil where the phase is in no numbered set.
  package let set: Int?
  /// The set at the time of scheduling; only for the ledger.
  package let scheduledSet: Int?
  /// The instant of `cue.at`.
  package let due: BootInstant
  /// Why it is not heard.
  package let reason: Reason
}

/// How a phase ended.
public enum PhaseOutcome: UInt8, Hashable, Codable, Sendable {
  /// It has not ended, or runs again after `back`.
  case pending
  /// Its time ran out, or it was open and a signal, its last repetition or `next` ended it.
  case done
  /// Ended with `next` before its time, or within 3 s of an open phase's start.
  case skipped
}

/// What the caller of a session has to do.
package enum SessionEffect: Hashable, Sendable {
  /// Play or say a cue at its instant.
  case handOff(HandOff)
  /// Record a cue that is not heard.
  case silent(SilentCue)
  /// Withdraw everything that was handed off and is not yet heard.
  case withdraw
  /// A phase began, at that instant, by its index in the timeline.
  case phaseBegan(Int, at: BootInstant)
  /// A phase ended, at that instant, by its index in the timeline.
  case phaseEnded(Int, PhaseOutcome, at: BootInstant)
  /// A command took effect.
  case obeyed(Command, at: BootInstant)
  /// A signal ended the running phase, or will end it when its shortest length has passed.
  case signalled(String, at: BootInstant)
  /// The last phase ended.
  case finished(at: BootInstant)
}
