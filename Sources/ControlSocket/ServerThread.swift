import Glibc

/// A thread with a small stack.
final class ServerThread: Sendable {
  private let thread: pthread_t

  private static let stack = 512 << 10

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  init(_ run: @escaping @Sendable () -> Void) throws(ControlSocketError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Self.stack)
    defer { pthread_attr_destroy(&attributes) }
    let body = Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { pointer in
        let body = Unmanaged<Body>.fromOpaque(pointer!).takeRetainedValue()
        body.run()
        return nil
      }, body.toOpaque())
    guard code == 0 else {
      body.release()
      throw ControlSocketError(.failed, "pthread_create: \(String(cString: strerror(code)))")
    }
    self.thread = thread
  }

  /// Waits for its end; once only.
  func join() { pthread_join(thread, nil) }
}
