import IntervalTimeline
import Presets

/// A preset from the answers to a few questions: sets of an effort and a rest.
struct PresetDraft {
  /// Why an answer is not taken: what is wrong, and what was expected.
  struct Refusal: Error {
    let message: String
  }

  enum Question: CaseIterable {
    case name, sets, effort, rest, prepare

    var text: String {
      switch self {
      case .name: "What is the workout called?"
      case .sets: "How many sets?"
      case .effort: "How long is the effort of each set? A length such as 40s or 1m30s, or 12 reps"
      case .rest:
        "How long is the rest after it? A length, none, or next: it lasts until n is pressed"
      case .prepare: "How long to get ready before the first set? A length, or none"
      }
    }
  }

  private var name = "Workout"
  private var sets = 8
  private var effort = "30s"
  private var rest: String? = "30s"
  private var prepare: String? = "10s"

  /// What Enter alone answers; nil for nothing.
  func usual(_ question: Question) -> String? {
    switch question {
    case .name: nil
    case .sets: "\(sets)"
    case .effort: effort
    case .rest: rest
    case .prepare: prepare
    }
  }

  /// Takes an answer; with the usual answers to what is still to be asked, the preset is right.
  mutating func take(_ answer: String, to question: Question) throws(Refusal) {
    var changed = self
    switch question {
    case .name:
      guard NameRule.workout.allows(answer) else {
        throw Refusal(message: "expected \(NameRule.workout.expected)")
      }
      changed.name = answer
    case .sets:
      guard let count = Int(answer) else {
        throw Refusal(message: "\(answer.quotedName) is no number of sets, expected 1 to 10000")
      }
      changed.sets = count
    case .effort: changed.effort = try Self.length(answer, takesReps: true)
    case .rest: changed.rest = Self.isNone(answer) ? nil : try Self.length(answer, takesNext: true)
    case .prepare: changed.prepare = Self.isNone(answer) ? nil : try Self.length(answer)
    }
    // In all it has limits, too.
    do throws(FileError) {
      _ = try PresetFile.parse(Array(changed.text.utf8), file: "preset")
    } catch {
      throw Refusal(message: "\(error.problem), expected \(error.expected)")
    }
    self = changed
  }

  private static func isNone(_ answer: String) -> Bool {
    ["0", "0s", "none", "no", "-"].contains(answer.lowercased())
  }

  /// As a preset has it.
  private static func length(
    _ answer: String, takesReps: Bool = false, takesNext: Bool = false
  ) throws(Refusal) -> String {
    let words = answer.lowercased().split(separator: " ")
    if takesNext, words == ["next"] { return "{until: next}" }
    if takesReps, words.count == 2, ["rep", "reps"].contains(words[1]), let reps = Int(words[0]) {
      return "{reps: \(reps)}"
    }
    do throws(LengthFault) {
      _ = try LengthText.duration(of: answer)
      return answer
    } catch {
      throw Refusal(
        message: "\(answer.quotedName) \(error.problem), expected \(error.expected)")
    }
  }

  /// The file, with comments that help to edit it.
  var text: String {
    var lines = [
      "# Written by cuecoach new. Change what you like, then let cuecoach check find mistakes.",
      "name: \(PresetWriter.singleQuoted(name))", "blocks:",
    ]
    if let prepare {
      lines += ["  - phases:", Self.line("      - prepare: \(prepare)", "its end is counted down")]
    }
    lines += [
      Self.line("  - sets: \(sets)", "each ends with \"Set 1 completing in 3, 2, 1, 0\""),
      "    phases:",
      Self.line("      - work: \(effort)", "a length, or {reps: 12}: so many are counted"),
      Self.line("#        name: Squats", "what it is called; take the # away"),
      Self.line("#        say: Breathe", "and what is said in it"),
    ]
    if let rest {
      lines.append(Self.line("      - rest: \(rest)", "a length, or {until: next}: n ends it"))
      if sets > 1 { lines.append(Self.line("        last: skip", "none after the last set")) }
    }
    lines += [
      "#  - phases:", Self.line("#      - cooldown: 5m", "a last phase; take each # away"),
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ text: String, _ comment: String) -> String {
    text + String(repeating: " ", count: max(2, 32 - text.count)) + "# \(comment)"
  }

  /// The workout's name as the name of a file, by which `run` finds it: "Rows 6 x 250 m" is "rows-6-x-250-m".
  var fileName: String { Self.fileName(of: name) }

  static func fileName(of name: String) -> String {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    let joined = words.joined(separator: "-")
    let short = String(String.UnicodeScalarView(joined.unicodeScalars.prefix(40)))
    return short.isEmpty ? "workout" : short
  }
}
