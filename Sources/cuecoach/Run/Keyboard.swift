import Dispatch
import Glibc

/// Reads keys as they are pressed, while the terminal is this job's.
///
/// In the background the keys are the shell's: reading them would stop the program. A shell's `fg`
/// says nothing to a job that runs, so it looks twice a second whether that has happened. Used by
/// the main thread alone.
final class Keyboard {
  private let pressed: @Sendable (Character) -> Void
  private let moved: @Sendable () -> Void
  private let queue = DispatchQueue(label: "cuecoach.keyboard")
  private var reader: (any DispatchSourceRead)?
  private var watch: (any DispatchSourceTimer)?

  /// - Parameters:
  ///   - pressed: called on a queue of its own for each key.
  ///   - moved: called there when the job has come into the foreground or gone into the background;
  ///     `follow` is to be called then.
  init(
    _ pressed: @escaping @Sendable (Character) -> Void, moved: @escaping @Sendable () -> Void
  ) {
    self.pressed = pressed
    self.moved = moved
  }

  /// Reads from now on, or waits for the foreground.
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
        // The terminal is gone, and SIGHUP ends the run; or it was taken away in this moment.
        source.cancel()
        if !Terminal.isForeground { moved() }
        return
      }
      // An arrow or function key is an escape and letters that nobody pressed.
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
