/// Cuts a stream of bytes into lines, within a limit: what a connection sends is never kept beyond it.
public struct LineBuffer: Sendable {
  public enum Line: Hashable, Sendable {
    /// Without its line feed, and without a carriage return before it.
    case complete([UInt8])
    /// A line was longer than the limit. It is reported once, as soon as that is known; the rest of it
    /// is passed over.
    case tooLong
  }

  private let limit: Int
  private var pending: [UInt8] = []
  private var isSkipping = false

  /// - Parameter limit: bytes of a line, its line feed included.
  public init(limit: Int) {
    precondition(limit > 0, "a line limit of \(limit) bytes")
    self.limit = limit
  }

  /// Bytes kept of a line that is not complete.
  public var pendingCount: Int { pending.count }

  /// Takes bytes and returns what they complete.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if !isSkipping {
          if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
          lines.append(.complete(pending))
        }
        isSkipping = false
        pending.removeAll(keepingCapacity: pending.count <= 4096)
      } else if !isSkipping {
        pending.append(byte)
        if pending.count >= limit {
          isSkipping = true
          pending = []
          lines.append(.tooLong)
        }
      }
    }
    return lines
  }
}
