import Dispatch
import Glibc
import Synchronization
import SystemdLink

/// Sees to it that a service which was asked to end does so within two seconds, wherever it stands: in a
/// start that takes long, or at a disk or a driver that hangs.
final class EndDeadline: Sendable {
  private struct State {
    var requestedAt: ContinuousClock.Instant?
    var onRequest: (@Sendable () -> Void)?
  }

  /// Protects the request; never held while it is passed on.
  private let state = Mutex(State())
  private let log: ServiceLog

  /// From the request until the process is ended in any case.
  private static let patience = Duration.milliseconds(1800)
  /// What is left of it for the process to end in order.
  private static let reserve = Duration.milliseconds(300)

  init(_ log: ServiceLog) { self.log = log }

  /// SIGTERM or SIGINT has come. Any thread; further calls change nothing.
  func request() {
    let (isFirst, onRequest) = state.withLock { state in
      defer { if state.requestedAt == nil { state.requestedAt = .now } }
      return (state.requestedAt == nil, state.onRequest)
    }
    guard isFirst else { return }
    DispatchQueue(label: "cuecoach.deadline").asyncAfter(
      deadline: .now() + .milliseconds(Int(Self.patience / .milliseconds(1)))
    ) { [log] in
      log.log(.error, "the coach does not end in time and is left behind; what was saved is kept")
      // Without the ends of a program that another thread is still in the middle of.
      _exit(0)
    }
    onRequest?()
  }

  var isRequested: Bool { state.withLock { $0.requestedAt != nil } }

  /// How long the end may still take; nil: it was not requested.
  var timeLeft: Duration? {
    state.withLock { $0.requestedAt }.map {
      max(.zero, ContinuousClock.now.duration(to: $0 + Self.patience - Self.reserve))
    }
  }

  /// Calls `then` at the request, on its thread; at once where it has been made.
  func onRequest(_ then: @escaping @Sendable () -> Void) {
    let isRequested = state.withLock { state in
      state.onRequest = then
      return state.requestedAt != nil
    }
    if isRequested { then() }
  }
}
