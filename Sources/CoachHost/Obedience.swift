import CueEngine
import Synchronization

/// Finds out which lanes obeyed a command: on the check queue its events come between the answer to the
/// command before it and its own.
final class Obedience: Sendable {
  /// Those that have obeyed since the last answer. Only the check queue uses them.
  private let lanes = Mutex<[LaneStatus]>([])

  func note(_ event: EngineEvent) {
    switch event {
    case .obeyed(_, let status), .signalled(_, let status):
      lanes.withLock { lanes in
        if !lanes.contains(where: { $0.id == status.id }) { lanes.append(status) }
      }
    // The pause where the sleep began is no command.
    case .slept: _ = take()
    default: break
    }
  }

  /// An answer that ends what belongs to its command, with the lanes that obeyed it.
  func closing(
    _ answer: @escaping @Sendable (CommandAnswer, [LaneStatus]) -> Void
  ) -> @Sendable (CommandAnswer) -> Void {
    { [self] result in answer(result, take()) }
  }

  private func take() -> [LaneStatus] {
    lanes.withLock { lanes in
      defer { lanes = [] }
      return lanes
    }
  }
}
