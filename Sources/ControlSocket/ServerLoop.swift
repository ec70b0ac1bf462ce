import ControlProtocol
import Glibc

/// What the server's thread does: one turn for whatever is ready, again and again. It sleeps without a
/// time limit while nothing happens.
final class ServerLoop {
  enum Mail: Sendable {
    case answer(ControlAnswer, connection: Int, request: Int)
    case event(ControlEvent)
    case stop
  }

  typealias Handler =
    @Sendable (ControlRequest, ControlRights, @escaping ControlServer.Answer) -> Void

  private let listeners: [(socket: ListeningSocket, rights: ControlRights)]
  private let inbox: Inbox<Mail>
  private let version: String
  private let limits: ControlServer.Limits
  private let handle: Handler
  /// By number, in the order in which they came.
  private var connections: [Int: Connection] = [:]
  private var connectionsSoFar = 0
  /// Given up for a moment when descriptors are short, to refuse a client in words.
  private var reserve = ServerLoop.spare()
  /// Without any descriptor nobody is accepted until then.
  private var acceptsAt: ContinuousClock.Instant?

  /// Requests of one client that are taken before another's turn.
  private static let turn = 16

  init(
    _ listeners: [(ListeningSocket, ControlRights)], _ inbox: Inbox<Mail>, version: String,
    limits: ControlServer.Limits, handle: @escaping Handler
  ) {
    self.listeners = listeners
    self.inbox = inbox
    self.version = version
    self.limits = limits
    self.handle = handle
  }

  deinit { if reserve >= 0 { close(reserve) } }

  /// Serves until it is stopped.
  func run() {
    while true {
      let numbers = connections.keys.sorted()
      let events = wait(numbers)
      for mail in inbox.takeAll() {
        switch mail {
        case .answer(let answer, let connection, let request):
          answered(answer, connection: connection, request: request)
        case .event(let event): publish(event)
        case .stop: return
        }
      }
      for (number, ready) in zip(numbers, events.dropFirst(1 + listeners.count)) {
        guard let connection = connections[number] else { continue }
        if ready & ~Int16(POLLIN | POLLOUT) != 0 { connection.leave() }
        if ready != 0 || connection.hasMore { serve(number, connection) }
      }
      for (listener, ready) in zip(listeners, events.dropFirst()) where ready != 0 {
        accept(listener.socket, listener.rights)
      }
      keepWithinLimit()
    }
  }

  /// Waits until something is ready. Returns what is, for the inbox, each listener and each connection.
  private func wait(_ numbers: [Int]) -> [Int16] {
    if let instant = acceptsAt, instant <= .now {
      acceptsAt = nil
      if reserve < 0 { reserve = Self.spare() }
    }
    var waits = [pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0)]
    for (socket, _) in listeners {
      // A descriptor below zero is passed over.
      let descriptor = acceptsAt == nil ? socket.descriptor : -1
      waits.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    var hasMore = false
    for number in numbers {
      guard let connection = connections[number] else { continue }
      hasMore = hasMore || (connection.hasMore && connection.takesRequests)
      waits.append(
        pollfd(
          fd: connection.isGone ? -1 : connection.descriptor, events: connection.interest,
          revents: 0))
    }
    let left = acceptsAt.map { ContinuousClock.now.duration(to: $0) }
    let limit: Int32 =
      hasMore ? 0 : left.map { max(1, Int32(($0 / .milliseconds(1)).rounded(.up))) } ?? -1
    let count = poll(&waits, nfds_t(waits.count), limit)
    return waits.map { count > 0 ? $0.revents : 0 }
  }

  // MARK: Requests and answers

  /// Takes what a client has sent and writes what it takes.
  private func serve(_ number: Int, _ connection: Connection) {
    connection.flush()
    connection.hasMore = false
    var turns = Self.turn
    while connection.takesRequests, let line = connection.nextLine() {
      take(line, number, connection)
      turns -= 1
      if turns == 0 {
        connection.hasMore = true
        break
      }
    }
    if connection.isOver { connections[number] = nil }
  }

