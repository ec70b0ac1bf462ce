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
  /// Whether the alternate screen was entered with it.
  private static let isDrawn = Atomic(false)

  /// Switches to the alternate screen and hides the cursor, and back.
  private static let enterSequence = "\u{1b}[?1049h\u{1b}[?25l"
  /// Bytes, because a signal handler must not use a String.
  private static let leaveSequence: StaticString = "\u{1b}[?25h\u{1b}[?1049l"

  /// Whether this job is in the foreground; always true without job control. Safe in a signal
  /// handler.
  static var isForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// Whether our screen is shown.
  static var isOurs: Bool { isEntered.load(ordering: .acquiring) && isForeground }

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
    if context.isInteractive {
      isDrawn.store(true, ordering: .releasing)
      context.write(enterSequence, to: STDOUT_FILENO)
    }
  }

  /// Restores the terminal; does nothing if our mode is not set. Safe in a signal handler.
  static func leave() {
    guard isEntered.exchange(false, ordering: .acquiringAndReleasing), isForeground else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &saved)
    if isDrawn.exchange(false, ordering: .acquiringAndReleasing) {
      _ = write(STDOUT_FILENO, leaveSequence.utf8Start, leaveSequence.utf8CodeUnitCount)
    }
  }

  /// Installs the signal handlers; once, by the main thread before it reads keys.
  private static let handlers: Void = {
    // Initialised here, because a signal handler must not do that.
    _ = isDrawn.load(ordering: .relaxed)
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

extension CommandContext {
  /// Whether keys can be read, now or once the job is in the foreground.
  var hasKeys: Bool { isatty(input) == 1 }

  /// Whether keys can be read now.
  var hasKeyboard: Bool { hasKeys && Terminal.isForeground }

  /// Whether there is also a screen to draw on. Not on a dumb terminal or through a pipe, as with
  /// some screen readers, nor while standard output has a ledger.
  var isInteractive: Bool {
    hasKeys && isatty(output) == 1 && linesDescriptor == output && isCapable
  }

  /// Whether a question can be asked and answered.
  var canAsk: Bool { hasKeyboard && (isatty(output) == 1 || isatty(errors) == 1) }

  var usesColor: Bool { (environment["NO_COLOR"] ?? "").isEmpty }

  var usesUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { self.environment[$0] }
      .first { !$0.isEmpty }
    return locale.map { $0.lowercased().contains("utf") } ?? false
  }

  /// Whether the terminal can draw and show colours, by its name.
  var isCapable: Bool { environment["TERM"].map { $0 != "dumb" && !$0.isEmpty } ?? false }

  /// The width for what is laid out in columns: `$COLUMNS`, the window's, or 80.
  var width: Int {
    let given = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    return min(max(given ?? size.columns, 10), 1000)
  }

  /// Columns and rows.
  var size: (columns: Int, rows: Int) { Self.windowSize(of: output) ?? (80, 24) }

  /// The size of a terminal's window; nil if unknown, or not a terminal.
  static func windowSize(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
