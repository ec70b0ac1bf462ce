import IntervalTimeline

/// Why a preset or the configuration cannot be used.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible, SaidInSentence {
  /// The file, as the user named it.
  public let file: String
  private let fault: FileFault

  /// The line from 1; nil if the fault has no line, such as an unreadable file.
  public var line: Int? { fault.line }
  /// What is wrong.
  public var problem: String { fault.problem.text }
  /// What was expected instead.
  public var expected: String { fault.expected.text }
  /// Both, without the place.
  package var mistake: Sentence { "\(fault.problem), expected \(fault.expected)" }

  package init(_ fault: FileFault, of file: String) {
    (self.file, self.fault) = (file, fault)
  }

  /// Runs `body`, whose fault is one of `file`.
  package static func naming<Result>(
    _ file: String, _ body: () throws(FileFault) -> Result
  ) throws(FileError) -> Result {
    do throws(FileFault) {
      return try body()
    } catch {
      throw FileError(error, of: file)
    }
  }

  /// `file:line: problem, expected …`, or `file: problem, expected …`; always one line.
  public var description: String { sentence.text }

  package var sentence: Sentence {
    let place = line.map { ":\($0)" } ?? ""
    return "\(escaped(file))\(place): \(mistake)"
  }
}

/// A fault in a file, found by code that does not know the file's name.
package struct FileFault: Error, Hashable {
  package var line: Int?
  package var problem: Sentence
  package var expected: Sentence

  package init(line: Int?, _ problem: Sentence, expected: Sentence) {
    self.line = line
    self.problem = problem
    self.expected = expected
  }
}

extension FileFault {
  package static func tooManyPhases(line: Int?) -> FileFault {
    FileFault(
      line: line, "more than \(Timeline.maximumPhaseCount) phases, every set counted",
      expected: "at most \(Timeline.maximumPhaseCount)")
  }

  /// - Parameter what: "set" or "time".
  static func emptyLast(_ what: Sentence, line: Int) -> FileFault {
    FileFault(
      line: line, "a last \(what) without a phase, for all have last: skip",
      expected: "at least one phase without it")
  }
}

/// The most characters of a user's text that a message quotes.
private let maximumQuote = 40

/// A user's text for a message: in quotation marks, on one line, shortened.
package func quoted(_ text: String) -> String {
  // Counted in scalars: one character may have any number of combining marks.
  let scalars = text.unicodeScalars
  let start = String(String.UnicodeScalarView(scalars.prefix(maximumQuote)))
  let isWhole = scalars.dropFirst(maximumQuote).isEmpty
  return "\"\(escaped(start))\(isWhole ? "" : "…")\""
}

/// Escapes everything that would break a line, move a cursor or change the writing direction.
package func escaped(_ text: String) -> String {
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
  /// False for scalars that break a line, move a cursor or change the writing direction.
  var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .unassigned: false
    // A no-break space looks like a space and is none.
    case .spaceSeparator: self == " "
    // The zero-width joiner of emoji.
    case .format: self == "\u{200D}"
    default: true
    }
  }
}
