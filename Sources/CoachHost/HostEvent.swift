import CueEngine

/// What a host reports.
public indirect enum HostEvent: Sendable {
  /// What the engine reports.
  case engine(EngineEvent)
  /// A text that `say` has taken, with the answer `done`, finds no room after all, and is left out.
  case leftOut(MessageLeftOut)
  /// One line for the user; the workouts continue.
  case warning(String)
}

/// A text that will not be said.
public struct MessageLeftOut: Hashable, Sendable {
  /// The name of the workout whose voice it was for.
  public let lane: String
  /// The text as it was sent.
  public let text: String
  /// As in the ledger, such as "no room before what follows".
  public let reason: String

  /// Nil for every other event, and where the sender has had it for an answer.
  init?(_ event: LedgerEvent) {
    guard case .cue(let cue) = event, cue.isMessage, !cue.isAnswered,
      [.dropped, .missed].contains(cue.outcome)
    else { return nil }
    (lane, text, reason) = (cue.lane, cue.text, cue.reason ?? "it could not be said in time")
  }
}
