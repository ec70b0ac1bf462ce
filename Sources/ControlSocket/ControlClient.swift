import ControlProtocol
import Glibc
import SystemIO

/// A surface's end of the control socket. Used by one thread at a time.
///
/// ```swift
/// let client = try ControlClient(ControlPaths.ofClient(.control, environment))
/// let answer = try client.request(.command(.pause, lane: nil))
/// ```
/// After `request(.subscribe)` events come besides; `nextEvent` takes them in order. A surface with a
/// loop of its own waits until `descriptor` can be read, then takes what `receive(within: .zero)` has
/// until that is nil.
public final class ControlClient {
  /// The socket that answered.
  public let path: String
  /// What the coach said first: its version, and what may be requested.
  public let greeting: ControlGreeting
  /// To be waited for with poll(2) or epoll(7); it never blocks.
  public let descriptor: Int32

  private let patience: Duration
  private var lines = LineBuffer(limit: ControlLimits.answerLine)
  private var input: ArraySlice<UInt8> = []
  private var requests: Int64 = 0
  /// Events that arrived before an answer that was waited for.
  private var events: [ControlEvent] = []

  /// Events kept while an answer is waited for; more would be a coach that does not answer.
  private static let maxEvents = 10_000

  /// Connects to the first of the sockets at which a coach answers.
  ///
  /// - Parameters:
  ///   - paths: of the sockets, in the order in which they are tried: `ControlPaths.ofClient`.
  ///   - patience: how long it may take to answer, now and to each request.
  /// - Throws: `ControlSocketError`; `notRunning` where no coach answers at any.
  public convenience init(
    _ paths: [String], patience: Duration = .seconds(5)
  ) throws(ControlSocketError) {
    var failure: ControlSocketError?
    for path in paths {
      do throws(ControlSocketError) {
        let descriptor = try Self.connect(path, within: patience)
        try self.init(descriptor, path, patience)
        return
      } catch {
        // One that may not be used says more than one that is not there.
        if failure == nil || failure?.kind == .notRunning { failure = error }
        guard [.notRunning, .denied, .notASocket].contains(error.kind) else { throw error }
      }
    }
    throw failure ?? ControlSocketError(.notRunning, "no socket of a coach is known")
  }

  private init(
    _ descriptor: Int32, _ path: String, _ patience: Duration
  ) throws(ControlSocketError) {
    self.path = path
    self.descriptor = descriptor
    self.patience = patience
    var lines = lines
    var input: ArraySlice<UInt8> = []
    do throws(ControlSocketError) {
      let message = try Self.message(
        descriptor, &lines, &input, within: patience, path: path)
      switch message {
      case .greeting(let greeting) where greeting.protocol == ControlLimits.version:
        self.greeting = greeting
      case .greeting(let greeting):
        throw ControlSocketError(
          .otherVersion,
          "\(path): the coach there, cuecoach \(greeting.cuecoach), speaks version "
            + "\(greeting.protocol) of the protocol, expected \(ControlLimits.version)")
      case .answer(let answer):
        throw ControlSocketError(
          answer.error == .full ? .full : .failed, "\(path): \(answer.message ?? "refused")")
      case .event: throw ControlSocketError(.failed, "\(path): no coach answers there")
      case nil: throw ControlSocketError(.timeout, "\(path): the coach does not answer")
      }
    } catch {
      close(descriptor)
      throw error
    }
    (self.lines, self.input) = (lines, input)
  }

  deinit { close(descriptor) }

  private static func connect(
    _ path: String, within patience: Duration
  ) throws(ControlSocketError) -> Int32 {
    let end = ContinuousClock.now + patience
    try UnixSocket.check(path)
    let descriptor = try UnixSocket.make()
    while true {
      let code = UnixSocket.connect(descriptor, path)
      if code == 0 { return descriptor }
      // Many connect at once.
      if code == EAGAIN, ContinuousClock.now < end {
        usleep(2000)
        continue
      }
      close(descriptor)
      let why = String(cString: strerror(code))
      switch code {
      case ECONNREFUSED where UnixSocket.isOtherFile(path):
        throw ControlSocketError(.notASocket, "\(path) is no socket; expected that of a coach")
      case ENOENT, ECONNREFUSED, ENOTDIR:
        throw ControlSocketError(.notRunning, "\(path): no coach answers there")
      case EACCES, EPERM:
        throw ControlSocketError(.denied, "\(path): this user may not use the coach there")
      case EAGAIN: throw ControlSocketError(.timeout, "\(path): the coach does not answer")
      default: throw ControlSocketError(.failed, "\(path): \(why)")
      }
    }
  }

