/// Why a preset or the configuration cannot be used.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file as the person named it.
  public let file: String
  /// The line from 1; nil where the fault has no line, as with a file that cannot be read.
  public let line: Int?
  /// What is wrong.
  public let problem: String
  /// What was expected instead.
  public let expected: String

  init(_ fault: FileFault, file: String) {
    self.file = file
    line = fault.line
    problem = fault.problem
    expected = fault.expected
  }

  /// `file:line: problem, expected …`, or `file: problem, expected …`; always one line.
  public var description: String {
    let place = line.map { ":\($0)" } ?? ""
    return "\(escaped(file))\(place): \(problem), expected \(expected)"
  }
}

/// A fault in a file whose name is not known where it is found.
struct FileFault: Error, Hashable {
  var line: Int?
  var problem: String
  var expected: String

  init(line: Int?, _ problem: String, expected: String) {
    self.line = line
    self.problem = problem
    self.expected = expected
  }
}

/// The most characters of a person's text that a message repeats.
private let greatestQuote = 40

/// A person's text for a message: in quotation marks, on one line, shortened.
func quoted(_ text: String) -> String {
  // Counted in scalars: one character may hold any number of combining marks.
  let scalars = text.unicodeScalars
  let start = String(String.UnicodeScalarView(scalars.prefix(greatestQuote)))
  let isWhole = scalars.dropFirst(greatestQuote).isEmpty
  return "\"\(escaped(start))\(isWhole ? "" : "…")\""
}

/// `text` with everything escaped that would break a line, move a cursor or turn the writing round.
func escaped(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if scalar.isPrintable {
      result.append(scalar)
    } else {
      let code = String(scalar.value, radix: 16, uppercase: true)
      result.append(contentsOf: "\\u{\(code)}".unicodeScalars)
    }
  }
  return String(result)
}

extension Unicode.Scalar {
  /// False for what would break a line, move a cursor or turn the direction of the writing.
  var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .unassigned: false
    // Emoji are joined with it.
    case .format: self == "\u{200D}"
    default: true
    }
  }
}
