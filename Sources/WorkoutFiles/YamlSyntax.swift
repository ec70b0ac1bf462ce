/// The part of YAML that cuecoach's files use, checked before Yams sees the text.
///
/// A file is one document of maps, lists and one-line texts, with unique keys and at most 64
/// levels. The rest of YAML is refused: presets have no use for it, and some of it cannot be left
/// to Yams, which recurses once for each level, hashes a key that is an alias of billions of nodes,
/// and does not report the line of a duplicate key. Texts and indentation are delimited as by
/// libyaml, so nothing can hide from this check.
struct YamlSyntax {
  private var levels: SyntaxLevels
  private var hasContent = false
  private var hasStartMarker = false
  private var hasEndMarker = false

  /// Throws the first fault in `lines`. Returns false if there are only comments.
  static func check(
    _ lines: [ArraySlice<UInt8>], maximumDepth: Int = 64
  ) throws(FileFault) -> Bool {
    var syntax = YamlSyntax(levels: SyntaxLevels(maximumDepth: maximumDepth))
    for (index, line) in lines.enumerated() where !line.isEmpty {
      var cursor = LineCursor(line, line: index + 1)
      try syntax.checkMarker(&cursor)
      if syntax.levels.inFlow {
        try syntax.checkFlow(&cursor)
      } else {
        try syntax.checkBlock(&cursor)
      }
    }
    if syntax.levels.inFlow { throw syntax.levels.unclosed() }
    return syntax.hasContent
  }

  private mutating func checkMarker(_ cursor: inout LineCursor) throws(FileFault) {
    let isStart = cursor.starts(with: "---")
    if isStart || cursor.starts(with: "..."), cursor.isBlank(ahead: 3) {
      if levels.inFlow { throw levels.unclosed() }
      if isStart, hasContent || hasStartMarker || hasEndMarker { throw secondDocument(cursor) }
      if isStart { hasStartMarker = true } else { hasEndMarker = true }
      cursor.skip(3)
      try endLine(&cursor)
    } else if cursor.byte == UInt8(ascii: "%") {
      throw unsupported("a directive (%)", cursor)
    }
  }

  // MARK: Lines

  private mutating func checkBlock(_ cursor: inout LineCursor) throws(FileFault) {
    try skipIndentation(&cursor)
    var hasDash = false
    while let byte = cursor.byte, byte != UInt8(ascii: "#") {
      if hasEndMarker { throw secondDocument(cursor) }
      hasContent = true
      let column = cursor.column

      if byte == UInt8(ascii: "-"), cursor.isBlank(ahead: 1) {
        try levels.place(.blockList, column: column, line: cursor.line)
        hasDash = true
        cursor.skip(1)
        try skipIndentation(&cursor)
        continue
      }
      if isOpeningBracket(byte) {
        try levels.place(nil, column: column, line: cursor.line)
        return try checkFlow(&cursor)
      }
      let text = try readText(&cursor)
      guard isColon(cursor) else {
        guard hasDash else {
          throw FileFault(
            line: cursor.line, "\(quoted(text)) without a key",
            expected: "a key, a colon, a space and the value on one line")
        }
        levels.awaitsValue = false
        return try endLine(&cursor)
      }
      try levels.place(.blockMap, column: column, line: cursor.line)
      try levels.add(key: text, line: cursor.line)
      cursor.skip(1)
      return try checkValue(&cursor)
    }
  }

  /// The rest of a line after a key and its colon.
  private mutating func checkValue(_ cursor: inout LineCursor) throws(FileFault) {
    cursor.skipBlanks()
    guard let byte = cursor.byte, byte != UInt8(ascii: "#") else { return }
    if isOpeningBracket(byte) { return try checkFlow(&cursor) }
    if byte == UInt8(ascii: "-"), cursor.isBlank(ahead: 1) {
      throw FileFault(
        line: cursor.line, "a dash on the line of a key", expected: "each dash on a line of its own"
      )
    }
    let text = try readText(&cursor)
    if isColon(cursor) { throw secondKey(text, cursor) }
    levels.awaitsValue = false
    try endLine(&cursor)
  }

