import ControlSocket
import PageHTTP

/// The connection to the coach, in the page's loop.
final class CoachSocket {
  private let socket: ClientSocket
  private let loop: EventLoop

  /// Bytes that the coach may leave unread.
  private static let patience = 256 * 1024

  enum Event {
    case bytes(ArraySlice<UInt8>)
    case ended(String)
  }
  var onEvent: (Event) -> Void = { _ in }

  init(_ paths: [String], loop: EventLoop) {
    socket = ClientSocket(paths)
    self.loop = loop
  }

  /// - Returns: why not; nil where it is connected.
  func connect() -> String? {
    close()
    let reason = socket.connect()
    if reason == nil { watch() }
    return reason
  }

  func close() {
    guard socket.isConnected else { return }
    loop.forget(socket.descriptor)
    socket.close()
  }

  func send(_ bytes: [UInt8]) {
    // A coach that does not read is found silent by the deadlines.
    guard socket.isConnected, socket.unsent <= Self.patience else { return }
    socket.send(bytes)
    watch()
  }

  private func watch() {
    let interest: EventLoop.Interest = socket.unsent == 0 ? .reading : .readingAndWriting
    loop.watch(socket.descriptor, for: interest) { [unowned self] in
      if socket.unsent > 0 {
        socket.flush()
        watch()
      }
      switch socket.receive() {
      case .bytes(let bytes): onEvent(.bytes(bytes))
      case .nothing: break
      case .ended:
        close()
        onEvent(.ended("it has ended"))
      }
    }
  }
}
