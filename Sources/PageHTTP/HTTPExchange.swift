import PageServer

/// One request and what is known of its answer.
final class HTTPExchange {
  let connection: OpaquePointer
  let socket: Int32
  /// Bytes of the path and the query, as far as the library has read them.
  let targetSize: Int
  var state = State.new
  /// It comes from somebody who only looks on.
  var isViewers = false
  /// The library passes over the connection until it is resumed.
  var isSuspended = false

  enum State {
    /// Its headers are still to come.
    case new
    case receiving([UInt8])
    case waiting(CoachLink.Ticket)
    /// To be sent as soon as the library asks.
    case ready(HTTPAnswer)
    case streaming(EventStream)
    case answered
  }

  init(_ connection: OpaquePointer, socket: Int32, targetSize: Int) {
    self.connection = connection
    self.socket = socket
    self.targetSize = targetSize
  }

  /// How many bytes of its body have come; 0 once it has been decided.
  var bodyBytes: Int { if case .receiving(let body) = state { body.count } else { 0 } }

  /// More of its body.
  func receive(_ bytes: UnsafeRawBufferPointer) {
    guard case .receiving(var body) = state else { return }
    // So that the bytes are not copied.
    state = .answered
    body += bytes
    state = .receiving(body)
  }
}

/// What one page still has to read.
struct EventStream {
  /// Bytes that have begun to be sent.
  private var pending: ArraySlice<UInt8>
  /// The number of the event after them.
  private var position: UInt64
  let usesToken: Bool
  var isClosing = false

  init(opening: [UInt8], position: UInt64, usesToken: Bool) {
    pending = opening[...]
    self.position = position
    self.usesToken = usesToken
  }

  enum Step {
    case bytes(ArraySlice<UInt8>)
    case nothing
    case end
  }

  /// - Parameter most: bytes.
  mutating func next(_ most: Int, of ring: EventRing) -> Step {
    guard !isClosing else { return .end }
    if pending.isEmpty {
      switch ring.read(at: position) {
      case .upToDate: return .nothing
      case .lost: return .end
      case .event(let event):
        pending = event[...]
        position += 1
      }
    }
    let step = pending.prefix(most)
    pending = pending.dropFirst(most)
    return .bytes(step)
  }
}
