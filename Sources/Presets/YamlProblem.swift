import CYaml
import IntervalTimeline

/// What libyaml could not read, in words for people who write presets.
struct YamlProblem {
  private let problem: String
  private let mark: yaml_mark_t
  /// Where the construct begins in which it lies.
  private let start: yaml_mark_t
  private let lines: [ArraySlice<UInt8>]

  init(_ parser: yaml_parser_t, _ lines: [ArraySlice<UInt8>]) {
    problem = parser.problem.map { String(cString: $0) } ?? ""
    mark = parser.problem_mark
    start = parser.context == nil ? parser.problem_mark : parser.context_mark
    self.lines = lines
  }

  var fault: FileFault {
    switch problem {
    case "could not find expected ':'":
      return at(
        start, "\(quoted(String(text(of: start).trimmed))) without a key",
        expected: Self.keyAndValue)
    case "mapping values are not allowed in this context" where before(mark).count > 1024:
      return at(mark, "a key that is too long", expected: "at most 1024 characters")
    case "mapping values are not allowed in this context":
      guard before(mark).contains(":") else {
        return Self.indentation(line: line(of: mark), of: lines)
      }
      return at(
        mark, "a key on the line of another key",
        expected: "a line for each key, and quotes round a text with a colon in it")
    case "did not find expected key", "did not find expected '-' indicator":
      if before(mark).contains(where: { $0 != " " }) {
        return at(
          mark, "text after the end of a value",
          expected: "a comment, the end of the line, or quotes round the whole text")
      }
      if character(at: mark) == ":" {
        return at(mark, "a colon without a key before it", expected: "key: value")
      }
      return Self.continuation(line: line(of: mark), of: lines)
    case "block sequence entries are not allowed in this context":
      return at(
        mark, "a dash on the line of a key", expected: "each dash on a line of its own")
    case "did not find expected node content":
      switch character(at: mark) {
      case ",": return at(mark, "a comma without a value before it", expected: "a value")
      case "-": return at(mark, "a dash in brackets", expected: "commas between items")
      case let character?:
        return at(mark, "a text that begins with \(character)", expected: "quotes round it")
      case nil:
        return FileFault(
          line: previousLine(of: mark), "a bracket that is not closed",
          expected: "its closing bracket; a # begins a comment")
      }
    case "did not find expected alphabetic or numeric character":
      return YamlTree.unsupported(
        character(at: start) == "*" ? "an alias (*)" : "an anchor (&)", line: line(of: start))
    case "found a tab character that violates indentation": return Self.tab(line: line(of: mark))
    case "found character that cannot start any token":
      guard let character = character(at: mark), character != "\t" else {
        return Self.tab(line: line(of: mark))
      }
      return at(mark, "a text that begins with \(character)", expected: "quotes round it")
    case "found unexpected end of stream", "found unexpected document indicator":
      return Self.unclosedQuote(character(at: start) ?? "'", line: line(of: start))
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      let isClosed = character(at: mark).map { "]}".unicodeScalars.contains($0) } ?? true
      let isMap = problem.hasSuffix("'}'")
      guard mark.line != start.line else {
        return isClosed
          ? Self.unclosedBracket(isMap: isMap, line: line(of: start))
          : at(
            mark, "two values without a comma",
            expected: "a comma, a closing bracket, or quotes round a text")
      }
      return Self.missingComma(
        inMap: isMap, from: line(of: start), line: previousLine(of: mark), of: lines)
    case "found unexpected ':'":
      return at(mark, "a colon without a space after it", expected: "{key: value}")
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      return at(
        mark, Sentence(stringLiteral: problem),
        expected: "a known escape after the \\, or single quotes")
    case "did not find expected <document start>":
      guard lines.prefix(line(of: mark) - 1).contains(where: { $0.starts(with: "...".utf8) }) else {
        return Self.indentation(line: line(of: mark), of: lines)
      }
      return at(mark, "a second document", expected: "one document in each file")
    case "did not find expected comment or line break",
      "mapping keys are not allowed in this context":
      // The mark stands at it, or behind it.
      let read = text(of: mark).unicodeScalars.prefix(Int(mark.column) + 1)
      let first = read.last { "|>?".unicodeScalars.contains($0) } ?? "|"
      return at(mark, "a text that begins with \(first)", expected: "quotes round it")
    default:
      return at(
        mark, Sentence(verbatim: escaped(problem)), expected: "YAML as in Documentation/presets.md")
    }
  }

  // MARK: Faults that are found in what libyaml reads, too

