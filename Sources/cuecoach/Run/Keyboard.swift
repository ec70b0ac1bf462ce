import Dispatch
import Glibc

/// Reads keys as they are pressed, while this job is in the foreground.
///
/// In the background the keys belong to the shell, and reading them would stop the program. A
/// shell's `fg` sends no signal to a running job, so the keyboard checks twice a second whether
/// that has happened. Used only by the main thread.
final class Keyboard {
  private let pressed: @Sendable (Character) -> Void
  private let moved: @Sendable () -> Void
  private let queue = DispatchQueue(label: "cuecoach.keyboard")
  private var reader: (any DispatchSourceRead)?
  private var watch: (any DispatchSourceTimer)?

  /// - Parameters:
  ///   - pressed: called for each key, on the keyboard's own queue.
  ///   - moved: called on that queue when the job has moved to the foreground or the background;
  ///     then call `follow`.
  init(
    _ pressed: @escaping @Sendable (Character) -> Void, moved: @escaping @Sendable () -> Void
  ) {
    self.pressed = pressed
    self.moved = moved
  }

  /// Reads keys, or waits for the foreground.
  func follow(isForeground: Bool) {
    stop()
    if isForeground { read() } else { wait() }
  }

  private func read() {
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    source.setEventHandler { [pressed, moved] in
      guard Terminal.isForeground else {
        source.cancel()
        moved()
        return
      }
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      guard count > 0 else {
        // The terminal is closed, and SIGHUP ends the run; or the job has just moved to the
        // background.
        source.cancel()
        if !Terminal.isForeground { moved() }
        return
      }
      // An arrow or function key sends an escape and letters that were not pressed.
      guard bytes[0] != 0x1b else { return }
      for byte in bytes[..<count] where byte < 0x80 {
        pressed(Character(UnicodeScalar(byte)))
      }
    }
    source.activate()
    reader = source
  }

  private func wait() {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + .milliseconds(500), repeating: .milliseconds(500),
      leeway: .milliseconds(100))
    timer.setEventHandler { [moved] in
      if Terminal.isForeground { moved() }
    }
    timer.activate()
    watch = timer
  }

  private func stop() {
    reader?.cancel()
    watch?.cancel()
    (reader, watch) = (nil, nil)
  }

  deinit { stop() }
}