  private func take(_ line: LineBuffer.Line, _ number: Int, _ connection: Connection) {
    guard case .complete(let bytes) = line else {
      return send(
        ControlAnswer(
          nil,
          ControlError(
            .malformed, "the line is longer than \(ControlLimits.requestLine) bytes; it is ignored")
        ), to: connection)
    }
    do throws(ControlFailure) {
      let request = try ControlCoding.request(bytes)
      if let refusal = connection.rights.refusal(of: request) {
        return send(ControlAnswer(request.id, ControlError(.notAllowed, refusal)), to: connection)
      }
      let serial = connection.began(request.action)
      handle(request, connection.rights) { [inbox] answer in
        inbox.put(.answer(answer, connection: number, request: serial))
      }
    } catch {
      send(ControlAnswer(error.id, error.error), to: connection)
    }
  }

  private func answered(_ answer: ControlAnswer, connection number: Int, request: Int) {
    guard let connection = connections[number],
      connection.answered(request, isDone: answer.ok)
    else { return }
    send(answer, to: connection)
    serve(number, connection)
  }

  private func send(_ answer: ControlAnswer, to connection: Connection) {
    do throws(ControlError) {
      connection.send(try ControlCoding.line(answer))
    } catch {
      // An answer of two short fields always fits.
      if let line = try? ControlCoding.line(ControlAnswer(answer.id, error)) {
        connection.send(line)
      }
    }
  }

  // MARK: Events

  private func publish(_ event: ControlEvent) {
    let subscribers = connections.filter(\.value.isSubscribed)
    guard !subscribers.isEmpty, let line = try? ControlCoding.line(event) else { return }
    for (number, connection) in subscribers {
      connection.send(line)
      if connection.unread > limits.unread || connection.isOver { connections[number] = nil }
    }
  }

  // MARK: Connections

  private func accept(_ socket: ListeningSocket, _ rights: ControlRights) {
    for _ in 0..<Self.turn {
      let descriptor = Glibc.accept(socket.descriptor, nil, nil)
      guard descriptor >= 0 else {
        switch errno {
        case EINTR, ECONNABORTED: continue
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: shed(socket)
        default: break
        }
        return
      }
      greet(descriptor, rights)
    }
  }

  private func greet(_ descriptor: Int32, _ rights: ControlRights) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let connection = Connection(descriptor, rights)
    guard connections.count < limits.connections || makeRoom() else {
      return refuse(
        connection, "as many clients are connected as the coach takes: \(limits.connections)")
    }
    let greeting = ControlGreeting(cuecoach: version, rights: rights)
    if let line = try? ControlCoding.line(greeting) { connection.send(line) }
    connectionsSoFar += 1
    connections[connectionsSoFar] = connection
    // It may have sent its request, and have left, before it was accepted.
    serve(connectionsSoFar, connection)
  }

  /// Drops the oldest client that has never made a request, where it has had the time.
  private func makeRoom() -> Bool {
    let mute = connections.filter { !$0.value.isKnown }.min { $0.key < $1.key }
    guard let (number, connection) = mute, connection.since + limits.patience <= .now else {
      return false
    }
    connections[number] = nil
    return true
  }

  private func refuse(_ connection: Connection, _ message: String) {
    let answer = ControlAnswer(nil, ControlError(.full, message))
    if let line = try? ControlCoding.line(answer) { connection.send(line) }
  }

  /// No descriptor is left for a client that waits: it is refused with the one in reserve. Without
  /// that the listeners rest for a second, rather than spin.
  private func shed(_ socket: ListeningSocket) {
    if reserve >= 0 {
      close(reserve)
      reserve = -1
      let descriptor = Glibc.accept(socket.descriptor, nil, nil)
      if descriptor >= 0 {
        refuse(Connection(descriptor, .remote), "the coach has no descriptor left")
      }
      reserve = Self.spare()
    }
    if reserve < 0 { acceptsAt = .now + .seconds(1) }
  }

  private static func spare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

  private func keepWithinLimit() {
    var kept = connections.values.reduce(0) { $0 + $1.kept }
    while kept > limits.kept, let most = connections.max(by: { $0.value.kept < $1.value.kept }) {
      kept -= most.value.kept
      connections[most.key] = nil
    }
  }
}
