import Glibc
import SystemIO

/// A thread with a small stack.
final class ServerThread: Sendable {
  private let thread: pthread_t

  private static let stack = 512 << 10

  init(_ run: @escaping @Sendable () -> Void) throws(ControlSocketError) {
    let (thread, fault) = SystemThread.start(stack: Self.stack, run)
    guard fault == 0 else {
      throw ControlSocketError(.failed, "pthread_create: \(String(cString: strerror(fault)))")
    }
    self.thread = thread
  }

  /// Waits for its end; once only.
  func join() { pthread_join(thread, nil) }
}
