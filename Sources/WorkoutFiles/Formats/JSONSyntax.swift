/// Finds where a text stops to be JSON, which the decoder does not say.
struct JSONSyntax {
  private let bytes: [UInt8]
  private var position = 0

  /// The line of the first fault, from 1; nil for a text that is JSON.
  static func line(ofFaultIn text: String) -> Int? {
    var syntax = JSONSyntax(bytes: Array(text.utf8))
    if syntax.isWhole() { return nil }
    let newline = UInt8(ascii: "\n")
    return 1 + syntax.bytes.prefix(syntax.position).count { $0 == newline }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Leaves the position at the first fault. Lists and objects that are open are kept in a list, so that no depth
  /// is too much.
  private mutating func isWhole() -> Bool {
    var open: [UInt8] = []
    while true {
      skipBlanks()
      if take("{") {
        skipBlanks()
        if !take("}") {
          open.append(UInt8(ascii: "}"))
          guard key() else { return false }
          continue
        }
      } else if take("[") {
        skipBlanks()
        if !take("]") {
          open.append(UInt8(ascii: "]"))
          continue
        }
      } else {
        guard scalar() else { return false }
      }
      skipBlanks()
      while let end = open.last, byte == end {
        position += 1
        open.removeLast()
        skipBlanks()
      }
      guard let last = open.last else { return position == bytes.count }
      guard take(",") else { return false }
      if last == UInt8(ascii: "}"), !key() { return false }
    }
  }

  /// A key with its colon.
  private mutating func key() -> Bool {
    skipBlanks()
    guard text() else { return false }
    skipBlanks()
    return take(":")
  }

  private mutating func scalar() -> Bool {
    if byte == UInt8(ascii: "\"") { return text() }
    for word in ["true", "false", "null"] where take(word) { return true }
    let start = position
    while let byte, "+-.0123456789eE".utf8.contains(byte) { position += 1 }
    let number = String(decoding: bytes[start..<position], as: UTF8.self)
    if decimal(number) != nil { return true }
    position = start
    return false
  }

  /// The decoder takes control characters in a text.
  private mutating func text() -> Bool {
    guard take("\"") else { return false }
    while let byte, byte != UInt8(ascii: "\"") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position, bytes.count)
    return take("\"")
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func skipBlanks() {
    while let byte, " \t\r\n".utf8.contains(byte) { position += 1 }
  }
}
