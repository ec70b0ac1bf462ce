import IntervalTimeline
import Presets

/// The lengths of other programs' files.
enum ForeignLength {
  /// Above zero and at most 24 h, rounded to milliseconds.
  ///
  /// - Parameter what: what it is the length of, for messages, such as "Duration".
  static func phase(
    _ seconds: Double, _ what: Sentence, line: Int?
  ) throws(FileFault) -> Duration {
    let limit = 24.0 * 3600
    guard seconds.isFinite, seconds > 0, seconds <= limit else {
      throw noPhase(what, shown(seconds), line)
    }
    return max(.milliseconds(1), .milliseconds(Int64((seconds * 1000).rounded())))
  }

  /// The same from a text.
  static func phase(
    _ text: String, _ what: Sentence, line: Int?
  ) throws(FileFault) -> Duration {
    guard let seconds = decimal(text) else { throw noPhase(what, quoted(text), line) }
    return try phase(seconds, what, line: line)
  }

  static func noPhase(_ what: Sentence, _ found: String, _ line: Int?) -> FileFault {
    FileFault(line: line, "\(what) is \(found)", expected: "seconds above zero, at most 24 h")
  }

  /// How many times something is repeated: 1 to 10 000.
  static func repetitions(
    _ text: String, _ what: Sentence, line: Int?
  ) throws(FileFault) -> Int {
    guard let count = Int(text.trimmed), (1...PresetLimits.count).contains(count) else {
      throw FileFault(
        line: line, "\(what) is \(quoted(text))",
        expected: "a whole number from 1 to \(PresetLimits.count)")
    }
    return count
  }

  /// A distance is a phase that lasts until `next`, and its name says it: "400 m Run".
  static func name(metres: Double, _ name: String?) -> String {
    "\(Intensity.text(of: metres)) m" + (name.map { " \($0)" } ?? "")
  }

  /// A number for a message, however large it is.
  static func shown(_ number: Double) -> String {
    if number.magnitude < 1e9 { return Intensity.text(of: number) }
    return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
