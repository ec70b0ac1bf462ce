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

  var lines: [String] { Self.lines(of: output) }
  var errorLines: [String] { Self.lines(of: errors) }

  /// The text's lines, an empty one and an unfinished one included.
  private static func lines(of text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.last == "" ? lines.dropLast() : lines
  }
}
