import FoundationEssentials
import Glibc
import Synchronization

/// Sets the terminal's mode: unbuffered keys without echo and, if it can draw, the alternate
/// screen. Restores it however the program ends. Leaves the terminal alone while another job has
/// it.
enum Terminal {
  /// The mode to restore while ours is set. Written by the main thread while it is not; read by the
  /// main thread and, in a crash or a stop, by a signal handler on any thread.
  nonisolated(unsafe) private static var saved = termios()
  /// Whether `saved` is valid and must be restored.
  private static let isEntered = Atomic(false)

  /// Switches to the alternate screen and hides the cursor, and back.
  private static let enterSequence = "\u{1b}[?1049h\u{1b}[?25l"
  /// Bytes, because a signal handler must not use a String.
  private static let leaveSequence: StaticString = "\u{1b}[?25h\u{1b}[?1049l"

  /// Whether keys can be read, now or once the job is in the foreground.
  static var hasKeys: Bool { isatty(STDIN_FILENO) == 1 }

  /// Whether there is also a screen to draw on. Not on a dumb terminal or through a pipe, as with
  /// some screen readers, nor while standard output has a ledger.
  static let isInteractive =
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    && Console.outputDescriptor == STDOUT_FILENO
    && isCapable

  /// Whether this job is in the foreground; always true without job control. Safe in a signal
  /// handler.
  static var isForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// Whether keys can be read now.
  static var hasKeyboard: Bool { hasKeys && isForeground }

  /// Whether a question can be asked and answered.
  static var canAsk: Bool {
    hasKeyboard && (isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 1)
  }

  /// Whether our screen is shown.
  static var isOurs: Bool { isEntered.load(ordering: .acquiring) && isForeground }

  static var usesColor: Bool {
    (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }

  static var usesUnicode: Bool {
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    return locale.map { $0.lowercased().contains("utf") } ?? false
  }

  /// Whether it can draw and show colours, by its name.
  static var isCapable: Bool {
    ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" && !$0.isEmpty } ?? false
  }

  /// The width for what is laid out in columns: `$COLUMNS`, the window's, or 80.
  static var width: Int {
    let given = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    let width = given.flatMap { $0 > 0 ? $0 : nil } ?? columns(of: STDOUT_FILENO) ?? 80
    return min(max(width, 10), 1000)
  }

  /// Columns and rows.
  static var size: (columns: Int, rows: Int) { size(of: STDOUT_FILENO) ?? (80, 24) }

  /// The width of a terminal's window; nil if unknown, or not a terminal.
  static func columns(of descriptor: Int32) -> Int? { size(of: descriptor)?.columns }

  private static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Sets our mode if this job is in the foreground. Call it again when that may have changed:
  /// after SIGCONT, or when the keyboard reports it.
  static func enter() {
    _ = handlers
    guard isForeground else { return }
    if !isEntered.load(ordering: .acquiring) {
      guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return }
      isEntered.store(true, ordering: .releasing)
    }
    var ours = saved
    ours.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Control-S would block the thread that draws the screen and handles the keys.
    ours.c_iflag &= ~tcflag_t(IXON)
    tcsetattr(STDIN_FILENO, TCSANOW, &ours)
    if isInteractive { Console.write(enterSequence, to: STDOUT_FILENO) }
  }

  /// Restores the terminal; does nothing if our mode is not set. Safe in a signal handler.
  static func leave() {
    guard isEntered.exchange(false, ordering: .acquiringAndReleasing), isForeground else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &saved)
    if isInteractive {
      _ = write(STDOUT_FILENO, leaveSequence.utf8Start, leaveSequence.utf8CodeUnitCount)
    }
  }

  /// Installs the signal handlers; once, by the main thread before it reads keys.
  private static let handlers: Void = {
    // Initialised here, because a signal handler must not do that.
    _ = isInteractive
    // Traps, crashes and exit.
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT] {
      signal(number) { number in
        Terminal.leave()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    // ^Z: the shell gets its terminal back; `enter` follows on SIGCONT.
    signal(SIGTSTP) { _ in
      Terminal.leave()
      raise(SIGSTOP)
    }
    // A background job leaves the terminal alone. If it moves to the background between the check
    // and the call, the call fails instead of stopping the program.
    signal(SIGTTIN, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
    atexit { Terminal.leave() }
  }()
}
