import FoundationEssentials
import Glibc
import Synchronization

/// The terminal's mode: keys at once and unechoed, a screen of our own; put back whatever happens.
enum Terminal {
  /// The mode to go back to while ours is set. Written by the main thread; read by it and, in a
  /// crash, by the signal handler of the thread that crashes.
  nonisolated(unsafe) private static var saved = termios()
  /// Whether `saved` holds and is to be put back.
  private static let isEntered = Atomic(false)

  /// Alternate screen, no cursor; and back.
  private static let enterSequence = "\u{1b}[?1049h\u{1b}[?25l"
  /// Bytes, because a signal handler may not touch a string.
  private static let leaveSequence: StaticString = "\u{1b}[?25h\u{1b}[?1049l"

  static var isInteractive: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      && ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" } ?? false
  }

  /// Whether somebody can press keys.
  static var hasKeyboard: Bool { isatty(STDIN_FILENO) == 1 && isForeground }

  /// Whether a question can be asked and answered.
  static var canAsk: Bool {
    hasKeyboard && (isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 1)
  }

  /// False for a job that the shell has put into the background: reading would stop it. A terminal
  /// that controls no process group has none.
  private static var isForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    return group < 0 || group == getpgrp()
  }

  static var usesColor: Bool {
    (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }

  static var usesUnicode: Bool {
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    return locale.map { $0.lowercased().contains("utf") } ?? false
  }

  /// Columns and rows.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  static func enter() {
    guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return }
    isEntered.store(true, ordering: .releasing)
    setOurs()
    // Traps and crashes, and the way out through exit.
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT] {
      signal(number) { number in
        Terminal.leave()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    // Stopped by ^Z: the shell gets its terminal back; `reenter` follows on SIGCONT.
    signal(SIGTSTP) { _ in
      Terminal.putBack()
      raise(SIGSTOP)
    }
    atexit { Terminal.leave() }
  }

  /// After SIGCONT.
  static func reenter() {
    if isEntered.load(ordering: .acquiring) { setOurs() }
  }

  /// Puts everything back; harmless when there is nothing to.
  static func leave() {
    guard isEntered.exchange(false, ordering: .acquiringAndReleasing) else { return }
    putBack()
  }

  private static func putBack() {
    tcsetattr(STDIN_FILENO, TCSANOW, &saved)
    _ = write(STDOUT_FILENO, leaveSequence.utf8Start, leaveSequence.utf8CodeUnitCount)
  }

  private static func setOurs() {
    var ours = saved
    ours.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Control-S would stop the screen, and with it whoever draws on it and reads the keys.
    ours.c_iflag &= ~tcflag_t(IXON)
    tcsetattr(STDIN_FILENO, TCSANOW, &ours)
    Console.write(enterSequence, to: STDOUT_FILENO)
  }
}
