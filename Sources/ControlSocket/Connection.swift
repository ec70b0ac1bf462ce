import ControlProtocol
import Glibc
import SystemIO

/// One client of a server, on the server's thread: what it has sent and what it has not read yet.
///
/// A client has one request taken at a time, and none while it does not read its answers, so that what
/// it makes the server keep is bounded.
final class Connection {
  let descriptor: Int32
  let rights: ControlRights
  let since = ContinuousClock.now
  /// The one that has connected, by its number.
  let process: pid_t
  /// The request that is being worked on, by its number; nil: none.
  private(set) var request: (number: Int, isSubscription: Bool)?
  private(set) var isSubscribed = false
  /// It has subscribed to what is said.
  private(set) var hearsSpeech = false
  /// Requests that take seconds, by their numbers: others are taken meanwhile.
  private var aside: Set<Int> = []
  /// It has made a request.
  private(set) var isKnown = false
  /// When it made its last request, or connected.
  private(set) var spoke = ContinuousClock.now
  /// Nothing can be written to it any more.
  private(set) var isGone = false
  /// It may have sent more than was looked at.
  var hasMore = false

  private var lines = LineBuffer(limit: ControlLimits.requestLine)
  private var input: ArraySlice<UInt8> = []
  private var hasEnded = false
  private var requests = 0
  private var output: [[UInt8]] = []
  /// Bytes of the first piece that are written.
  private var written = 0
  private var outputCount = 0

  private static let chunk = 4096
  /// Of those that take seconds.
  private static let mostAside = 4
  /// Chunks that are read before another client's turn.
  private static let turn = 16

  init(_ descriptor: Int32, _ rights: ControlRights) {
    self.descriptor = descriptor
    self.rights = rights
    process = UnixSocket.peer(of: descriptor)
  }

  deinit {
    // A program that is being started may still hold the descriptor: the client sees the end all the same.
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  /// Bytes kept for it.
  var kept: Int { lines.pendingCount + input.count + outputCount }
  /// Bytes that it has not read.
  var unread: Int { outputCount }

  var takesRequests: Bool {
    request == nil && aside.count < Self.mostAside && (isGone || output.isEmpty)
  }

  /// Nothing more can come of it.
  var isOver: Bool {
    guard request == nil, aside.isEmpty, !hasMore else { return false }
    return isGone || (hasEnded && output.isEmpty && !isSubscribed)
  }

  /// What the thread waits for.
  var interest: Int16 {
    var events = 0
    if takesRequests, !hasEnded { events |= Int(POLLIN) }
    if !output.isEmpty { events |= Int(POLLOUT) }
    return Int16(events)
  }

  // MARK: What it sends

  /// The next line that has arrived whole; nil: none yet, or none ever.
  func nextLine() -> LineBuffer.Line? {
    for _ in 0..<Self.turn {
      if let line = lines.next(from: &input) { return line }
      if hasEnded { return nil }
      var bytes = [UInt8](repeating: 0, count: Self.chunk)
      switch bytes.withUnsafeMutableBytes({ UnixSocket.read(descriptor, into: $0) }) {
      case .moved(let count): input = bytes[..<count]
      case .blocked: return nil
      case .ended: hasEnded = true
      }
    }
    // Others take their turn first.
    hasMore = true
    return nil
  }

  /// Notes a request that is being worked on. Returns its number.
  func began(_ request: ControlRequest) -> Int {
    requests += 1
    isKnown = true
    spoke = .now
    guard !request.takesSeconds else {
      aside.insert(requests)
      return requests
    }
    self.request = (requests, request.action == .subscribe)
    // Before its answer nothing is published to it.
    if request.action == .subscribe { hearsSpeech = request.hearsSpeech }
    return requests
  }

  /// The request of that number has been answered; false where it was already.
  func answered(_ number: Int, isDone: Bool) -> Bool {
    if aside.remove(number) != nil { return true }
    guard let current = request, current.number == number else { return false }
    if current.isSubscription, isDone { isSubscribed = true }
    request = nil
    return true
  }

  // MARK: What it reads

  func send(_ line: [UInt8]) {
    guard !isGone else { return }
    output.append(line)
    outputCount += line.count
    flush()
  }

  /// Writes what it takes.
  func flush() {
    while !isGone, let first = output.first {
      let transfer = first.withUnsafeBytes {
        UnixSocket.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...]))
      }
      switch transfer {
      case .moved(let count):
        outputCount -= count
        written += count
        if written == first.count {
          output.removeFirst()
          written = 0
        }
      case .blocked: return
      case .ended: leave()
      }
    }
  }

  /// The other side has closed.
  func leave() {
    isGone = true
    output = []
    (written, outputCount) = (0, 0)
  }
}