  private func endLine(_ cursor: inout LineCursor) throws(FileFault) {
    cursor.skipBlanks()
    guard let byte = cursor.byte, byte != UInt8(ascii: "#") else { return }
    throw FileFault(
      line: cursor.line, "text after the end of a value",
      expected: "a comment or the end of the line")
  }

  private func skipIndentation(_ cursor: inout LineCursor) throws(FileFault) {
    cursor.skipSpaces()
    guard cursor.byte == UInt8(ascii: "\t") else { return }
    throw FileFault(
      line: cursor.line, "a tab in the indentation", expected: "spaces alone")
  }

  // MARK: Brackets

  /// The rest of a line in brackets, and what follows them.
  private mutating func checkFlow(_ cursor: inout LineCursor) throws(FileFault) {
    cursor.skipBlanks()
    while let byte = cursor.byte, byte != UInt8(ascii: "#") {
      switch byte {
      case UInt8(ascii: ","):
        try levels.endFlowItem(line: cursor.line)
        cursor.skip(1)
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        try levels.closeFlow(byte)
        cursor.skip(1)
        if !levels.inFlow { return try endLine(&cursor) }
      default:
        guard levels.awaitsValue || !levels.inFlow else {
          throw levels.missingComma(line: cursor.line)
        }
        if isOpeningBracket(byte) {
          try levels.openFlow(byte, column: cursor.column, line: cursor.line)
          cursor.skip(1)
        } else {
          try checkFlowText(&cursor)
        }
      }
      cursor.skipBlanks()
    }
  }

  private mutating func checkFlowText(_ cursor: inout LineCursor) throws(FileFault) {
    if cursor.byte == UInt8(ascii: "-"), cursor.isBlank(ahead: 1) {
      throw FileFault(line: cursor.line, "a dash in brackets", expected: "commas between items")
    }
    let text = try readText(&cursor)
    levels.awaitsValue = false
    guard cursor.byte == UInt8(ascii: ":") else { return }
    if levels.hasFlowKey { throw secondKey(text, cursor) }
    try levels.add(key: text, line: cursor.line)
    cursor.skip(1)
  }

  // MARK: Texts

  /// The text that begins here; anything else is a fault.
  private func readText(_ cursor: inout LineCursor) throws(FileFault) -> String {
    let inFlow = levels.inFlow
    let text: String
    switch cursor.byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      text = try cursor.quotedText()
    case UInt8(ascii: "&"): throw unsupported("an anchor (&)", cursor)
    case UInt8(ascii: "*"): throw unsupported("an alias (*)", cursor)
    case UInt8(ascii: "!"): throw unsupported("a tag (!)", cursor)
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      throw unsupported("a text of several lines (| or >)", cursor)
    case UInt8(ascii: "?") where inFlow || cursor.isBlank(ahead: 1):
      throw unsupported("a complex key (?)", cursor)
    case UInt8(ascii: ":") where inFlow || cursor.isBlank(ahead: 1):
      throw FileFault(
        line: cursor.line, "a colon without a key before it", expected: "key: value")
    case let byte? where ",]}@`%".utf8.contains(byte):
      let character = String(UnicodeScalar(byte))
      throw FileFault(
        line: cursor.line, "a text that begins with \(character)", expected: "quotes round it")
    default:
      text = try cursor.plainText(inFlow: inFlow)
    }
    cursor.skipBlanks()
    return text
  }

  private func isColon(_ cursor: LineCursor) -> Bool {
    cursor.byte == UInt8(ascii: ":") && cursor.isBlank(ahead: 1)
  }

  private func isOpeningBracket(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
  }

  // MARK: Faults

  private func unsupported(_ what: String, _ cursor: LineCursor) -> FileFault {
    FileFault(
      line: cursor.line, what, expected: "plain keys and values, or quotes round a text")
  }

  private func secondDocument(_ cursor: LineCursor) -> FileFault {
    FileFault(line: cursor.line, "a second document", expected: "one document in each file")
  }

  private func secondKey(_ text: String, _ cursor: LineCursor) -> FileFault {
    FileFault(
      line: cursor.line, "the key \(quoted(text)) on the line of another key",
      expected: "a line for each key, and quotes round a text with a colon in it")
  }
}
