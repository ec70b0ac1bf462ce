import Glibc
import Instants
import SystemIO
import WyomingProtocol

/// A connection to a server: a child, or a socket. Used by one thread at a time; each call has a deadline. After any fault
/// it is not used again: a late answer would be taken for that to the next text.
final class WyomingStream {
  private let descriptor: Int32
  /// Nil for a socket.
  private let child: ChildProgram?
  private var reader = WyomingReader(maxInfo: 1 << 20)
  /// What the server has said that it has; nil where it has not been asked.
  var voices: Set<String>?

  init(command: [String]) throws(WyomingFault) {
    do throws(ChildFault) {
      let child = try ChildProgram(command)
      (self.child, descriptor) = (child, child.descriptor)
    } catch {
      throw WyomingFault(error.description)
    }
  }

  /// - Parameter path: that of a Unix socket.
  init(socket path: String) throws(WyomingFault) {
    // It does not block: a server that takes no connection would hold up everything.
    let descriptor = UnixSocket.open()
    let code = descriptor < 0 ? errno : UnixSocket.connect(descriptor, path)
    guard code == 0 else {
      if descriptor >= 0 { close(descriptor) }
      throw WyomingFault(String(cString: strerror(code)))
    }
    (child, self.descriptor) = (nil, descriptor)
  }

  deinit { if child == nil { close(descriptor) } }

  /// Until when an answer is waited for.
  struct Deadline {
    let limit: Duration
    /// On the monotonic clock.
    let start = MachineTime.monotonic

    var end: Int64 { start + limit.wholeNanoseconds }
    var passed: Duration { .nanoseconds(MachineTime.monotonic - start) }
    var isOver: Bool { passed >= limit }
  }

  /// Sends a request and passes on what comes until `take` returns true.
  ///
  /// - Throws: what makes the stream useless.
  func ask(
    _ request: [UInt8], until deadline: Deadline,
    _ take: (WyomingReader.Item) throws(WyomingFault) -> Bool
  ) throws(WyomingFault) {
    while try wait(for: POLLIN, until: 0) {
      guard !deadline.isOver else { throw WyomingFault("it sends without end") }
      for item in try read() { try Self.expectNoAnswer(item) }
    }
    guard reader.isBetweenEvents else {
      throw WyomingFault("half an event that nobody has asked for")
    }
    try send(request, until: deadline.end)
    var answered = Answered()
    while true {
      guard try wait(for: POLLIN, until: deadline.end), !deadline.isOver else {
        let seconds = Int((deadline.limit / .seconds(1)).rounded(.up))
        throw WyomingFault("no answer within \(seconds) s")
      }
      var isDone = false
      for item in try read() {
        guard answered.has(item) else { throw WyomingFault("it sends without end") }
        if isDone { try Self.expectNoAnswer(item) } else { isDone = try take(item) }
      }
      if isDone { return }
    }
  }

  /// What has come while one answer is awaited.
  private struct Answered {
    /// Events that are no sound; pieces of sound, each of a millisecond at least; bytes of both.
    private var (others, pieces, bytes) = (100, 15_000, 8 << 20)

    /// False once it is more than any answer has.
    mutating func has(_ item: WyomingReader.Item) -> Bool {
      switch item {
      case .event(let event) where event.type.hasPrefix("audio-"): pieces -= 1
      case .event: others -= 1
      case .payload(let part): bytes -= part.count
      }
      return min(others, pieces, bytes) >= 0
    }
  }

  /// An answer that comes after the last one would become that to the next request. Other events are harmless.
  static func expectNoAnswer(_ item: WyomingReader.Item) throws(WyomingFault) {
    guard case .event(let event) = item else { return }
    if event.type.hasPrefix("audio-") { throw WyomingFault("sound that nobody has asked for") }
    if event.type == "info" || event.type == "error" {
      throw WyomingFault("an \"\(event.type)\" that nobody has asked for")
    }
  }

  private func send(_ bytes: [UInt8], until deadline: Int64) throws(WyomingFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard try wait(for: POLLOUT, until: deadline) else {
        throw WyomingFault("it takes no request")
      }
      switch rest.withUnsafeBytes({ UnixSocket.write(descriptor, $0) }) {
      case .moved(let count): rest = rest.dropFirst(count)
      case .blocked: continue
      case .ended: throw WyomingFault("it has ended")
      }
    }
  }

  private func read() throws(WyomingFault) -> [WyomingReader.Item] {
    var part = [UInt8](repeating: 0, count: 32 * 1024)
    switch part.withUnsafeMutableBytes({ UnixSocket.read(descriptor, into: $0) }) {
    case .moved(let count): return try reader.read(part[..<count])
    case .blocked: return []
    case .ended: throw WyomingFault("it has ended")
    }
  }

  /// False where the deadline passes before.
  private func wait(for events: Int32, until deadline: Int64) throws(WyomingFault) -> Bool {
    while true {
      let left = max(0, deadline - MachineTime.monotonic)
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let count = poll(&entry, 1, Int32(min(60_000, (left + 999_999) / 1_000_000)))
      if count > 0 { return true }
      if count < 0, errno != EINTR {
        throw WyomingFault("poll: \(String(cString: strerror(errno)))")
      }
      if left == 0, count == 0 { return false }
    }
  }
}
