import Dispatch
import Glibc

/// Reads keys as they are pressed, for as long as it lives.
final class Keyboard {
  private let source: any DispatchSourceRead

  init(_ pressed: @escaping @Sendable (Character) -> Void) {
    let source = DispatchSource.makeReadSource(
      fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "cuecoach.keyboard"))
    source.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      guard count > 0 else {
        // The terminal is gone; SIGHUP ends the run.
        source.cancel()
        return
      }
      // An arrow or function key is an escape and letters that nobody pressed.
      guard bytes[0] != 0x1b else { return }
      for byte in bytes[..<count] where byte < 0x80 {
        pressed(Character(UnicodeScalar(byte)))
      }
    }
    source.activate()
    self.source = source
  }

  deinit { source.cancel() }
}
