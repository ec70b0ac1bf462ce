import Glibc

/// A thread of the system that runs a closure.
package enum SystemThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts one. `fault` is an error number, or 0 where it runs.
  ///
  /// - Parameter stack: the bytes of its stack; nil: as many as is usual.
  package static func start(
    stack: Int? = nil, _ run: @escaping @Sendable () -> Void
  ) -> (thread: pthread_t, fault: Int32) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stack { pthread_attr_setstacksize(&attributes, stack) }
    let body = Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let fault = pthread_create(
      &thread, &attributes,
      { body in
        Unmanaged<Body>.fromOpaque(body!).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if fault != 0 { body.release() }
    return (thread, fault)
  }
}
