import ControlProtocol
import Glibc
import SystemIO

/// What the server's thread does: one turn for whatever is ready, again and again. It sleeps without a
/// time limit while nothing happens.
final class ServerLoop {
  indirect enum Mail: Sendable {
    case answer(ControlAnswer, connection: Int, request: Int)
    case event(ControlEvent)
    case speech(SpeechEvent)
    /// Comes once, first.
    case listen([Listener])
    case stop
  }

  typealias Handler =
    @Sendable (ControlRequest, ControlRights, @escaping ControlServer.Answer) -> Void

  /// A socket, and where it is made.
  struct Listener: Sendable {
    let place: ControlServer.Socket
    /// Nil while it cannot be made anew.
    var socket: ListeningSocket?
  }

  private var listeners: [Listener] = []
  /// Of the sockets' folders.
  private var watch = FolderWatch([])
  /// When it is looked whether each socket is still in its place; nil: not before something is removed.
  private var looksAt: ContinuousClock.Instant?
  private let inbox: Mailbox<Mail>
  private let version: String
  private let limits: ControlServer.Limits
  private let report: @Sendable (String) -> Void
  private let acceptClient: @Sendable (Int32) -> Int32
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
  /// From a socket's removal until it is made anew: who removes a folder with everything in it needs a
  /// moment.
  private static let removal = Duration.seconds(1)
  /// Between two attempts to make a socket anew.
  private static let retry = Duration.seconds(10)

