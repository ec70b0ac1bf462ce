import CGlibc
import ControlProtocol
import Glibc
import Synchronization
import SystemIO

/// The coach's end of the control socket: takes requests and publishes events, on a thread of its own.
///
/// It knows no workout: a closure answers the requests. No client can hold up another or the coach:
/// each has bounded buffers, one that does not read is dropped, and nothing is ever waited for.
public final class ControlServer: Sendable {
  /// A socket and what its clients may request.
  public struct Socket: Hashable, Sendable {
    /// Where the socket is made. At most 107 bytes; its folder is made if it is missing.
    public var path: String
    /// What its clients may request; anything else is refused without a call of `handle`.
    public var rights: ControlRights
    /// The group that may use it, where it exists and this process is in it; this process's when nil.
    public var group: String?

    /// The arguments are taken as they are; the server's initialiser checks them.
    public init(_ path: String, _ rights: ControlRights, group: String? = nil) {
      self.path = path
      self.rights = rights
      self.group = group
    }
  }

  /// How much the clients of a server may use.
  public struct Limits: Hashable, Sendable {
    /// Clients at once, 256 by default. A client that comes then takes the place of one that has made no request: the
    /// oldest of the process that has several of them, or one that has been connected for `patience`. Where there is
    /// none, it takes that of a client that is subscribed to nothing and has made no request for `idle`. Otherwise it is
    /// refused.
    public var connections = 256
    /// Of these, three quarters: as many as clients of `remote` and `sense` can hold together: whatever they do, those
    /// of `control` find a place.
    package var remoteConnections: Int { connections * 3 / 4 }
    /// How long the only connection of a process may be without a request before another client may take its place;
    /// 1 s by default.
    public var patience = Duration.seconds(1)
    /// After which time without a request a client may have to give its place to another; 10 s by default.
    public var idle = Duration.seconds(10)
    /// Bytes that a subscriber may leave unread before it is dropped; 327 680 by default.
    public var unread = ControlLimits.answerLine + 64 * 1024
    /// Bytes kept for all clients together, 6 MiB by default: beyond it, the one with the most is dropped.
    public var kept = 6 << 20

    /// 256 clients, 1 s, and 6 MiB kept for them.
    public init() {}
  }

  /// Answers a request, once, from any thread. What is answered before an event is published reaches
  /// the client before that event.
  public typealias Answer = @Sendable (ControlAnswer) -> Void

  private let inbox: Mailbox<ServerLoop.Mail>
  private let thread: ServerThread
  private let isStopped = Atomic(false)

  /// Opens the sockets and serves. One that is removed later, alone or with its folder, is made anew.
  ///
  /// - Parameters:
  ///   - version: the program's, for the greeting.
  ///   - report: called on the server's thread with a line for the log: a socket was removed, or no
  ///     descriptor is left for a client. The same line may come often.
  ///   - handle: called on the server's thread with each request that the socket's rights allow, in the
  ///     order in which they are taken from all clients; it must not wait.
  /// - Throws: `ControlSocketError`; no socket is left behind then.
  public convenience init(
    _ sockets: [Socket], version: String, limits: Limits = Limits(),
    report: @escaping @Sendable (String) -> Void = { _ in },
    handle: @escaping @Sendable (ControlRequest, ControlRights, @escaping Answer) -> Void
  ) throws(ControlSocketError) {
    try self.init(
      sockets, version: version, limits: limits, report: report,
      accept: Self.accept, handle: handle)
  }

  /// Takes a client of a listening descriptor. No program that this process starts meanwhile keeps the client's
  /// connection open.
  @Sendable package static func accept(_ descriptor: Int32) -> Int32 {
    cuecoach_accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
  }

  /// - Parameter accept: takes a client of a listening descriptor, as accept(2) does.
  package init(
    _ sockets: [Socket], version: String, limits: Limits,
    report: @escaping @Sendable (String) -> Void, accept: @escaping @Sendable (Int32) -> Int32,
    handle: @escaping @Sendable (ControlRequest, ControlRights, @escaping Answer) -> Void
  ) throws(ControlSocketError) {
    var listeners: [ServerLoop.Listener] = []
    for socket in sockets {
      listeners.append(.init(place: socket, socket: try ListeningSocket(socket)))
    }
    guard let inbox = Mailbox<ServerLoop.Mail>() else {
      throw ControlSocketError(.failed, "eventfd: \(String(cString: strerror(errno)))")
    }
    self.inbox = inbox
    // Not captured: what the thread's closure holds would live as long as the thread.
    inbox.send(.listen(listeners))
    thread = try ServerThread {
      ServerLoop(
        inbox, version: version, limits: limits, report: report, accept: accept, handle: handle
      ).run()
    }
  }

  deinit { stop() }

  /// Sends an event to every subscriber. Any thread; never waits.
  public func publish(_ event: ControlEvent) { inbox.send(.event(event)) }

  /// Sends what is said to the subscribers that have asked for it. Any thread; never waits.
  package func publish(_ event: SpeechEvent) { inbox.send(.speech(event)) }

  /// Closes every connection and removes the sockets. Answers that were given before are sent as far as
  /// the clients take them at once. Blocks until the thread has ended.
  public func stop() {
    guard !isStopped.exchange(true, ordering: .relaxed) else { return }
    inbox.send(.stop)
    thread.join()
  }
}
