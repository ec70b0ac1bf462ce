import Glibc

/// Asks on a terminal and waits for a line. A question that is still open when the program comes back to the
/// foreground is shown again: the shell has written below it. Used by the main thread.
enum TerminalQuestion {
  /// The terminal that shows the question.
  static var descriptor: Int32 { isatty(context.output) == 1 ? context.output : context.errors }

  /// The line that is typed; nil where the input has ended.
  ///
  /// - Parameters:
  ///   - lines: shown above the prompt.
  ///   - isAgain: they are there already, above an answer that was not taken.
  static func answer(
    to prompt: String, below lines: [String] = [], isAgain: Bool = false
  ) -> String? {
    var (ours, before) = (sigaction(), sigaction())
    // Without SA_RESTART, so that the wait for a line ends.
    ours.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGCONT, &ours, &before)
    defer { sigaction(SIGCONT, &before, nil) }
    // Between the question and the wait it would be lost: it is let through during the wait alone.
    var (continued, mask) = (sigset_t(), sigset_t())
    sigemptyset(&continued)
    sigaddset(&continued, SIGCONT)
    pthread_sigmask(SIG_BLOCK, &continued, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    var shown = isAgain ? [] : lines
    while true {
      if !Terminal.isForeground {
        // In the background this stops the program; in the foreground it returns at once. A read would wait there for
        // an answer to a question that is not shown: a shell that takes the program for running sends it no SIGCONT.
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        let isStopped = tcdrain(STDIN_FILENO) < 0 && errno == EINTR
        pthread_sigmask(SIG_BLOCK, &continued, nil)
        shown = lines
        if isStopped || Terminal.isForeground { continue }
      } else {
        for line in shown { context.tell(line, on: descriptor) }
        context.tell(prompt, on: descriptor, end: " ")
        var input = fd_set()
        input.__fds_bits.0 = 1 << STDIN_FILENO
        if pselect(STDIN_FILENO + 1, &input, nil, nil, nil, &mask) < 0, errno == EINTR {
          shown = lines
          continue
        }
      }
      // A terminal gives one line at a time. Not readLine, which does not return when it is interrupted.
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 {
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      }
      guard count < 0, errno == EINTR else { break }
      shown = lines
    }
    context.write("\n", to: descriptor)
    return nil
  }
}
