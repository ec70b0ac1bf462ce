import FoundationEssentials
import Glibc
import Synchronization

/// The terminal's mode: keys at once and unechoed, and where it can draw a screen of our own; put
/// back whatever happens. Nothing of it while the terminal is another job's.
enum Terminal {
  /// The mode to go back to while ours is set. Written by the main thread while it is not; read by
  /// it and, in a crash or a stop, by the signal handler of any thread.
  nonisolated(unsafe) private static var saved = termios()
  /// Whether `saved` holds and is to be put back.
  private static let isEntered = Atomic(false)

  /// Alternate screen, no cursor; and back.
  private static let enterSequence = "\u{1b}[?1049h\u{1b}[?25l"
  /// Bytes, because a signal handler may not touch a string.
  private static let leaveSequence: StaticString = "\u{1b}[?25h\u{1b}[?1049l"

  /// Whether there are keys, now or once the job is in the foreground.
  static var hasKeys: Bool { isatty(STDIN_FILENO) == 1 }

  /// Whether there is a screen to draw on besides: not for a screen reader's user whose terminal is
  /// dumb, or who reads the output through a pipe, nor where standard output has a ledger.
  static let isInteractive =
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    && Console.outputDescriptor == STDOUT_FILENO
    && ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" && !$0.isEmpty } ?? false

  /// Whether the terminal is this job's; one without job control is everybody's. Safe in a signal
  /// handler.
  static var isForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// Whether somebody can press keys now.
  static var hasKeyboard: Bool { hasKeys && isForeground }

  /// Whether a question can be asked and answered.
  static var canAsk: Bool {
    hasKeyboard && (isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 1)
  }

  /// Whether what is drawn comes onto a screen of our own.
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

  /// Columns and rows.
  static var size: (columns: Int, rows: Int) { size(of: STDOUT_FILENO) ?? (80, 24) }

  /// How wide the window of a terminal is; nil for anything else, and where it is not known.
  static func columns(of descriptor: Int32) -> Int? { size(of: descriptor)?.columns }

  private static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Sets our mode where the terminal is this job's. To be called again whenever it may have become
  /// that: after SIGCONT, or when the keyboard says so.
  static func enter() {
    _ = handlers
    guard isForeground else { return }
    if !isEntered.load(ordering: .acquiring) {
      guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return }
      isEntered.store(true, ordering: .releasing)
    }
    var ours = saved
    ours.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Control-S would stop the screen, and with it the thread that draws on it and obeys the keys.
    ours.c_iflag &= ~tcflag_t(IXON)
    tcsetattr(STDIN_FILENO, TCSANOW, &ours)
    if isInteractive { Console.write(enterSequence, to: STDOUT_FILENO) }
  }

  /// Puts everything back; harmless when there is nothing to. Safe in a signal handler.
  static func leave() {
    guard isEntered.exchange(false, ordering: .acquiringAndReleasing), isForeground else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &saved)
    if isInteractive {
      _ = write(STDOUT_FILENO, leaveSequence.utf8Start, leaveSequence.utf8CodeUnitCount)
    }
  }

  /// Installed once, by the main thread before it starts to read keys.
  private static let handlers: Void = {
    // A signal handler may not be the first to ask.
    _ = isInteractive
    // Traps and crashes, and the way out through exit.
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT] {
      signal(number) { number in
        Terminal.leave()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    // Stopped by ^Z: the shell gets its terminal back; `enter` follows on SIGCONT.
    signal(SIGTSTP) { _ in
      Terminal.leave()
      raise(SIGSTOP)
    }
    // A job in the background leaves the terminal alone; should it be sent there in the moment
    // between looking and acting, it gets an error instead of being stopped.
    signal(SIGTTIN, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
    atexit { Terminal.leave() }
  }()
}
