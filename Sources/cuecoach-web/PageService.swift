import CMicroHTTPD
import Glibc
import PageHTTP
import PageServer
import SurfaceProgram
import SystemIO
import SystemdLink

/// Joins the page, the HTTP server, the coach's socket and the token in one thread.
final class PageService: HTTPServerDelegate {
  private var page: Page
  private let coach: CoachSocket
  private let loop: EventLoop
  private var tokens: PageTokens
  /// Readable when a signal asks the process to end; below zero: none can.
  private let endSignals: Int32
  /// Set by `run`; nothing is called before.
  private var server: HTTPServer!
  private var isEnding = false
  private var hasNews = false
  private var lastBeat: Int64 = 0
  /// When the memory of the last clients is given back; nil where it has been.
  private var rest = Footprint.Rest()
  private var lastSweep: Int64 = 0
  private let log = ServiceLog { Log.write($0) }

  private static let second: Int64 = 1_000_000_000
  /// Between two signs of life to the pages.
  private static let beat = 10 * second

  init(
    files: [PageFile], hosts: HostRule, coach: [String], token: TokenFile, loop: EventLoop,
    endSignals: Int32
  ) {
    page = Page(files: files, hosts: hosts, at: MachineTime.boot)
    self.coach = CoachSocket(coach, loop: loop)
    tokens = PageTokens(token)
    self.endSignals = endSignals
    self.loop = loop
    self.coach.onEvent = { [unowned self] event in
      switch event {
      case .bytes(let bytes): perform(page.link.received(bytes, at: now))
      case .ended(let reason): perform(page.link.disconnected(reason, at: now))
      }
    }
  }

  /// CLOCK_BOOTTIME: the coach's clock, on the same machine.
  var now: Int64 { MachineTime.boot }
  var events: EventRing { page.ring }

  func decide(_ head: HTTPRequestHead) -> Page.Decision {
    rest.use(at: now)
    // A process that serves this machine alone needs no token.
    if !head.peer.isLoopback || !tokens.isEmpty || head.value("authorization") != nil {
      readTokens()
    }
    return page.decide(head, token: tokens.token, view: tokens.viewToken, at: now)
  }

  func decide(body: [UInt8], isViewers: Bool) -> Page.Decision {
    let decision = page.decide(body: body, isViewers: isViewers, at: now)
    if case .wait(_, let effects) = decision { perform(effects) }
    return decision
  }

  func forget(_ ticket: CoachLink.Ticket) { page.link.forget(ticket) }

  /// Serves until the process is to end.
  func run(_ server: HTTPServer) {
    self.server = server
    Footprint.releaseCode()
    if endSignals >= 0 {
      loop.watch(endSignals, for: .reading) { [unowned self] in isEnding = true }
    }
    while !isEnding {
      tick()
      server.run()
      loop.wait(milliseconds: pause(server))
      server.run()
      if hasNews {
        hasNews = false
        server.wakeStreams()
        server.run()
      }
    }
    server.stop()
    coach.close()
  }

  private func tick() {
    let now = self.now
    if let attempt = page.link.attemptAt, attempt <= now {
      if let reason = coach.connect() {
        perform(page.link.disconnected(reason, at: now))
      } else {
        page.link.connected(at: now)
      }
    }
    perform(page.link.expire(at: now))
    if server.connectionCount > 0, now - lastSweep >= Self.second {
      lastSweep = now
      server.sweep()
      if !tokens.isEmpty { readTokens() }
    }
    releaseMemory(server, at: now)
    if server.streamCount > 0, now - lastBeat >= Self.beat {
      lastBeat = now
      page.beat(at: now)
      server.wakeStreams()
    }
  }

  /// Once no client is left, what they needed is given back.
  private func releaseMemory(_ server: HTTPServer, at now: Int64) {
    if server.connectionCount > 0 {
      rest.use(at: now)
    } else {
      rest.check(at: now)
    }
  }

  /// A new token closes what the old one opened, before anything is opened with the new one.
  private func readTokens() {
    if tokens.read() { server.endStreamsWithToken() }
  }

  /// Milliseconds until something is to be done; negative for never.
  private func pause(_ server: HTTPServer) -> Int32 {
    var instants = [page.link.attemptAt, page.link.deadline].compactMap { $0 }
    if server.connectionCount == 0, let instant = rest.deadline { instants.append(instant) }
    if server.connectionCount > (tokens.isEmpty ? server.streamCount : 0) {
      instants.append(lastSweep + Self.second)
    }
    if server.streamCount > 0 { instants.append(lastBeat + Self.beat) }
    let timeout = server.timeout
    guard let next = instants.min() else { return timeout }
    let milliseconds = Int32(min(60_000, max(0, (next - now + 999_999) / 1_000_000)))
    return timeout < 0 ? milliseconds : min(milliseconds, timeout)
  }

  private func perform(_ effects: [CoachLink.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let bytes): coach.send(bytes)
      case .disconnect(let reason):
        coach.close()
        perform(page.link.disconnected(reason, at: now))
      case .publish(let event):
        page.publish(event)
        hasNews = true
      case .answer(let ticket, let answer): server.answer(ticket, answer)
      case .report(let text): log.log(.notice, text)
      }
    }
  }
}