  init(
    _ inbox: Mailbox<Mail>, version: String, limits: ControlServer.Limits,
    report: @escaping @Sendable (String) -> Void,
    accept: @escaping @Sendable (Int32) -> Int32, handle: @escaping Handler
  ) {
    self.report = report
    acceptClient = accept
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
        case .event(let event):
          let abroad = event.withoutFolders(Folder.isThere)
          let isSame = abroad.message == event.message
          publish(event) { isSame || $0.rights == .control }
          if !isSame { publish(abroad) { $0.rights != .control } }
        case .speech(let event): publish(event, where: \.hearsSpeech)
        case .listen(let opened):
          listeners = opened
          beginWatch()
        case .stop: return
        }
      }
      for (number, ready) in zip(numbers, events.dropFirst(2 + listeners.count)) {
        guard let connection = connections[number] else { continue }
        if ready & ~Int16(POLLIN | POLLOUT) != 0 { connection.leave() }
        if ready != 0 || connection.hasMore { serve(number, connection) }
      }
      for (listener, ready) in zip(listeners, events.dropFirst(2)) where ready != 0 {
        if let socket = listener.socket { accept(socket, listener.place.rights) }
      }
      if events[1] != 0 {
        watch.clear()
        looksAt = looksAt ?? .now + Self.removal
      }
      if let instant = looksAt, instant <= .now { restoreSockets() }
      keepWithinLimit()
    }
  }

  /// Waits until something is ready. Returns what is, for the inbox, the watch, each listener and each
  /// connection.
  private func wait(_ numbers: [Int]) -> [Int16] {
    if let instant = acceptsAt, instant <= .now {
      acceptsAt = nil
      if reserve < 0 { reserve = Self.spare() }
    }
    // A descriptor below zero is passed over.
    var waits = [
      pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    for listener in listeners {
      let descriptor = acceptsAt == nil ? listener.socket?.descriptor ?? -1 : -1
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
    let left = [acceptsAt, looksAt].compactMap { $0 }.min().map {
      ContinuousClock.now.duration(to: $0)
    }
    let limit: Int32 =
      hasMore ? 0 : left.map { max(0, Int32(($0 / .milliseconds(1)).rounded(.up))) } ?? -1
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
      let serial = connection.began(request)
      handle(request, connection.rights) { [inbox] answer in
        inbox.send(.answer(answer, connection: number, request: serial))
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
    let answer = connection.rights == .control ? answer : answer.withoutFolders(Folder.isThere)
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

  private func publish(_ event: some Encodable, where wants: (Connection) -> Bool) {
    let subscribers = connections.filter { $0.value.isSubscribed && wants($0.value) }
    guard !subscribers.isEmpty, let line = try? ControlCoding.line(event) else { return }
    for (number, connection) in subscribers {
      connection.send(line)
      if connection.unread > limits.unread || connection.isOver { connections[number] = nil }
    }
  }

  // MARK: Sockets

  private func beginWatch() {
    watch = FolderWatch(Set(listeners.map { ListeningSocket.folder(of: $0.place.path) }))
    // What was removed before the watch began.
    if looksAt == nil, listeners.contains(where: { $0.socket?.isInPlace != true }) {
      looksAt = .now + Self.removal
    }
    // The system has no watch left.
    if looksAt == nil, !listeners.isEmpty, watch.descriptor < 0 { looksAt = .now + Self.retry }
  }

  /// Makes the sockets anew that are not in their places any more.
  private func restoreSockets() {
    looksAt = nil
    var made: [String] = []
    for index in listeners.indices where listeners[index].socket?.isInPlace != true {
      // Its lock may still be there.
      listeners[index].socket = nil
      do throws(ControlSocketError) {
        listeners[index].socket = try ListeningSocket(listeners[index].place)
        made.append(listeners[index].place.path)
      } catch {
        looksAt = .now + Self.retry
        report("no client can connect, because the control socket was removed: \(error)")
      }
    }
    if !made.isEmpty {
      report("\(made.joined(separator: ", ")): removed while the coach ran, and made anew")
    }
    // The folder may be another one of the same name.
    beginWatch()
  }

  // MARK: Connections

  private func accept(_ socket: ListeningSocket, _ rights: ControlRights) {
    for _ in 0..<Self.turn {
      let descriptor = acceptClient(socket.descriptor)
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
    let connection = Connection(descriptor, rights)
    let remotes = connections.values.count { $0.rights != .control }
    if rights != .control, remotes >= limits.remoteConnections {
      guard makeRoom(for: rights) else {
        return refuse(
          connection,
          "as many clients are connected as this socket takes: \(limits.remoteConnections)")
      }
    } else if connections.count >= limits.connections {
      guard makeRoom(for: rights) else {
        return refuse(
          connection, "as many clients are connected as the coach takes: \(limits.connections)")
      }
    }
    let greeting = ControlGreeting(cuecoach: version, rights: rights)
    if let line = try? ControlCoding.line(greeting) { connection.send(line) }
    connectionsSoFar += 1
    connections[connectionsSoFar] = connection
    // It may have sent its request, and have left, before it was accepted.
    serve(connectionsSoFar, connection)
  }

  /// Drops a client that has made no request: of the process that has the most of them, the oldest. So whoever opens
  /// many and says nothing is in nobody's way. One that is alone has some time for its request. Only one of `control` takes the
  /// place of such a one.
  ///
  /// Where there is none, one gives way that has made no request for a while and waits for nothing.
  private func makeRoom(for rights: ControlRights) -> Bool {
    let candidates = connections.filter { rights == .control || $0.value.rights != .control }
    if let (mute, most) = oldest(of: candidates.filter { !$0.value.isKnown }),
      let connection = connections[mute], most > 1 || connection.since + limits.patience <= .now
    {
      connections[mute] = nil
      return true
    }
    let idle = candidates.filter { _, connection in
      connection.isKnown && !connection.isSubscribed && connection.request == nil
        && connection.spoke + limits.idle <= .now
    }
    guard let (oldest, _) = oldest(of: idle) else { return false }
    connections[oldest] = nil
    return true
  }

  /// The oldest connection of the process that has the most of these, and how many it has.
  private func oldest(of some: [Int: Connection]) -> (number: Int, count: Int)? {
    let numbers = Dictionary(grouping: some.keys) { some[$0]?.process }.values
    guard let most = numbers.map(\.count).max(),
      let oldest = numbers.filter({ $0.count == most }).compactMap({ $0.min() }).min()
    else { return nil }
    return (oldest, most)
  }

  private func refuse(_ connection: Connection, _ message: String) {
    let answer = ControlAnswer(nil, ControlError(.full, message: message))
    if let line = try? ControlCoding.line(answer) { connection.send(line) }
  }

  /// No descriptor is left for a client that waits: it is refused with the one in reserve. Without
  /// that the listeners rest for a second, rather than spin.
  private func shed(_ socket: ListeningSocket) {
    report("clients are refused: \(String(cString: strerror(errno)))")
    var isRefused = false
    if reserve >= 0 {
      close(reserve)
      reserve = -1
      let descriptor = acceptClient(socket.descriptor)
      if descriptor >= 0 {
        refuse(Connection(descriptor, .remote), "the coach has no descriptor left")
        isRefused = true
      }
      reserve = Self.spare()
    }
    // One that still waits would wake the thread again at once.
    if reserve < 0 || !isRefused { acceptsAt = .now + .seconds(1) }
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
