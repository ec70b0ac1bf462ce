/// Cuts a stream of bytes into lines, and never keeps more of a line than its limit.
package struct LineBuffer: Sendable {
  /// What has become of a line.
  package enum Line: Hashable, Sendable {
    /// Without its line feed, and without a carriage return before it.
    case complete([UInt8])
    /// A line was longer than the limit. It is reported once, as soon as that is known, and its rest is
    /// skipped.
    case tooLong
  }

  private let limit: Int
  private var pending: [UInt8] = []
  private var isSkipping = false

  /// - Parameter limit: bytes of a line, its line feed included.
  package init(limit: Int) {
    guard limit > 0 else { fatalError("a line limit of \(limit) bytes, expected 1 or more") }
    self.limit = limit
  }

  /// Bytes kept of a line that is not complete.
  package var pendingCount: Int { pending.count }

  /// Takes bytes and returns what they complete.
  package mutating func append(_ bytes: some Collection<UInt8>) -> [Line] {
    var rest = Array(bytes)[...]
    var lines: [Line] = []
    while let line = next(from: &rest) { lines.append(line) }
    return lines
  }

  /// Takes bytes from the front of `bytes` up to the first line that they complete. Nil where they
  /// complete none: all of them have been taken then.
  package mutating func next(from bytes: inout ArraySlice<UInt8>) -> Line? {
    while !bytes.isEmpty {
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
      let piece = bytes[..<(end ?? bytes.endIndex)]
      if !isSkipping, pending.count + piece.count >= limit {
        // A line whose end has come has no rest to skip.
        isSkipping = end == nil
        pending = []
        bytes = bytes[(end.map { $0 + 1 } ?? bytes.endIndex)...]
        return .tooLong
      }
      bytes = bytes[(end.map { $0 + 1 } ?? bytes.endIndex)...]
      if !isSkipping { pending += piece }
      guard end != nil else { continue }
      if isSkipping {
        isSkipping = false
        continue
      }
      var line = pending
      pending = []
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      return .complete(line)
    }
    return nil
  }
}
