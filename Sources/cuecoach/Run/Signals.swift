import Dispatch
import Glibc

/// Turns signals into calls on a queue, until it is released. None comes to a command that shares its process.
final class Signals {
  private let sources: [any DispatchSourceSignal]

  /// - Parameter endsWithReader: false for SIGPIPE to be ignored too: a pipe that its reader closes must not end a
  ///   workout.
  init(
    _ numbers: [Int32], endsWithReader: Bool = false,
    _ received: @escaping @Sendable (Int32) -> Void
  ) {
    guard context.ownsProcess else {
      sources = []
      return
    }
    signal(SIGPIPE, endsWithReader ? SIG_DFL : SIG_IGN)
    let queue = DispatchQueue(label: "cuecoach.signals")
    let registered = DispatchGroup()
    sources = numbers.filter { !Self.isInheritedAsIgnored($0) }.map { number in
      // Ignored, because the default action would come first; one that is held and has come would be lost
      // by that. SIGTSTP is handled by `Terminal`.
      if !Self.isHeld(number) { signal(number, SIG_IGN) }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { received(number) }
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.activate()
      return source
    }
    // Until its source is registered a signal would be lost.
    registered.wait()
  }

  /// Signals that come before there is an object for them wait for it. To be called before any other
  /// thread is made.
  static func hold(_ numbers: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers where !isInheritedAsIgnored(number) { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  private static func isHeld(_ number: Int32) -> Bool {
    var set = sigset_t()
    sigemptyset(&set)
    pthread_sigmask(SIG_BLOCK, nil, &set)
    return sigismember(&set, number) == 1
  }

  /// Under nohup SIGHUP is ignored, and in the background of a script SIGINT; that is kept.
  private static func isInheritedAsIgnored(_ number: Int32) -> Bool {
    guard number == SIGHUP || number == SIGINT else { return false }
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  deinit {
    for source in sources { source.cancel() }
  }
}
