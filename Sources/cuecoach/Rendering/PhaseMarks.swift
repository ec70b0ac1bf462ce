import CueEngine
import IntervalTimeline
import Synchronization

/// Where the phases of a rendered workout lie in its sound, as the run comes to them: an open phase has no end
/// before that.
final class PhaseMarks: Sendable {
  private struct State {
    /// The frame after each phase that has ended.
    var ends: [Int] = []
    var finish: Int?
  }

  /// Protects what is known. One thread writes and reads.
  private let state = Mutex(State())

  /// For each event of the ledger, whose instants count from the start.
  func note(_ event: LedgerEvent) {
    switch event {
    case .phase(_, let at, _, _, _): state.withLock { $0.ends.append(Self.frame(at)) }
    case .finish(_, let at): state.withLock { $0.finish = Self.frame(at) }
    default: break
    }
  }

  /// The first frame of the phase; nil before the run comes to it.
  func start(of phase: Int) -> Int? {
    guard phase > 0 else { return 0 }
    return state.withLock { phase <= $0.ends.count ? $0.ends[phase - 1] : nil }
  }

  /// The frame at which the last phase ended; nil before that.
  var finish: Int? { state.withLock { $0.finish } }

  private static func frame(_ instant: BootInstant) -> Int {
    Int(
      SampleRate.frames(in: .nanoseconds(instant.nanoseconds), at: SampleRate.standard).value)
  }
}
