import IntervalTimeline
import Synchronization

/// What became of a message.
public struct MessageReport: Hashable, Sendable {
  /// How much of a message was heard, and whether in time.
  public enum Outcome: Hashable, Sendable {
    /// All of it was heard, at its instant or less than 250 ms later.
    case heard
    /// All of it was heard, later.
    case delayed
    /// A shorter wording was heard, or a part of it.
    case shortened
    /// Nothing was heard of it: there was no room for it within its patience, it could not be spoken, it had no
    /// wording whose live values were all there, or the workout ended before its instant.
    case dropped
    /// Its sender took it back, or it was laid out, or had begun, when a command such as `pause` or `next`, or the
    /// end of the workout, took it back or cut it off.
    case withdrawn
    /// It was not accepted: the lane is unknown or has not started, or the engine is shut down.
    case refused(CommandAnswer)
  }

  /// Whether it was heard; the other properties say what and when.
  public var outcome: Outcome
  /// What was said; the fullest wording where nothing was.
  public var text: String
  /// When its first sample was heard; nil where nothing was.
  public var onset: BootInstant?
  /// Why, where the outcome alone does not say: as in the ledger, in English.
  public var reason: String?
}

/// A message that was given to an engine, by which it can be taken back (`CueEngine.withdraw`).
public struct MessageHandle: Hashable, Sendable {
  private static let numbers = Atomic(0)

  private let number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue

  init() {}
}

extension MessageReport {
  /// Later by less than this is as good as on time.
  private static let noticed = Duration.milliseconds(250)

  /// - Parameter wanted: when it should have begun.
  init(_ entry: LedgerEvent.CueEntry, wanted: BootInstant) {
    let isLate = entry.onset.map { wanted.duration(to: $0) >= Self.noticed } ?? false
    outcome =
      switch entry.outcome {
      case .played: isLate ? .delayed : .heard
      case .shortened: .shortened
      case .withdrawn: .withdrawn
      case .missed, .dropped, .duplicate, .merged: .dropped
      }
    text = entry.text
    onset = entry.onset
    reason = entry.reason
  }

  init(refused answer: CommandAnswer, _ message: Message) {
    self.init(outcome: .refused(answer), text: message.text)
  }
}
