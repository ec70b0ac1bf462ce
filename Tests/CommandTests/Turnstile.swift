import Synchronization

/// Limits how many tests run programs at once: some whose programs keep a core busy, and beside them more whose programs
/// mostly wait. Others wait in order of arrival, but tests that have begun come first, so that an interrupted workout does
/// not wait for all others.
///
/// All tests begin at the same moment; without a limit, a workout would miss its cues because a
/// hundred programs start alongside it. A test whose program runs may start others at once:
/// otherwise tests that each hold a place and wait for another would deadlock.
final class Turnstile: Sendable {
  enum Kind {
    /// It keeps a core busy.
    case busy
    /// It plays, and mostly waits.
    case playing
  }

  private struct Waiting {
    let test: String
    let kind: Kind
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var places: [Kind: Int]
    /// The number of running programs of each test, and the kind of the place that the test holds.
    var running: [String: (programs: Int, kind: Kind)] = [:]
    /// The tests that have run a program.
    var begun: Set<String> = []
    var waiting: [Waiting] = []
  }

  /// Protects the free places, their holders and the queue.
  private let state: Mutex<State>

  init(busy: Int, playing: Int) {
    state = Mutex(State(places: [.busy: busy, .playing: playing]))
  }

  /// Waits until a program of the test may start.
  ///
  /// - Parameter kind: the place that it takes, if the test has none.
  func enter(_ test: String, _ kind: Kind) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.running[test] == nil {
          let isNext =
            !state.waiting.contains { $0.kind == kind } || state.begun.contains(test)
          guard state.places[kind, default: 0] > 0, isNext else {
            let place =
              state.begun.contains(test)
              ? state.waiting.firstIndex { !state.begun.contains($0.test) } : nil
            state.waiting.insert(
              Waiting(test: test, kind: kind, continuation: continuation),
              at: place ?? state.waiting.count)
            return false
          }
          state.places[kind, default: 0] -= 1
        }
        state.running[test, default: (0, kind)].programs += 1
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
      state.places[left.kind, default: 0] += 1
      var passing: [CheckedContinuation<Void, Never>] = []
      while let next = state.waiting.first(where: { state.places[$0.kind, default: 0] > 0 }) {
        // A test may wait for several at once.
        let together = state.waiting.filter { $0.test == next.test }.map(\.continuation)
        state.waiting.removeAll { $0.test == next.test }
        state.places[next.kind, default: 0] -= 1
        state.running[next.test] = (together.count, next.kind)
        state.begun.insert(next.test)
        passing += together
      }
      return passing
    }
    for continuation in passing { continuation.resume() }
  }
}
