import Presets
import TestSupport
import Testing

/// An invalid preset, and the message about it.
struct BadPreset: Sendable {
  let yaml: String
  let message: String

  init(_ yaml: String, _ message: String) {
    self.yaml = yaml
    self.message = message
  }

  /// A flat preset with these lines from line 5 on.
  static func flat(_ lines: String, _ message: String) -> BadPreset {
    BadPreset("name: A\nsets: 2\nlow: 30s\nhigh: 30s\n\(lines)\n", "a.yaml:5: \(message)")
  }

  /// A flat preset with this number of sets, on line 2.
  static func sets(_ value: String, _ found: String) -> BadPreset {
    BadPreset(
      "name: A\nsets: \(value)\nlow: 30s\nhigh: 30s\n",
      "a.yaml:2: sets is \(found), expected a whole number from 1 to 10000")
  }

  /// A general preset whose only block has these phases from line 5 on.
  static func phases(_ lines: String, _ message: String) -> BadPreset {
    BadPreset("name: A\nblocks:\n  - sets: 2\n    phases:\n\(lines)\n", "a.yaml:\(message)")
  }

  static let bothForms =
    "expected name, sets, low and high (the flat form) or name and blocks (the general form)"
  static let signals =
    "expected next, or the name of a signal: at most 40 of a-z, 0-9 and hyphens, from a letter"
  static let lengths = "expected a length such as 90, 90s, 1m30s, 1:30, 2h or 0.5s"
}

/// The message of what `read` throws; nil if it throws nothing.
func complaint<Result>(_ read: () throws(FileError) -> Result) -> String? {
  failure(FileError.self) { _ = try read() }?.description
}

/// The parser's message about `bytes`, which every language has; nil if they are valid.
func message(_ bytes: [UInt8], _ variant: WorkoutVariant = WorkoutVariant()) -> String? {
  let error = failure(FileError.self) {
    _ = try PresetFile.parse(bytes, file: "a.yaml", variant: variant)
  }
  if let error { #expect(Translated.missing(error.sentence) == []) }
  return error?.description
}

func message(_ yaml: String, _ variant: WorkoutVariant = WorkoutVariant()) -> String? {
  message(Array(yaml.utf8), variant)
}
