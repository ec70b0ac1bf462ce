import Synchronization

/// Limits how many tests run programs at once: more where the programs mostly wait. Others wait in order
/// of arrival, but tests that have begun come first, so that an interrupted workout does not wait for
/// all others.
///
/// All tests begin at the same moment; without a limit, a workout would miss its cues because a
/// hundred programs start alongside it. A test whose program runs may start others at once:
/// otherwise tests that each hold a place and wait for another would deadlock.
final class Turnstile: Sendable {
  private struct Waiting {
    let test: String
    let places: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var places: Int
    /// The number of running programs of each test, and of the places that the test holds.
    var running: [String: (programs: Int, places: Int)] = [:]
    /// The tests that have run a program.
    var begun: Set<String> = []
    var waiting: [Waiting] = []
  }

  /// Protects the free places, their holders and the queue.
  private let state: Mutex<State>

  init(places: Int) {
    state = Mutex(State(places: places))
  }

  /// Waits until a program of the test may start.
  ///
  /// - Parameter places: how many it takes, if the test has none.
  func enter(_ test: String, places: Int) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.running[test] == nil {
          guard state.places >= places, state.waiting.isEmpty || state.begun.contains(test) else {
            let place =
              state.begun.contains(test)
              ? state.waiting.firstIndex { !state.begun.contains($0.test) } : nil
            state.waiting.insert(
              Waiting(test: test, places: places, continuation: continuation),
              at: place ?? state.waiting.count)
            return false
          }
          state.places -= places
        }
        state.running[test, default: (0, places)].programs += 1
        state.begun.insert(test)
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// A program of the test has ended.
  func leave(_ test: String) {
    let passing: [CheckedContinuation<Void, Never>] = state.withLock { state in
      state.running[test]!.programs -= 1
      guard let left = state.running[test], left.programs == 0 else { return [] }
      state.running[test] = nil
      state.places += left.places
      var passing: [CheckedContinuation<Void, Never>] = []
      while let next = state.waiting.first, next.places <= state.places {
        // A test may wait for several at once.
        let together = state.waiting.filter { $0.test == next.test }.map(\.continuation)
        state.waiting.removeAll { $0.test == next.test }
        state.places -= next.places
        state.running[next.test] = (together.count, next.places)
        state.begun.insert(next.test)
        passing += together
      }
      return passing
    }
    for continuation in passing { continuation.resume() }
  }
}
