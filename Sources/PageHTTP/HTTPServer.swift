import CMicroHTTPD
import Glibc
import PageServer

/// What the server asks of the page.
package protocol HTTPServerDelegate: AnyObject {
  func decide(_ head: HTTPRequestHead) -> Page.Decision
  func decide(body: [UInt8], isViewers: Bool) -> Page.Decision
  /// The client that waited has gone.
  func forget(_ ticket: CoachLink.Ticket)
  var events: EventRing { get }
  /// Nanoseconds of a clock that only grows.
  var now: Int64 { get }
}

/// GNU libmicrohttpd in the caller's thread and event loop.
///
/// The library calls back only within `run` and `stop`.
package final class HTTPServer {
  private var daemon: OpaquePointer?
  private unowned let delegate: any HTTPServerDelegate
  private let loop: EventLoop
  private let files: [FileBody]
  private var table = ConnectionTable()
  private var exchanges: [Int32: HTTPExchange] = [:]
  private var waiting: [CoachLink.Ticket: HTTPExchange] = [:]
  private var isStopping = false

  /// Without a byte, seconds.
  private static let silence: UInt32 = 10
  /// Bytes of a request's line and headers together, about.
  private static let memory = 8192

  package init(
    _ listener: ListenSocket, files: [FileBody], certificate: Certificate? = nil, loop: EventLoop,
    delegate: any HTTPServerDelegate
  ) throws(PageHTTPError) {
    self.delegate = delegate
    self.loop = loop
    self.files = files
    // The library closes it.
    let descriptor = dup(listener.descriptor)
    guard descriptor >= 0 else { throw .system("dup") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Unretained: `stop` ends the callbacks before this object goes.
    let context = Unmanaged.passUnretained(self).toOpaque()
    daemon = Certificate.withPointers(certificate) { chain, key in
      cuecoach_http_start(
        cuecoach_http_limits(
          listener: descriptor, connections: UInt32(ConnectionTable.total),
          timeout: Self.silence, memory: Self.memory, certificate: chain, key: key),
        Self.onRequest, Self.onCompletion, Self.onConnection, Self.onBeginning, context)
    }
    guard let daemon else { throw .system("MHD_start_daemon") }
    loop.watch(cuecoach_http_epoll(daemon), for: .reading) {}
  }

  deinit { stop() }

  package var connectionCount: Int { table.count }
  package var streamCount: Int { table.count(of: .stream) }

  /// When `run` has something to do without anything happening, in milliseconds; negative: never.
  package var timeout: Int32 { daemon.map { cuecoach_http_timeout($0) } ?? -1 }

  /// Does whatever can be done without waiting.
  package func run() {
    if let daemon { _ = MHD_run(daemon) }
  }

  package func answer(_ ticket: CoachLink.Ticket, _ answer: HTTPAnswer) {
    guard let exchange = waiting.removeValue(forKey: ticket) else { return }
    exchange.state = .ready(answer)
    resume(exchange)
  }

  /// There is something new for the streams.
  package func wakeStreams() {
    for exchange in exchanges.values {
      if case .streaming = exchange.state { resume(exchange) }
    }
  }

  /// Ends the streams that the token let in.
  package func endStreamsWithToken() { endStreams { $0.usesToken } }

  private func endStreams(where ends: (EventStream) -> Bool) {
    for exchange in exchanges.values {
      guard case .streaming(var stream) = exchange.state, ends(stream) else { continue }
      stream.isClosing = true
      exchange.state = .streaming(stream)
      resume(exchange)
    }
  }

  /// Shuts down the connections whose time is over; once a second.
  package func sweep() { shutDown(table.sweep(at: delegate.now)) }

  /// Ends every connection. Nothing is called back afterwards.
  package func stop() {
    guard let daemon else { return }
    isStopping = true
    loop.forget(cuecoach_http_epoll(daemon))
    for ticket in waiting.keys { answer(ticket, Self.ending) }
    endStreams { _ in true }
    // The library aborts the process where a connection is still suspended.
    var rounds = 0
    while exchanges.values.contains(where: { $0.isSuspended }) || rounds < 3, rounds < 100 {
      _ = MHD_run(daemon)
      rounds += 1
    }
    MHD_stop_daemon(daemon)
    self.daemon = nil
  }

  private func shutDown(_ sockets: [Int32]) {
    for socket in sockets { _ = Glibc.shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private func suspend(_ exchange: HTTPExchange) {
    MHD_suspend_connection(exchange.connection)
    exchange.isSuspended = true
    // The library does not notice that a suspended client leaves.
    loop.watch(exchange.socket, for: .closing) { [unowned self] in leave(exchange.socket) }
  }

  private func resume(_ exchange: HTTPExchange) {
    guard exchange.isSuspended else { return }
    exchange.isSuspended = false
    loop.forget(exchange.socket)
    MHD_resume_connection(exchange.connection)
  }

  private func leave(_ socket: Int32) {
    guard let exchange = exchanges[socket] else { return }
    switch exchange.state {
    case .streaming(var stream):
      stream.isClosing = true
      exchange.state = .streaming(stream)
    case .waiting(let ticket):
      waiting[ticket] = nil
      delegate.forget(ticket)
      exchange.state = .ready(.refusal(503, "The client has left."))
    default: break
    }
    resume(exchange)
  }

  // What the library calls.

  private static let onRequest: MHD_AccessHandlerCallback = {
    context, connection, path, method, version, upload, uploadSize, slot in
    guard let context, let connection, let path, let method, let version, let uploadSize, let slot
    else { return cuecoach_http_no() }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    guard let known = slot.pointee else { return cuecoach_http_no() }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
    if case .new = exchange.state {
      let head = server.head(exchange, String(cString: path), method, version)
      return server.begin(exchange, head)
    }
    let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
    uploadSize.pointee = 0
    return server.proceed(exchange, bytes)
  }

  /// The request's line has been read.
  private static let onBeginning: cuecoach_http_begin = { _, target, connection in
    guard let target, let connection else { return nil }
    let exchange = HTTPExchange(
      connection, socket: cuecoach_http_socket(connection), targetSize: strlen(target))
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  private static let onCompletion: MHD_RequestCompletedCallback = { context, _, slot, _ in
    guard let context, let slot, let known = slot.pointee else { return }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    server.complete(Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue())
    slot.pointee = nil
  }

  private static let onConnection: MHD_NotifyConnectionCallback = { context, connection, _, what in
    guard let context, let connection else { return }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    let socket = cuecoach_http_socket(connection)
    if cuecoach_http_is_start(what) != 0 {
      let now = server.delegate.now
      server.shutDown(server.table.opened(socket, from: server.peer(connection), at: now))
    } else {
      server.loop.forget(socket)
      server.table.closed(socket)
    }
  }

  private static let onReading: MHD_ContentReaderCallback = { context, _, buffer, most in
    guard let context, let buffer else { return cuecoach_http_broken() }
    // Unretained: the exchange lives until its completion, and nothing is read afterwards.
    let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
    return reader.server.read(reader.exchange, into: buffer, most)
  }

  private static let onRelease: MHD_ContentReaderFreeCallback = { context in
    if let context { Unmanaged<StreamReader>.fromOpaque(context).release() }
  }

  /// What a response without an end needs to find its bytes.
  private final class StreamReader {
    unowned let server: HTTPServer
    let exchange: HTTPExchange

    init(_ server: HTTPServer, _ exchange: HTTPExchange) {
      self.server = server
      self.exchange = exchange
    }
  }

  private func peer(_ connection: OpaquePointer) -> PeerAddress {
    var bytes = [UInt8](repeating: 0, count: 16)
    _ = cuecoach_http_peer(connection, &bytes)
    // Without an address it is nobody's: all zeros is no loopback.
    return PeerAddress(bytes) ?? PeerAddress(0, 0, 0, 0)
  }

  /// A head, and where its next line begins if each line before it ends as it should.
  private struct ReadHead {
    var head: HTTPRequestHead
    var next: UnsafePointer<CChar>
    var isStrict = true

    static let lineEnd = 2
  }

  private func head(
    _ exchange: HTTPExchange, _ path: String, _ method: UnsafePointer<CChar>,
    _ version: UnsafePointer<CChar>
  ) -> HTTPRequestHead {
    let connection = exchange.connection
    var read = ReadHead(
      head: HTTPRequestHead(
        method: String(cString: method), path: path, version: String(cString: version),
        peer: peer(connection)),
      next: version + strlen(version) + ReadHead.lineEnd)
    read.isStrict = version - method == strlen(method) + 1 + exchange.targetSize + 1
    withUnsafeMutablePointer(to: &read) { pointer in
      cuecoach_http_headers(
        connection,
        { context, name, nameSize, value, valueSize in
          let read = context!.assumingMemoryBound(to: ReadHead.self)
          // One more than is allowed is enough to refuse it.
          guard read.pointee.head.headers.count <= RequestGuard.headers else { return }
          if name! != read.pointee.next { read.pointee.isStrict = false }
          read.pointee.next = value! + valueSize + ReadHead.lineEnd
          read.pointee.head.add(
            name: Array(UnsafeRawBufferPointer(start: name, count: nameSize)),
            value: Array(UnsafeRawBufferPointer(start: value, count: valueSize)))
        }, UnsafeMutableRawPointer(pointer))
    }
    // An early version of the library passes over a NUL and what follows it, takes a line feed for a line's
    // end and joins folded lines: then a line begins elsewhere in its buffer, and so does what follows the head.
    if cuecoach_http_is_strict() == 0 {
      let end = method + cuecoach_http_head_size(connection)
      if !read.isStrict || read.next + ReadHead.lineEnd != end { read.head.isMalformed = true }
    }
    return read.head
  }

  private func begin(_ exchange: HTTPExchange, _ head: HTTPRequestHead) -> MHD_Result {
    let socket = exchange.socket
    let decision = isStopping ? .answer(Self.ending) : delegate.decide(head)
    exchange.state = .answered
    exchanges[socket] = exchange
    switch decision {
    case .takeBody, .takeViewersBody:
      exchange.isViewers = decision == .takeViewersBody
      exchange.state = .receiving([])
      return cuecoach_http_yes()
    case .stream(let opening, let usesToken):
      guard table.enter(.stream, socket, at: delegate.now) else {
        return send(
          .refusal(503, "Enough pages are open.", [.init("Retry-After", "5")]), exchange)
      }
      exchange.state = .streaming(
        EventStream(opening: opening, position: delegate.events.end, usesToken: usesToken))
      return sendStream(exchange)
    case .answer(let answer):
      // An answer to a whole request lets the connection serve another one; one that comes before the
      // body ends it.
      let hasBody = ["content-length", "transfer-encoding"].contains { head.value($0) != nil }
      if hasBody || !Self.keeping.contains(answer.status) { return send(answer, exchange) }
      exchange.state = .ready(answer)
      return cuecoach_http_yes()
    case .wait: return cuecoach_http_no()
    }
  }

  private static let ending = HTTPAnswer.refusal(503, "The page's server ends.")

  /// The answers after which a client may be heard further; what comes after a request with a mistake
  /// in its form is not to be trusted to be a request.
  private static let keeping: Set = [200, 304, 401, 403, 404, 405, 429, 503]

  private func proceed(_ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer) -> MHD_Result {
    switch exchange.state {
    case .receiving(let body) where !bytes.isEmpty:
      let count = body.count + bytes.count
      guard count <= RequestGuard.body,
        count <= RequestGuard.smallBody || bodyBytes + bytes.count <= RequestGuard.bodies
      else { return cuecoach_http_no() }
      exchange.receive(bytes)
      return cuecoach_http_yes()
    case .receiving where isStopping: return send(Self.ending, exchange)
    case .receiving(let body):
      guard table.count(of: .waiting) < ConnectionTable.waiting else {
        return send(.refusal(503, "The coach is busy.", [.init("Retry-After", "1")]), exchange)
      }
      switch delegate.decide(body: body, isViewers: exchange.isViewers) {
      case .answer(let answer): return send(answer, exchange)
      case .wait(let ticket, _):
        _ = table.enter(.waiting, exchange.socket, at: delegate.now)
        exchange.state = .waiting(ticket)
        waiting[ticket] = exchange
        suspend(exchange)
        return cuecoach_http_yes()
      case .takeBody, .takeViewersBody, .stream: return cuecoach_http_no()
      }
    case .ready(let answer): return send(answer, exchange)
    case .new, .waiting, .streaming, .answered: return cuecoach_http_yes()
    }
  }

  /// Of the requests whose bodies are being read.
  private var bodyBytes: Int { exchanges.values.reduce(0) { $0 + $1.bodyBytes } }

  private func complete(_ exchange: HTTPExchange) {
    loop.forget(exchange.socket)
    if case .waiting(let ticket) = exchange.state {
      waiting[ticket] = nil
      delegate.forget(ticket)
    }
    if exchanges[exchange.socket] === exchange { exchanges[exchange.socket] = nil }
    _ = table.enter(.unfinished, exchange.socket, at: delegate.now)
  }

  private func read(
    _ exchange: HTTPExchange, into buffer: UnsafeMutablePointer<CChar>, _ most: Int
  ) -> Int {
    guard case .streaming(var stream) = exchange.state else { return cuecoach_http_broken() }
    let step = stream.next(most, of: delegate.events)
    exchange.state = .streaming(stream)
    switch step {
    case .bytes(let bytes):
      UnsafeMutableRawBufferPointer(start: buffer, count: most).copyBytes(from: bytes)
      return bytes.count
    case .nothing:
      // Without the suspension the library asks again at once, for ever.
      suspend(exchange)
      return 0
    case .end: return cuecoach_http_broken()
    }
  }

  private func send(_ answer: HTTPAnswer, _ exchange: HTTPExchange) -> MHD_Result {
    _ = table.enter(.unfinished, exchange.socket, at: delegate.now)
    exchange.state = .answered
    let response: OpaquePointer? =
      switch answer.body {
      case .bytes(let bytes): cuecoach_http_response(bytes.count, bytes, 1)
      case .file(let number):
        cuecoach_http_response(files[number].bytes.count, files[number].bytes.baseAddress, 0)
      }
    guard let response else { return cuecoach_http_no() }
    return queue(response, answer.status, answer.headers, exchange)
  }

  private func sendStream(_ exchange: HTTPExchange) -> MHD_Result {
    let reader = Unmanaged.passRetained(StreamReader(self, exchange))
    guard
      let response = cuecoach_http_stream(Self.onReading, reader.toOpaque(), Self.onRelease)
    else {
      reader.release()
      return cuecoach_http_no()
    }
    return queue(
      response, 200,
      [
        .init("Content-Type", "text/event-stream"), .init("Cache-Control", "no-store"),
        .init("X-Accel-Buffering", "no"),
      ], exchange)
  }

  private func queue(
    _ response: OpaquePointer, _ status: Int, _ headers: [HTTPRequestHead.Header],
    _ exchange: HTTPExchange
  ) -> MHD_Result {
    for header in headers + HTTPAnswer.everywhere {
      _ = MHD_add_response_header(response, header.name, header.value)
    }
    let result = MHD_queue_response(exchange.connection, UInt32(status), response)
    MHD_destroy_response(response)
    return result
  }
}
