import Testing

@testable import cuecoach

/// The result of a program: its status and output.
struct Outcome: Sendable {
  enum Status: Equatable, Sendable {
    case exited(Int32)
    /// Killed by a signal.
    case killed(Int32)

    /// - Parameter wait: the status of waitpid(2).
    init(wait: Int32) {
      let signal = wait & 0x7F
      self = signal == 0 ? .exited(wait >> 8 & 0xFF) : .killed(signal)
    }
  }

  let status: Status
  let output: String
  let errors: String

  /// - Parameters:
  ///   - output: its output; notices about a slow or busy machine are removed from both streams.
  init(status: Status, output: String, errors: String) {
    self.status = status
    self.output = Self.undisturbed(output)
    self.errors = Self.undisturbed(errors)
  }

  /// Removes notices about a slow or busy machine, which no test is about.
  static func undisturbed(_ text: String) -> String {
    guard text.contains("cuecoach: ") else { return text }
    return BusyNotice.all.reduce(text) { text, notice in
      // On a line of its own, and wrapped for a terminal of the usual width.
      let line = "cuecoach: \(notice)"
      return [[line], Columns.paragraph(line, to: 80)].reduce(text) { text, rows in
        ["\r\n", "\n"].reduce(text) { text, end in
          text.replacing(rows.map { $0 + end }.joined(), with: "")
        }
      }
    }
  }

  var lines: [String] { Self.lines(of: output) }
  var errorLines: [String] { Self.lines(of: errors) }

  /// The lines of a text, including empty ones and an unfinished one.
  private static func lines(of text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.last == "" ? lines.dropLast() : lines
  }

  /// Expects that it ended with this code.
  @discardableResult
  func expect(_ code: Int32, at place: SourceLocation = #_sourceLocation) -> Outcome {
    #expect(status == .exited(code), "\(errors)", sourceLocation: place)
    return self
  }

  /// Expects that it succeeded without a warning.
  @discardableResult
  func expectSuccess(at place: SourceLocation = #_sourceLocation) -> Outcome {
    #expect(errors == "", sourceLocation: place)
    return expect(0, at: place)
  }

  /// Expects that it succeeded without a word.
  @discardableResult
  func expectSilentSuccess(at place: SourceLocation = #_sourceLocation) -> Outcome {
    #expect(output == "", sourceLocation: place)
    return expectSuccess(at: place)
  }

  /// Expects that it ended with this code and one line of errors, and printed nothing else.
  ///
  /// - Parameter says: what the line has in it.
  @discardableResult
  func expectOneLine(
    _ code: Int32, _ says: String = "", at place: SourceLocation = #_sourceLocation
  ) -> Outcome {
    #expect(output == "", sourceLocation: place)
    #expect(errorLines.count == 1, "\(errors)", sourceLocation: place)
    #expect(says.isEmpty || errors.contains(says), "\(errors)", sourceLocation: place)
    return expect(code, at: place)
  }
}
