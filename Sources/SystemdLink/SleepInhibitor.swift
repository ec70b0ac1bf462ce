import CSystemd
import Dispatch
import Glibc
import Synchronization

/// Keeps the machine from going to sleep, through logind: as well as that is possible here.
///
/// Requests are carried out in order on a queue of its own: the bus may take its time, and no workout
/// waits for it.
public final class SleepInhibitor: Sendable {
  private struct State {
    var descriptor: Int32?
    /// The last refusal that was reported.
    var refusal: String?
  }

  private let queue = DispatchQueue(label: "cuecoach.inhibitor", qos: .utility)
  /// Protects what the queue works with, for `isHeld`.
  private let state = Mutex(State())
  private let report: @Sendable (String) -> Void

  /// - Parameter report: called with one line where logind refuses, and not again for the same reason.
  ///   A machine without logind is silent: nothing there puts it to sleep.
  public init(report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  deinit { state.withLock { if let descriptor = $0.descriptor { close(descriptor) } } }

  public var isHeld: Bool { state.withLock { $0.descriptor != nil } }

  /// Requests or ends the inhibition of sleep and idle. Returns at once.
  ///
  /// - Parameter reason: for people who list the inhibitors, such as "a workout runs".
  public func set(_ isWanted: Bool, reason: String) {
    queue.async { [self] in
      let held = state.withLock { $0.descriptor }
      if isWanted, held == nil {
        inhibit(reason)
      } else if !isWanted, let held {
        close(held)
        state.withLock { $0.descriptor = nil }
      }
    }
  }

  /// Waits for what was requested. Blocks, for some seconds where the bus hangs.
  public func finish() { queue.sync {} }

  /// What the bus answers where there is no libsystemd, no system bus or no logind.
  private static let absent = [ENOSYS, ENOENT, ECONNREFUSED, ENOTCONN, EHOSTUNREACH, ENXIO]

  private func inhibit(_ why: String) {
    var reason = [CChar](repeating: 0, count: 200)
    let descriptor = cuecoach_inhibit("sleep:idle", "cuecoach", why, "block", &reason)
    if descriptor >= 0 {
      state.withLock { $0.descriptor = descriptor }
      return
    }
    guard !Self.absent.contains(-descriptor) else { return }
    let text = String(
      decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let line = "sleep is not inhibited while a workout runs: \(text)"
    let isNew = state.withLock { state in
      defer { state.refusal = line }
      return state.refusal != line
    }
    if isNew { report(line) }
  }
}
