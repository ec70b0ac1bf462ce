import Dispatch
import Glibc

/// Turns signals into calls on a queue, for as long as it lives.
final class Signals {
  private let sources: [any DispatchSourceSignal]

  /// SIGPIPE is ignored besides: a reader that has gone must not end a workout.
  init(_ numbers: [Int32], _ received: @escaping @Sendable (Int32) -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "cuecoach.signals")
    sources = numbers.map { number in
      // The default action would come first. SIGTSTP keeps it: the terminal handles that one.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { received(number) }
      source.activate()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }
}
