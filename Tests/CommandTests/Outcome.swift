@testable import cuecoach

/// What a program left behind when it ended.
struct Outcome: Sendable {
  enum Status: Equatable, Sendable {
    case exited(Int32)
    /// By a signal.
    case killed(Int32)

    /// - Parameter wait: as waitpid(2) tells it.
    init(wait: Int32) {
      let signal = wait & 0x7F
      self = signal == 0 ? .exited(wait >> 8 & 0xFF) : .killed(signal)
    }
  }

  let status: Status
  let output: String
  let errors: String

  /// - Parameters:
  ///   - output: what it said; what a slow or busy machine made it say is left out, here as there.
  init(status: Status, output: String, errors: String) {
    self.status = status
    self.output = Self.undisturbed(output)
    self.errors = Self.undisturbed(errors)
  }

  /// Without what a slow or busy machine makes the program say: no test is about that.
  static func undisturbed(_ text: String) -> String {
    BusyNotice.all.reduce(text) { text, notice in
      // On a line of its own, and as a terminal of the usual width has it.
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

  /// The text's lines, an empty one and an unfinished one included.
  private static func lines(of text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.last == "" ? lines.dropLast() : lines
  }
}
