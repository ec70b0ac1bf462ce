import CSystemd
import Dispatch
import Glibc
import Synchronization

/// Keeps the machine from going to sleep, through logind's inhibitor locks.
///
/// Requests are carried out in order on a queue of their own: the bus may be slow, and no workout waits
/// for it.
package final class SleepInhibitor: Sendable {
  private struct State {
    /// The lock: logind releases it when the descriptor is closed.
    var descriptor: Int32?
    /// The last refusal that was reported.
    var refusal: String?
  }

  private let queue = DispatchQueue(label: "cuecoach.inhibitor")
  /// Protects the lock. Only the queue changes it; `isHeld` reads it from any thread.
  private let state = Mutex(State())
  private let report: @Sendable (String) -> Void

  /// - Parameter report: called with one line when logind refuses, and not again for the same reason. It is
  ///   not called on a machine without logind: nothing there puts it to sleep.
  package init(report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  deinit { state.withLock { if let descriptor = $0.descriptor { close(descriptor) } } }

  package var isHeld: Bool { state.withLock { $0.descriptor != nil } }

  /// Requests or ends the inhibition of sleep and idle. Returns at once.
  ///
  /// - Parameter reason: for people who list the inhibitors, such as "a workout runs".
  package func set(_ isWanted: Bool, reason: String) {
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

  /// Waits until everything requested is done: some seconds if the bus hangs.
  package func finish() { queue.sync {} }

  /// The errors of a machine without libsystemd, system bus or logind.
  private static let absent = [ENOSYS, ENOENT, ECONNREFUSED, ENOTCONN, EHOSTUNREACH, ENXIO]

  private func inhibit(_ reason: String) {
    var refusal = [CChar](repeating: 0, count: 200)
    let descriptor = cuecoach_inhibit("sleep:idle", "cuecoach", reason, "block", &refusal)
    if descriptor >= 0 {
      state.withLock { $0.descriptor = descriptor }
      return
    }
    guard !Self.absent.contains(-descriptor) else { return }
    let text = String(
      decoding: refusal.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let line = "sleep is not inhibited while a workout runs: \(text)"
    let isNew = state.withLock { state in
      defer { state.refusal = line }
      return state.refusal != line
    }
    if isNew { report(line) }
  }
}
