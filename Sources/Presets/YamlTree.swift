import CYaml
import IntervalTimeline

/// Reads the part of YAML that cuecoach's files use: one document of maps, lists and one-line texts, with unique
/// keys and at most 64 levels. The rest is refused, for presets have no use for it. Every value stays the text that
/// was written.
package struct YamlTree {
  private static let maximumDepth = 64

  /// A list or a map that has begun.
  private struct Level {
    let line: Int
    let column: Int
    let isMap: Bool
    /// True in brackets.
    let isFlow: Bool
    var items: [YamlNode] = []
    var entries: [YamlEntry] = []
    var keyLines: [String: Int] = [:]
    /// The key whose value comes next.
    var key: (text: String, line: Int)?

    var node: YamlNode {
      YamlNode(content: isMap ? .map(entries) : .list(items), line: line, column: column)
    }
  }

  private var levels: [Level] = []
  private var root: YamlNode?
  private var hasDocument = false
  private let lines: [ArraySlice<UInt8>]

  private init(_ lines: [ArraySlice<UInt8>]) { self.lines = lines }

  /// Nil if the file is empty.
  package static func root(of bytes: [UInt8]) throws(FileFault) -> YamlNode? {
    let text = YamlText.text(of: bytes)
    let lines = try YamlText.lines(of: text)
    if let directive = lines.firstIndex(where: { $0.first == UInt8(ascii: "%") }) {
      throw unsupported("a directive (%)", line: directive + 1)
    }
    // The address of a parser must not change: it has pointers to itself.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) != 0 else {
      throw FileFault(line: nil, "no memory for the file", expected: "a smaller one")
    }
    defer { yaml_parser_delete(parser) }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    let result = text.withUnsafeBufferPointer { bytes in
      yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
      return Result { () throws(FileFault) in
        var tree = YamlTree(lines)
        while try tree.takeEvent(of: parser) {}
        return tree.root
      }
    }
    let root = try result.get()
    return root.flatMap { $0.isPlain && $0.text == "" ? nil : $0 }
  }

  /// False at the end.
  private mutating func takeEvent(
    of parser: UnsafeMutablePointer<yaml_parser_t>
  ) throws(FileFault) -> Bool {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) != 0 else {
      throw YamlProblem(parser.pointee, lines).fault
    }
    defer { yaml_event_delete(&event) }
    // To libyaml the end of a file is a line of its own.
    let line = min(Int(event.start_mark.line) + 1, lines.count)
    switch event.type {
    case YAML_STREAM_END_EVENT: return false
    case YAML_DOCUMENT_START_EVENT:
      guard !hasDocument else {
        throw FileFault(line: line, "a second document", expected: "one document in each file")
      }
      hasDocument = true
    case YAML_ALIAS_EVENT: throw Self.unsupported("an alias (*)", line: line)
    case YAML_SCALAR_EVENT: try add(text(of: event, line: line))
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      try Self.refuse(anchor: start.anchor, tag: start.tag, line: line)
      try begin(event, line, isMap: false, isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE)
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      try Self.refuse(anchor: start.anchor, tag: start.tag, line: line)
      try begin(event, line, isMap: true, isFlow: start.style == YAML_FLOW_MAPPING_STYLE)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
      if let level = levels.popLast() { try add(level.node) }
    default: break
    }
    return true
  }

  /// False for the map of one key in a list such as `[a: b]`, which has no bracket of its own.
  private func isBracket(_ level: Level) -> Bool {
    guard level.isFlow else { return false }
    let text = String(decoding: lines[level.line - 1], as: UTF8.self).unicodeScalars
    return text.dropFirst(level.column).first == (level.isMap ? "{" : "[")
  }

  private func text(of event: yaml_event_t, line: Int) throws(FileFault) -> YamlNode {
    let scalar = event.data.scalar
    try Self.refuse(anchor: scalar.anchor, tag: scalar.tag, line: line)
    guard scalar.style != YAML_LITERAL_SCALAR_STYLE, scalar.style != YAML_FOLDED_SCALAR_STYLE else {
      throw Self.unsupported("a text of several lines (| or >)", line: line)
    }
    guard event.start_mark.line == event.end_mark.line else {
      if scalar.style != YAML_PLAIN_SCALAR_STYLE {
        throw FileFault(
          line: line, "quoted text that continues on the next line",
          expected: "the closing quote on the line on which it begins")
      }
      if let level = levels.last(where: isBracket) {
        throw YamlProblem.missingComma(inMap: level.isMap, from: level.line, line: line, of: lines)
      }
      // In YAML an indented line without a key continues the text above it. Here it is a mistake.
      let next = lines[line...].firstIndex { !YamlProblem.content(of: $0).isEmpty } ?? line
      throw YamlProblem.continuation(line: next + 1, of: lines)
    }
    let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    return YamlNode(
      content: .text(String(decoding: bytes, as: UTF8.self)),
      isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, line: line,
      column: Int(event.start_mark.column))
  }

  private mutating func begin(
    _ event: yaml_event_t, _ line: Int, isMap: Bool, isFlow: Bool
  ) throws(FileFault) {
    guard levels.last.map({ !$0.isMap || $0.key != nil }) ?? true else {
      throw FileFault(line: line, "a list or map as a key", expected: "a text as the key")
    }
    guard levels.count < Self.maximumDepth else {
      throw FileFault(
        line: line, "lists and maps more than \(Self.maximumDepth) deep",
        expected: "no more than the known keys need")
    }
    levels.append(
      Level(line: line, column: Int(event.start_mark.column), isMap: isMap, isFlow: isFlow))
  }

  /// Adds a value, or a key, to the innermost level.
  private mutating func add(_ node: YamlNode) throws(FileFault) {
    guard let top = levels.indices.last else {
      root = node
      return
    }
    guard levels[top].isMap else {
      levels[top].items.append(node)
      return
    }
    if let key = levels[top].key {
      levels[top].entries.append(YamlEntry(key: key.text, line: key.line, value: node))
      levels[top].key = nil
      return
    }
    // Maps and lists as keys were refused as they began.
    let text = node.text ?? ""
    guard !text.isEmpty || !node.isPlain else {
      throw FileFault(
        line: node.line, "a colon without a key before it", expected: "key: value")
    }
    if let first = levels[top].keyLines.updateValue(node.line, forKey: text) {
      throw FileFault(
        line: node.line, "the key \(quoted(text)) is given again, first on line \(first)",
        expected: "each key once")
    }
    levels[top].key = (text, node.line)
  }

  private static func refuse(
    anchor: UnsafeMutablePointer<UInt8>?, tag: UnsafeMutablePointer<UInt8>?, line: Int
  ) throws(FileFault) {
    if anchor != nil { throw unsupported("an anchor (&)", line: line) }
    if tag != nil { throw unsupported("a tag (!)", line: line) }
  }

  static func unsupported(_ what: Sentence, line: Int) -> FileFault {
    FileFault(line: line, what, expected: "plain keys and values, or quotes round a text")
  }
}
