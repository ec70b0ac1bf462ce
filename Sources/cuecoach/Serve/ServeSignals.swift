import Glibc
import SystemIO
import SystemdLink

/// The signals of a service. They are read before anything slow begins, so that one that comes during the
/// start ends the service in order.
final class ServeSignals {
  let log: ServiceLog
  let deadline: EndDeadline
  private let mailbox: Mailbox<Int32>
  private let signals: Signals

  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// Keeps them for `init`: to be called as the program's first action, where a service is going to run.
  static func hold() { Signals.hold(numbers) }

  init() {
    let log = ServiceLog { [context] in context.tell($0, on: context.errors) }
    let deadline = EndDeadline(log)
    let mailbox = Mailbox<Int32>.made()
    self.log = log
    self.deadline = deadline
    self.mailbox = mailbox
    signals = Signals(Self.numbers) { number in
      if number != SIGHUP { deadline.request() }
      mailbox.send(number)
    }
  }

  /// The next signal. Blocks.
  func next() -> Int32? { mailbox.next(within: nil) }
}