  /// A line that fits none above it.
  static func indentation(line: Int, of lines: [ArraySlice<UInt8>]) -> FileFault {
    let text = lines[min(line, lines.count) - 1].drop { $0 == UInt8(ascii: " ") }
    if text.first == UInt8(ascii: "\t") { return tab(line: line) }
    if hasKey(content(of: text)), let fault = keyless(above: line, of: lines) { return fault }
    return FileFault(
      line: line, "indentation that fits no line above",
      expected: "the keys of one map, and the dashes of one list, in one column")
  }

  /// The line above that one, where it is to blame: it has no key to which those below it could belong.
  private static func keyless(above line: Int, of lines: [ArraySlice<UInt8>]) -> FileFault? {
    let above = lines.prefix(line - 1).lastIndex { !content(of: $0).isEmpty }
    guard let above else { return nil }
    var item = Substring(content(of: lines[above]))
    while item.hasPrefix("- ") { item = item.drop { $0 == "-" || $0 == " " } }
    guard let first = item.first, !"\"'[{".contains(first) else { return nil }
    if first == "-", item != "-" {
      return FileFault(
        line: above + 1, "\(quoted(String(item))) has no space after its dash",
        expected: "a dash, a space and the item")
    }
    guard !hasKey(String(item)) else { return nil }
    return FileFault(
      line: above + 1, "\(quoted(String(item))) without a key", expected: Self.keyAndValue)
  }

  private static let keyAndValue: Sentence = "a key, a colon, a space and the value on one line"

  /// A line without its comment and the spaces round it.
  static func content(of line: ArraySlice<UInt8>) -> String {
    let text = String(decoding: line, as: UTF8.self)
    guard !text.trimmed.hasPrefix("#") else { return "" }
    let end = text.firstRange(of: " #")?.lowerBound ?? text.endIndex
    return String(text[..<end].trimmed)
  }

  private static func hasKey(_ content: String) -> Bool {
    content.contains(": ") || content.hasSuffix(":")
  }

  private static func tab(line: Int) -> FileFault {
    FileFault(line: line, "a tab in the indentation", expected: "spaces alone")
  }

  /// An indented line that continues the text above it.
  static func continuation(line: Int, of lines: [ArraySlice<UInt8>]) -> FileFault {
    let text = content(of: lines[min(line, lines.count) - 1])
    guard !hasKey(text), !text.hasPrefix("-"), !text.hasPrefix("\t") else {
      return indentation(line: line, of: lines)
    }
    return FileFault(
      line: line, "\(quoted(text)) continues the text above it",
      expected: "each text on one line, or a key before it")
  }

  /// A line in brackets that ends without a comma: the brackets are closed further down, or nowhere.
  static func missingComma(
    inMap isMap: Bool, from start: Int, line: Int, of lines: [ArraySlice<UInt8>]
  ) -> FileFault {
    let closing = UInt8(ascii: isMap ? "}" : "]")
    guard lines[min(line, lines.count)...].contains(where: { $0.contains(closing) }) else {
      return unclosedBracket(isMap: isMap, line: start)
    }
    return FileFault(
      line: line, "a line in brackets without a comma at its end",
      expected: "a comma, or each text on one line")
  }

  static func unclosedBracket(isMap: Bool, line: Int) -> FileFault {
    FileFault(
      line: line, "\(isMap ? "{" : "[") without its closing bracket",
      expected: Sentence(verbatim: isMap ? "}" : "]"))
  }

  static func unclosedQuote(_ mark: Unicode.Scalar, line: Int) -> FileFault {
    FileFault(
      line: line, "quoted text without its closing \(mark)",
      expected: "quoted text to end on the line on which it begins")
  }

  // MARK: Places

  private func at(_ mark: yaml_mark_t, _ what: Sentence, expected: Sentence) -> FileFault {
    FileFault(line: line(of: mark), what, expected: expected)
  }

  /// From 1. To libyaml the end of a file is a line of its own.
  private func line(of mark: yaml_mark_t) -> Int { min(Int(mark.line) + 1, lines.count) }

  /// The last line with anything on it above a mark's, from 1.
  private func previousLine(of mark: yaml_mark_t) -> Int {
    (lines.prefix(Int(mark.line)).lastIndex { !Self.content(of: $0).isEmpty } ?? 0) + 1
  }

  private func text(of mark: yaml_mark_t) -> String {
    String(decoding: lines[line(of: mark) - 1], as: UTF8.self)
  }

  /// What is on its line before it. Columns count scalars.
  private func before(_ mark: yaml_mark_t) -> Substring.UnicodeScalarView {
    Substring(text(of: mark)).unicodeScalars.prefix(Int(mark.column))
  }

  /// Nil at the end of a line.
  private func character(at mark: yaml_mark_t) -> Unicode.Scalar? {
    guard Int(mark.line) < lines.count else { return nil }
    return text(of: mark).unicodeScalars.dropFirst(Int(mark.column)).first
  }
}
