import TestSupport
import Testing

@testable import CueEngine

/// Shared helpers for tests of announcements.
protocol AnnouncementChecks: WorkoutScript {}

extension AnnouncementChecks {
  typealias Words = (range: Range<Int64>, text: String)

  /// Every word that was heard, with its start and end.
  func words(_ run: TestRun) -> [Words] {
    let sounds = ["transition", "countdown", "signal"]
    var words: [Words] = []
    // A number may be a beep.
    for cue in run.cues
    where !sounds.contains(cue.kind) && cue.reason?.contains("beeps") != true {
      for part in cue.parts where part.onset != nil {
        let whole = Int64(run.length(part.text)) * 1_000_000
        // Spoken faster: at most a quarter.
        let length = cue.reason?.contains("faster") == true ? whole * 4 / 5 : whole
        words.append((part.due.nanoseconds..<(part.due.nanoseconds + length), part.text))
      }
    }
    return words.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// - Parameter begin: ignores words that began earlier, which a command may have cut off.
  func expectNoOverlap(_ run: TestRun, from begin: BootInstant? = nil) {
    let words = words(run).filter { $0.range.lowerBound >= begin?.nanoseconds ?? .min }
    #expect(!words.isEmpty)
    for (first, second) in zip(words, words.dropFirst()) {
      #expect(
        first.range.upperBound <= second.range.lowerBound,
        "\(first.text) and \(second.text) at \(second.range.lowerBound)")
    }
  }
}
