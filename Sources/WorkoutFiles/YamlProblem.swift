import CYaml

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
        expected: "a key, a colon, a space and the value on one line")
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
          mark, "text after the end of a value", expected: "a comment or the end of the line")
      }
      return character(at: mark) == ":"
        ? at(mark, "a colon without a key before it", expected: "key: value")
        : Self.indentation(line: line(of: mark), of: lines)
    case "block sequence entries are not allowed in this context":
      return at(
        mark, "a dash on the line of a key", expected: "each dash on a line of its own")
    case "did not find expected node content":
      switch character(at: mark) {
      case ",": return at(mark, "a comma without a value before it", expected: "a value")
      case "-": return at(mark, "a dash in brackets", expected: "commas between items")
      case let character?:
        return at(mark, "a text that begins with \(character)", expected: "quotes round it")
      case nil: return at(mark, "an end without a value before it", expected: "a value")
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
      // On a later line, a missing closing bracket is more likely.
      return mark.line == start.line && !isClosed
        ? at(mark, "two values without a comma", expected: "a comma or a closing bracket")
        : Self.unclosedBracket(isMap: problem.hasSuffix("'}'"), line: line(of: start))
    case "found unexpected ':'":
      return at(mark, "a colon without a space after it", expected: "{key: value}")
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      return at(
        mark, escaped(problem), expected: "a known escape after the \\, or single quotes")
    case "did not find expected <document start>":
      return at(mark, "a second document", expected: "one document in each file")
    default: return at(mark, escaped(problem), expected: "YAML as in Documentation/presets.md")
    }
  }

  // MARK: Faults that are found in what libyaml reads, too

  /// A line that fits none above it.
  static func indentation(line: Int, of lines: [ArraySlice<UInt8>]) -> FileFault {
    let text = lines[min(line, lines.count) - 1].drop { $0 == UInt8(ascii: " ") }
    if text.first == UInt8(ascii: "\t") { return tab(line: line) }
    return FileFault(
      line: line, "indentation that fits no line above",
      expected: "the keys of one map, and the dashes of one list, in one column")
  }

  private static func tab(line: Int) -> FileFault {
    FileFault(line: line, "a tab in the indentation", expected: "spaces alone")
  }

  static func unclosedBracket(isMap: Bool, line: Int) -> FileFault {
    FileFault(
      line: line, "\(isMap ? "{" : "[") without its closing bracket", expected: isMap ? "}" : "]")
  }

  static func unclosedQuote(_ mark: Unicode.Scalar, line: Int) -> FileFault {
    FileFault(
      line: line, "quoted text without its closing \(mark)",
      expected: "quoted text to end on the line on which it begins")
  }

  // MARK: Places

  private func at(_ mark: yaml_mark_t, _ what: String, expected: String) -> FileFault {
    FileFault(line: line(of: mark), what, expected: expected)
  }

  /// From 1. To libyaml the end of a file is a line of its own.
  private func line(of mark: yaml_mark_t) -> Int { min(Int(mark.line) + 1, lines.count) }

  private func text(of mark: yaml_mark_t) -> String {
    String(decoding: lines[line(of: mark) - 1], as: UTF8.self)
  }

  /// What is on its line before it. Columns count scalars.
  private func before(_ mark: yaml_mark_t) -> Substring.UnicodeScalarView {
    Substring(text(of: mark)).unicodeScalars.prefix(Int(mark.column))
  }

  /// Nil at the end of a line.
  private func character(at mark: yaml_mark_t) -> Unicode.Scalar? {
    text(of: mark).unicodeScalars.dropFirst(Int(mark.column)).first
  }
}
