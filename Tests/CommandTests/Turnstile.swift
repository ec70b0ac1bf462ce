import Synchronization

/// Lets a number of tests pass at once; the others wait in the order in which they came.
///
/// Every test begins at the same moment. Without it a workout would miss its cues because a
/// hundred programs start beside it.
final class Turnstile: Sendable {
  private struct State {
    var places: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// Protects the free places and the queue.
  private let state: Mutex<State>

  init(places: Int) {
    state = Mutex(State(places: places))
  }

  func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.places > 0 {
          state.places -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.places += 1
      return nil
    }
    next?.resume()
  }
}
