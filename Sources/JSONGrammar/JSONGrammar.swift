/// The grammar of JSON (RFC 8259), for bytes that come from others.
///
/// The decoder of Foundation does not say where a text stops to be JSON, and that of Swift 6.0 ends the program
/// at a key with a wrong escape or a control character. Bytes are checked here before they are decoded.
package struct JSONGrammar {
  let bytes: [UInt8]
  var position = 0

  /// The offset of the first byte that cannot belong to a JSON text in UTF-8; the number of bytes for a text that is
  /// cut off, nil for one that is JSON.
  package static func firstFault(in bytes: [UInt8]) -> Int? {
    var grammar = JSONGrammar(bytes: bytes)
    if !grammar.isWhole() { return grammar.position }
    return grammar.invalidUTF8()
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

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
  mutating func key() -> Bool {
    skipBlanks()
    guard text() else { return false }
    skipBlanks()
    return take(":")
  }

  mutating func scalar() -> Bool {
    if byte == UInt8(ascii: "\"") { return text() }
    for word: StaticString in ["true", "false", "null"] where take(word) { return true }
    return number()
  }

  private mutating func number() -> Bool {
    _ = take("-")
    guard take("0") || digits() else { return false }
    if take("."), !digits() { return false }
    guard take("e") || take("E") else { return true }
    _ = take("+") || take("-")
    return digits()
  }

  /// At least one digit.
  private mutating func digits() -> Bool {
    let start = position
    while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position > start
  }

  private mutating func text() -> Bool {
    guard take("\"") else { return false }
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return true
      case UInt8(ascii: "\\"):
        guard escape() else { return false }
      case ..<0x20: return false
      default: position += 1
      }
    }
    return false
  }

  private mutating func escape() -> Bool {
    if take(#"\u"#) {
      guard let unit = hexadecimal() else { return false }
      if UTF16.isTrailSurrogate(unit) { return false }
      guard UTF16.isLeadSurrogate(unit) else { return true }
      guard take(#"\u"#), let trail = hexadecimal() else { return false }
      return UTF16.isTrailSurrogate(trail)
    }
    guard take("\\"), let byte, #""\/bfnrt"#.utf8.contains(byte) else { return false }
    position += 1
    return true
  }

  /// Four digits.
  private mutating func hexadecimal() -> UInt16? {
    guard position + 4 <= bytes.count else { return nil }
    var value: UInt16 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt16(digit)
    }
    position += 4
    return value
  }

  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
    position += count
    return true
  }

  mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private func invalidUTF8() -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }
}
