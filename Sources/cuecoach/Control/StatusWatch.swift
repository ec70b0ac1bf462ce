import ControlProtocol
import ControlSocket
import CueEngine
import Glibc
import SystemIO

/// Shows the state of a coach until it is ended by a signal or, on a terminal, by `q`. Where the coach
/// ends, it waits for the next one.
final class StatusWatch {
  private let paths: [String]
  private let display: any StatusDisplay
  private let mailbox = Mailbox<Int32>.made()
  private let signals: Signals
  /// Nil while no coach answers.
  private var client: ControlClient?
  private var snapshot: CoachSnapshot?
  private var triesAgainAt = ContinuousClock.now

  private static let pause = Duration.milliseconds(500)

  /// - Throws: `UserError` where no coach is running.
  init(_ paths: [String], json: Bool) throws(UserError) {
    self.paths = paths
    display = Self.display(json: json)
    // A reader that has enough ends the watch.
    signals = Signals([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT], endsWithReader: true) {
      [mailbox] in mailbox.send($0)
    }
    do throws(ControlSocketError) {
      try connect()
    } catch {
      throw UserError(error)
    }
  }

  private static func display(json: Bool) -> any StatusDisplay {
    if json { return StatusObjects() }
    return context.isInteractive ? StatusScreen() : StatusLines()
  }

  /// Returns the exit code.
  func run() throws(UserError) -> Int32 {
    display.begin()
    defer { display.end() }
    if let snapshot { display.connected(snapshot) }
    while true {
      snapshot?.advance(to: BootClock.now().nanoseconds)
      let rest = display.show(snapshot)
      if display.hasQuit { return 0 }
      wait(rest)
      while let number = mailbox.next(within: .zero) {
        switch number {
        case SIGINT: return 0
        case SIGWINCH, SIGCONT: display.resized()
        default: return 128 + number
        }
      }
      do throws(ControlSocketError) {
        try follow()
      } catch {
        // A coach of another version does not become one of this.
        guard error.kind != .otherVersion else { throw UserError(error) }
        if client != nil { display.disconnected() }
        (client, snapshot) = (nil, nil)
        triesAgainAt = .now + Self.pause
      }
    }
  }

  private func connect() throws(ControlSocketError) {
    let client = try ControlClient(paths)
    let answer = try client.request(.subscribe)
    guard let snapshot = answer.snapshot else {
      throw ControlSocketError(.failed, answer.message ?? "the coach's answer has no snapshot")
    }
    self.client = client
    self.snapshot = snapshot
  }

  /// Takes what has arrived, or connects again.
  private func follow() throws(ControlSocketError) {
    guard let client else {
      guard triesAgainAt <= .now else { return }
      try connect()
      if let snapshot { display.connected(snapshot) }
      return
    }
    while let message = try client.receive(within: .zero) {
      guard case .event(let event) = message, var snapshot else { continue }
      snapshot.apply(event)
      self.snapshot = snapshot
      display.changed(event, snapshot)
    }
  }

  /// Waits for a signal, a key, the coach, or until the display is out of date.
  private func wait(_ rest: Duration?) {
    var waits = [mailbox.descriptor, client?.descriptor ?? -1, display.keys ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    var rest = rest
    if client == nil {
      let left = max(.zero, ContinuousClock.now.duration(to: triesAgainAt))
      rest = min(rest ?? left, left)
    }
    let limit = rest.map { Int32(min(86_400_000, ($0 / .milliseconds(1)).rounded(.up))) } ?? -1
    poll(&waits, nfds_t(waits.count), limit)
  }
}
