import Foundation
import Synchronization

/// A pseudo terminal: shows what a program draws, types keys, changes its size.
final class PseudoTerminal: Sendable {
  /// The mode of the terminal: all of its termios.
  struct Mode: Equatable {
    let flags: [tcflag_t]
    let characters: [UInt8]
    /// True if lines are edited and echoed, as for a shell; false if keys are read at once.
    let isForLines: Bool
  }

  /// The device that the program opens.
  let name: String
  private let device: Int32
  /// Protects what was received.
  private let received = Mutex<[UInt8]>([])
  /// As last set by the test.
  private let columns: Atomic<Int>

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    var (device, line): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&device, &line, nil, nil, &size) == 0 else {
      throw Program.CannotStart(call: "openpty", code: errno)
    }
    self.device = device
    self.columns = Atomic(Int(columns))
    name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
      ttyname_r(line, name.baseAddress!, name.count) == 0
        ? String(cString: name.baseAddress!) : ""
    }
    close(line)
    _ = fcntl(device, F_SETFD, FD_CLOEXEC)
    _ = fcntl(device, F_SETFL, O_NONBLOCK)
    // An unusual mode, so that only restoring it gives the same one.
    var mode = termios()
    tcgetattr(device, &mode)
    mode.c_lflag &= ~tcflag_t(ECHOE)
    tcsetattr(device, TCSANOW, &mode)
  }

  deinit { close(device) }

  var mode: Mode {
    var mode = termios()
    tcgetattr(device, &mode)
    return Mode(
      flags: [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag],
      characters: withUnsafeBytes(of: &mode.c_cc) { Array($0) },
      isForLines: mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
  }

  func resize(columns: UInt16, rows: UInt16) {
    self.columns.store(Int(columns), ordering: .relaxed)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(device, UInt(TIOCSWINSZ), &size)
  }

  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(device, bytes, bytes.count)
  }

  /// Reads what the program has written, without waiting.
  func drain() {
    received.withLock { received in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(device, &bytes, bytes.count)
        guard count > 0 else { return }
        received += bytes[..<count]
      }
    }
  }

  /// Everything the program wrote.
  var text: String { String(decoding: received.withLock { $0 }, as: UTF8.self) }

  /// What the screen shows now.
  var picture: Picture { picture(of: text[...]) }

  /// What the screen showed before the program restored the terminal.
  var lastPicture: Picture {
    let text = text
    let end = text.range(of: "\u{1b}[?25h")?.lowerBound ?? text.endIndex
    return picture(of: text[..<end])
  }

  private func picture(of text: Substring) -> Picture {
    Picture(of: text, columns: columns.load(ordering: .relaxed))
  }
}