  // MARK: Requests

  /// Sends a request and waits for its answer.
  ///
  /// - Parameter patience: that of the connection when nil.
  /// - Throws: `ControlSocketError`. A refusal is an answer.
  public func request(
    _ action: ControlRequest.Action, within patience: Duration? = nil
  ) throws(ControlSocketError) -> ControlAnswer {
    let end = ContinuousClock.now + (patience ?? self.patience)
    let id = try send(action)
    while true {
      let left = max(.zero, ContinuousClock.now.duration(to: end))
      switch try read(within: left) {
      case .answer(let answer) where answer.id == id: return answer
      case .event(let event):
        guard events.count < Self.maxEvents else {
          throw ControlSocketError(.failed, "\(path): the coach does not answer")
        }
        events.append(event)
      case .answer, .greeting: continue
      case nil: throw ControlSocketError(.timeout, "\(path): the coach does not answer")
      }
    }
  }

  /// Sends a request; its answer comes with `receive`. Waits for a coach that does not read for two
  /// seconds at most. Returns the request's id.
  @discardableResult
  public func send(_ action: ControlRequest.Action) throws(ControlSocketError) -> RequestID {
    requests += 1
    let id = RequestID.number(requests)
    let line: [UInt8]
    do throws(ControlError) {
      line = try ControlCoding.line(ControlRequest(id, action))
    } catch {
      throw ControlSocketError(.failed, error.message)
    }
    guard line.count <= ControlLimits.requestLine else {
      throw ControlSocketError(
        .failed, "the request would have more than \(ControlLimits.requestLine) bytes")
    }
    var written = 0
    while written < line.count {
      let transfer = line.withUnsafeBytes {
        UnixSocket.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...]))
      }
      switch transfer {
      case .moved(let count): written += count
      case .blocked:
        guard Self.wait(descriptor, POLLOUT, within: .seconds(2)) else {
          throw ControlSocketError(.timeout, "\(path): the coach does not answer")
        }
      case .ended: throw gone
      }
    }
    return id
  }

  // MARK: Events

  /// The next event; nil where none comes in time.
  public func nextEvent(within patience: Duration?) throws(ControlSocketError) -> ControlEvent? {
    let end = patience.map { ContinuousClock.now + $0 }
    while true {
      let left = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      switch try receive(within: left) {
      case .event(let event): return event
      case .answer, .greeting: continue
      case nil: return nil
      }
    }
  }

  /// The next answer or event; nil where none comes in time.
  ///
  /// - Parameter patience: nil: for ever; zero: what has arrived.
  public func receive(within patience: Duration?) throws(ControlSocketError) -> ControlMessage? {
    if !events.isEmpty { return .event(events.removeFirst()) }
    return try read(within: patience)
  }

  private func read(within patience: Duration?) throws(ControlSocketError) -> ControlMessage? {
    try Self.message(descriptor, &lines, &input, within: patience, path: path)
  }

  private var gone: ControlSocketError { Self.gone(path) }

  private static func gone(_ path: String) -> ControlSocketError {
    ControlSocketError(.gone, "\(path): the coach has ended")
  }

  private static func message(
    _ descriptor: Int32, _ lines: inout LineBuffer, _ input: inout ArraySlice<UInt8>,
    within patience: Duration?, path: String
  ) throws(ControlSocketError) -> ControlMessage? {
    let end = patience.map { ContinuousClock.now + $0 }
    while true {
      if let line = lines.next(from: &input) {
        guard case .complete(let bytes) = line else { continue }
        do throws(ControlError) {
          return try ControlCoding.value(ControlMessage.self, bytes)
        } catch {
          throw ControlSocketError(.failed, "\(path): \(error.message)")
        }
      }
      var bytes = [UInt8](repeating: 0, count: 16_384)
      switch bytes.withUnsafeMutableBytes({ UnixSocket.read(descriptor, into: $0) }) {
      case .moved(let count): input = bytes[..<count]
      case .ended: throw gone(path)
      case .blocked:
        let left = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
        if left == .zero || !wait(descriptor, POLLIN, within: left) { return nil }
      }
    }
  }

  /// False where the descriptor is not ready in time.
  private static func wait(_ descriptor: Int32, _ event: Int32, within patience: Duration?) -> Bool
  {
    let end = patience.map { ContinuousClock.now + $0 }
    while true {
      let left = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      let limit = left.map { Int32(min(86_400_000, ($0 / .milliseconds(1)).rounded(.up))) } ?? -1
      var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let count = poll(&entry, 1, limit)
      if count > 0 { return true }
      if count == 0 { return false }
      if errno != EINTR { return true }
    }
  }
}
