import Synchronization

/// Limits how many tests run programs at once. Others wait in order of arrival, but tests that have
/// begun come first, so that an interrupted workout does not wait for all others.
///
/// All tests begin at the same moment; without a limit, a workout would miss its cues because a
/// hundred programs start alongside it. A test whose program runs may start others at once:
/// otherwise tests that each hold a place and wait for another would deadlock.
final class Turnstile: Sendable {
  private struct State {
    var places: Int
    /// The number of running programs of each test.
    var running: [String: Int] = [:]
    /// The tests that have run a program.
    var begun: Set<String> = []
    var waiting: [(test: String, continuation: CheckedContinuation<Void, Never>)] = []
  }

  /// Protects the free places, their holders and the queue.
  private let state: Mutex<State>

  init(places: Int) {
    state = Mutex(State(places: places))
  }

  /// Waits until a program of the test may start.
  func enter(_ test: String) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.running[test] == nil {
          guard state.places > 0 else {
            let place =
              state.begun.contains(test)
              ? state.waiting.firstIndex { !state.begun.contains($0.test) } : nil
            state.waiting.insert((test, continuation), at: place ?? state.waiting.count)
            return false
          }
          state.places -= 1
        }
        state.running[test, default: 0] += 1
        state.begun.insert(test)
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// A program of the test has ended.
  func leave(_ test: String) {
    let passing: [CheckedContinuation<Void, Never>] = state.withLock { state in
      state.running[test]! -= 1
      guard state.running[test] == 0 else { return [] }
      state.running[test] = nil
      guard let next = state.waiting.first?.test else {
        state.places += 1
        return []
      }
      // A test may wait for several at once.
      let passing = state.waiting.filter { $0.test == next }.map(\.continuation)
      state.waiting.removeAll { $0.test == next }
      state.running[next] = passing.count
      state.begun.insert(next)
      return passing
    }
    for continuation in passing { continuation.resume() }
  }
}
