import CMicroHTTPD
import Glibc

/// Waits for descriptors and calls who asked for them; one thread.
package final class EventLoop {
  package enum Interest: Sendable {
    case reading
    case readingAndWriting
    /// Once, when the other end has closed.
    case closing
  }

  private let epoll: Int32
  private var handlers: [Int32: () -> Void] = [:]

  package init() throws(PageHTTPError) {
    epoll = cuecoach_epoll_new()
    guard epoll >= 0 else { throw .system("epoll_create1") }
  }

  deinit { Glibc.close(epoll) }

  package func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping () -> Void
  ) {
    let events =
      switch interest {
      case .reading: cuecoach_epoll_in
      case .readingAndWriting: cuecoach_epoll_in | cuecoach_epoll_out
      case .closing: cuecoach_epoll_closed
      }
    guard cuecoach_epoll_set(epoll, descriptor, events) == 0 else { return }
    handlers[descriptor] = handler
  }

  /// Before the descriptor is closed.
  package func forget(_ descriptor: Int32) {
    guard handlers.removeValue(forKey: descriptor) != nil else { return }
    _ = cuecoach_epoll_remove(epoll, descriptor)
  }

  /// - Parameter milliseconds: the longest wait; negative for no limit.
  package func wait(milliseconds: Int32) {
    var ready = [Int32](repeating: 0, count: 64)
    let count = cuecoach_epoll_wait(epoll, &ready, milliseconds)
    // A handler may forget another descriptor of this round.
    for descriptor in ready.prefix(Int(max(0, count))) { handlers[descriptor]?() }
  }
}
