/// A position in a line of YAML. Reads the texts that begin there, delimited exactly as by libyaml.
struct LineCursor {
  /// From 1.
  let line: Int
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>, line: Int) {
    self.bytes = bytes
    self.line = line
    position = bytes.startIndex
  }

  /// The current byte; nil at the line's end.
  var byte: UInt8? { byte(ahead: 0) }

  /// In bytes from 0. Only compared between columns that follow nothing but ASCII.
  var column: Int { position - bytes.startIndex }

  func byte(ahead count: Int) -> UInt8? {
    let index = position + count
    return index < bytes.endIndex ? bytes[index] : nil
  }

  /// True if a blank or the line's end follows after `count` bytes.
  func isBlank(ahead count: Int) -> Bool {
    guard let byte = byte(ahead: count) else { return true }
    return byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  mutating func skip(_ count: Int) { position += count }

  mutating func skipSpaces() {
    while byte == UInt8(ascii: " ") { position += 1 }
  }

  mutating func skipBlanks() {
    while byte != nil, isBlank(ahead: 0) { position += 1 }
  }

  /// The raw text between the quotation marks that begin here.
  mutating func quotedText() throws(FileFault) -> String {
    let mark = bytes[position]
    let start = position + 1
    position = start
    while let byte {
      if byte == mark {
        guard mark == UInt8(ascii: "'"), self.byte(ahead: 1) == mark else {
          defer { position += 1 }
          return text(from: start)
        }
        position += 2
      } else {
        let isEscape = byte == UInt8(ascii: "\\") && mark == UInt8(ascii: "\"")
        position += isEscape ? 2 : 1
      }
    }
    throw FileFault(
      line: line, "quoted text without its closing \(mark == UInt8(ascii: "'") ? "'" : "\"")",
      expected: "quoted text to end on the line on which it begins")
  }

  /// The plain text that begins here, without trailing blanks.
  mutating func plainText(inFlow: Bool) throws(FileFault) -> String {
    let start = position
    var end = position
    while let byte {
      if isBlank(ahead: 0) {
        skipBlanks()
        if self.byte == UInt8(ascii: "#") { break }
        continue
      }
      if byte == UInt8(ascii: ":") {
        if isBlank(ahead: 1) { break }
        if inFlow, Self.isFlowIndicator(self.byte(ahead: 1)) {
          throw FileFault(
            line: line, "a colon without a space after it", expected: "{key: value}")
        }
      }
      if inFlow, byte != UInt8(ascii: "?"), Self.isFlowIndicator(byte) { break }
      position += 1
      end = position
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private func text(from start: Int) -> String {
    String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isFlowIndicator(_ byte: UInt8?) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: "?"):
      true
    default: false
    }
  }
}
