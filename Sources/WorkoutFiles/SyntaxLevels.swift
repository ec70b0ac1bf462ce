/// The lists and maps that are open at a position in a file, the outermost first.
struct SyntaxLevels {
  enum Kind { case blockList, blockMap, flowList, flowMap }

  private struct Level {
    let kind: Kind
    let column: Int
    let line: Int
    /// The lines of a map's keys.
    var keyLines: [String: Int] = [:]
  }

  private let maximumDepth: Int
  private var levels: [Level] = []
  /// True if a value may come next: at the start, and after a key, a dash, a bracket or a comma.
  var awaitsValue = true
  /// True after the colon of a pair in brackets.
  private(set) var hasFlowKey = false

  init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

  var inFlow: Bool { levels.last.map { $0.kind == .flowList || $0.kind == .flowMap } ?? false }

  /// Finds or opens the level of a key or dash at `column` of a line; `kind` is nil for brackets.
  mutating func place(_ kind: Kind?, column: Int, line: Int) throws(FileFault) {
    while let level = levels.last,
      // The dashes of a list may be in the same column as its key.
      level.column > column
        || (kind == .blockMap && level.kind == .blockList && level.column == column)
    {
      levels.removeLast()
      // A key or dash of that level that had no value is empty.
      awaitsValue = false
    }
    let outer = levels.last
    if let kind, let outer, outer.kind == kind, outer.column == column {
      awaitsValue = true
      return
    }
    let isInside = column > (outer?.column ?? -1)
    let isListOfKey = kind == .blockList && outer?.kind == .blockMap && outer?.column == column
    guard awaitsValue, isInside || isListOfKey else {
      throw FileFault(
        line: line, "indentation that fits no line above",
        expected: "the keys of one map, and the dashes of one list, in one column")
    }
    if let kind { try push(Level(kind: kind, column: column, line: line)) }
  }

  /// Opens the level of `bracket`.
  mutating func openFlow(_ bracket: UInt8, column: Int, line: Int) throws(FileFault) {
    if levels.last?.kind == .flowMap, !hasFlowKey {
      throw FileFault(line: line, "a list or map as a key", expected: "a text as the key")
    }
    let kind = bracket == UInt8(ascii: "{") ? Kind.flowMap : .flowList
    try push(Level(kind: kind, column: column, line: line))
    awaitsValue = true
    hasFlowKey = false
  }

  mutating func closeFlow(_ bracket: UInt8) throws(FileFault) {
    let kind = bracket == UInt8(ascii: "}") ? Kind.flowMap : .flowList
    guard let level = levels.last, level.kind == kind else { throw unclosed() }
    levels.removeLast()
    awaitsValue = false
    // No key may follow before the next comma.
    hasFlowKey = true
  }

  mutating func endFlowItem(line: Int) throws(FileFault) {
    if awaitsValue, !hasFlowKey {
      throw FileFault(line: line, "a comma without a value before it", expected: "a value")
    }
    awaitsValue = true
    hasFlowKey = false
  }

  /// Records a key of the innermost map; a pair in a list's brackets is a map of its own.
  mutating func add(key: String, line: Int) throws(FileFault) {
    awaitsValue = true
    hasFlowKey = true
    // Escapes would hide a duplicate key.
    guard !key.utf8.contains(UInt8(ascii: "\\")) else {
      throw FileFault(line: line, "an escape in the key \(quoted(key))", expected: "a plain key")
    }
    guard let top = levels.indices.last, levels[top].kind != .flowList else { return }
    if let first = levels[top].keyLines.updateValue(line, forKey: key) {
      throw FileFault(
        line: line, "the key \(quoted(key)) is given again, first on line \(first)",
        expected: "each key once")
    }
  }

  /// The fault of a value that follows another in brackets.
  func missingComma(line: Int) -> FileFault {
    // On a later line, a missing closing bracket is more likely.
    guard levels.last?.line == line else { return unclosed() }
    return FileFault(
      line: line, "two values without a comma", expected: "a comma or a closing bracket")
  }

  /// The fault of the brackets that are open.
  func unclosed() -> FileFault {
    let isMap = levels.last?.kind == .flowMap
    return FileFault(
      line: levels.last?.line, "\(isMap ? "{" : "[") without its closing bracket",
      expected: isMap ? "}" : "]")
  }

  private mutating func push(_ level: Level) throws(FileFault) {
    guard levels.count < maximumDepth else {
      throw FileFault(
        line: level.line, "lists and maps more than \(maximumDepth) deep",
        expected: "no more than the known keys need")
    }
    levels.append(level)
  }
}
