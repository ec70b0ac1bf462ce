/// Keeps the measured drifts of cards' clocks between runs.
///
/// Both closures are called on the output's thread, never while a device plays; they may block. A thread that
/// was left behind in a driver may still call `keep` after the output was stopped.
public struct DriftMemory: Sendable {
  /// The drift of a card as it was last kept, parts per million; nil for an unknown card.
  package var recall: @Sendable (_ card: String) -> Double?
  /// Keeps a card's drift, in parts per million, for a later `recall`.
  package var keep: @Sendable (_ card: String, _ drift: Double) -> Void

  /// A memory of the caller's; see the type for the thread of both closures.
  public init(
    recall: @escaping @Sendable (_ card: String) -> Double?,
    keep: @escaping @Sendable (_ card: String, _ drift: Double) -> Void
  ) {
    self.recall = recall
    self.keep = keep
  }

  /// Remembers nothing.
  public static var none: DriftMemory { DriftMemory(recall: { _ in nil }, keep: { _, _ in }) }
}
