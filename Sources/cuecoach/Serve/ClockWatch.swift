import CGlibc
import Dispatch
import Glibc

/// Calls a closure whenever the wall clock has been set. It wakes nothing before.
final class ClockWatch: @unchecked Sendable {
  // Unchecked: the source is made and cancelled, and nothing else.

  private let source: any DispatchSourceRead

  /// Nil where the kernel does not watch its clock.
  ///
  /// - Parameter wasSet: called on a queue of its own.
  init?(_ wasSet: @escaping @Sendable () -> Void) {
    let descriptor = cuecoach_clock_watch()
    guard descriptor >= 0 else { return nil }
    source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "cuecoach.clock"))
    source.setEventHandler {
      var count: UInt64 = 0
      if read(descriptor, &count, 8) < 0, errno == ECANCELED { wasSet() }
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }
}
