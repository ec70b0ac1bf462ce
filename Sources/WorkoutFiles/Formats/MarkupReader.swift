/// Reads the XML of workout files: elements, attributes, text, comments, and the five entities that XML defines.
///
/// A document type is refused, and with it every other entity: nothing is ever expanded or fetched. Memory
/// grows with the file's size alone.
struct MarkupReader {
  private static let maximumDepth = 64

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  /// The root element of a file.
  static func root(of text: String) throws(FileFault) -> MarkupElement {
    var reader = MarkupReader(bytes: Array(text.utf8))
    return try reader.document()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func document() throws(FileFault) -> MarkupElement {
    var open: [MarkupElement] = []
    var root: MarkupElement?
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") || starts("<![CDATA[") {
        let start = line
        let text = try content()
        if !open.isEmpty {
          open[open.count - 1].text += text
        } else if !text.allSatisfy(\.isWhitespace) {
          throw FileFault(line: start, "text outside of the root element", expected: "XML")
        }
      } else if starts("<?") {
        try skip(to: "?>", of: "<?")
      } else if starts("<!--") {
        try skip(to: "-->", of: "a comment")
      } else if starts("<!") {
        throw FileFault(
          line: line, "a document type or a declaration of entities",
          expected: "XML without <!DOCTYPE>, whose entities are not read")
      } else if starts("</") {
        guard let done = open.popLast() else {
          throw FileFault(line: line, "an end tag without its start", expected: "XML")
        }
        try endTag(of: done)
        try Self.close(done, in: &open, root: &root, line: line)
      } else {
        guard open.count < Self.maximumDepth else {
          throw FileFault(
            line: line, "elements nested more than \(Self.maximumDepth) deep",
            expected: "at most \(Self.maximumDepth) levels")
        }
        let (element, isEmpty) = try startTag()
        if isEmpty {
          try Self.close(element, in: &open, root: &root, line: line)
        } else {
          open.append(element)
        }
      }
    }
    if let last = open.last {
      throw FileFault(
        line: line, "the end of the file within \(quoted(last.name)) of line \(last.line)",
        expected: "</\(escaped(String(last.name.prefix(40))))>")
    }
    guard let root else { throw FileFault(line: 1, "no element", expected: "XML") }
    return root
  }

  private static func close(
    _ element: MarkupElement, in open: inout [MarkupElement], root: inout MarkupElement?, line: Int
  ) throws(FileFault) {
    if !open.isEmpty {
      open[open.count - 1].children.append(element)
    } else if root == nil {
      root = element
    } else {
      throw FileFault(line: line, "a second root element", expected: "one in each file")
    }
  }

  // MARK: Tags

  private mutating func startTag() throws(FileFault) -> (MarkupElement, isEmpty: Bool) {
    let start = line
    advance()
    var element = MarkupElement(name: try name(), line: start)
    while true {
      skipBlanks()
      if starts("/>") {
        advance(2)
        return (element, true)
      }
      if starts(">") {
        advance()
        return (element, false)
      }
      let key = try name()
      skipBlanks()
      try take("=", after: "the attribute \(quoted(key))")
      skipBlanks()
      let value = try attributeValue()
      guard element.attributes.updateValue(value, forKey: key.lowercased()) == nil else {
        throw FileFault(
          line: line, "the attribute \(quoted(key)) twice", expected: "each attribute once")
      }
    }
  }

  private mutating func endTag(of element: MarkupElement) throws(FileFault) {
    advance(2)
    let found = try name()
    guard found == element.name else {
      throw FileFault(
        line: line,
        "</\(escaped(String(found.prefix(40))))> within \(quoted(element.name)) of line \(element.line)",
        expected: "</\(escaped(String(element.name.prefix(40))))>")
    }
    skipBlanks()
    try take(">", after: "an end tag")
  }

  private mutating func name() throws(FileFault) -> String {
    let start = position
    while position < bytes.count, !" \t\r\n=/<>\"'&".utf8.contains(bytes[position]) {
      position += 1
    }
    guard position > start else {
      throw unexpected("a name")
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func attributeValue() throws(FileFault) -> String {
    guard let mark = byte, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else {
      throw unexpected("a value in quotes")
    }
    advance()
    var value: [UInt8] = []
    while let byte, byte != mark {
      if byte == UInt8(ascii: "<") { throw unexpected("&lt; in a value, or its closing quote") }
      try appendOne(to: &value)
    }
    guard byte == mark else { throw unexpected("the closing quote of a value") }
    advance()
    return String(decoding: value, as: UTF8.self)
  }

  // MARK: Text

  private mutating func content() throws(FileFault) -> String {
    if starts("<![CDATA[") {
      let start = position + 9
      try skip(to: "]]>", of: "<![CDATA[")
      return String(decoding: bytes[start..<position - 3], as: UTF8.self)
    }
    var text: [UInt8] = []
    while let byte, byte != UInt8(ascii: "<") { try appendOne(to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// A byte as it is, or what a reference stands for.
  private mutating func appendOne(to text: inout [UInt8]) throws(FileFault) {
    guard bytes[position] == UInt8(ascii: "&") else {
      text.append(bytes[position])
      return advance()
    }
    // The longest that has a meaning is &#x10FFFF;.
    let rest = bytes[(position + 1)...].prefix(9)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")),
      let scalar = Self.scalar(String(decoding: bytes[position + 1..<end], as: UTF8.self))
    else {
      throw FileFault(
        line: line, "an & that is no entity of XML",
        expected: "&amp;, &lt;, &gt;, &quot;, &apos; or a number such as &#233;")
    }
    text.append(contentsOf: String(scalar).utf8)
    advance(end + 1 - position)
  }

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHex = name.hasPrefix("#x")
      let digits = name.dropFirst(isHex ? 2 : 1)
      guard digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: isHex ? 16 : 10),
        value != 0
      else { return nil }
      return Unicode.Scalar(value)
    }
  }

  // MARK: Position

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func starts(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private mutating func skipBlanks() {
    while let byte, " \t\r\n".utf8.contains(byte) { advance() }
  }

  private mutating func skip(to end: String, of what: String) throws(FileFault) {
    let start = line
    while !starts(end) {
      guard byte != nil else {
        throw FileFault(line: start, "\(what) without its end", expected: end)
      }
      advance()
    }
    advance(end.utf8.count)
  }

  private mutating func take(_ text: String, after what: String) throws(FileFault) {
    guard starts(text) else { throw unexpected("\(text) after \(what)") }
    advance(text.utf8.count)
  }

  private func unexpected(_ expected: String) -> FileFault {
    guard let byte else {
      return FileFault(line: line, "the end of the file", expected: expected)
    }
    return FileFault(
      line: line, quoted(String(decoding: [byte], as: UTF8.self)), expected: expected)
  }
}
