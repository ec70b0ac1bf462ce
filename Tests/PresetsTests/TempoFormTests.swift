import IntervalTimeline
import TestSupport
import Testing

@testable import Presets

/// A tempo that is heard as tones.
@Suite struct TempoFormTests {
  private func phase(_ length: String) throws -> Phase {
    let text = "name: A\nblocks:\n  - phases:\n      - work: \(length)\n"
    return try PresetFile.parse(Array(text.utf8), file: "a.yaml").blocks[0].steps[0].phase
  }

  @Test(arguments: [
    (
      "{reps: 10, tempo: 4-7-8-0, count: no, glide: up}", Glides([4, 7, 8, 0], risesFirst: true),
      190
    ),
    ("{reps: 3, tempo: 3-1-1-0, count: no}", Glides([3, 1, 1, 0]), 15),
    ("{reps: 1, tempo: 0-0-60-0, count: no, glide: down}", Glides([0, 0, 60, 0]), 60),
  ])
  func tonesAreReadAndWritten(length: String, glides: Glides, seconds: Int) throws {
    let phase = try phase(length)
    #expect(phase.glides == glides && phase.length == .fixed(.seconds(seconds)))
    #expect(phase.remarks.isEmpty)
    let written = PresetWriter.text(
      of: Workout("A", [phase]))
    let read = try PresetFile.parse(Array(written.utf8), file: "a.yaml")
    #expect(read.blocks[0].steps[0].phase == phase, "\(written)")
  }

  @Test func aCountedTempoHasNoTones() throws {
    #expect(try phase("{reps: 2, tempo: 3-1-1-0}").glides == nil)
    #expect(try phase("{reps: 2, tempo: 3-1-1-0, count: aloud}").remarks.count == 10)
  }

  @Test(arguments: [
    ("{reps: 2, tempo: 3-1-1-0, count: never}", "count is \"never\", expected aloud or no"),
    (
      "{reps: 2, tempo: 3-1-1-0, count: no, parts: [A, B, C, D]}",
      "unknown key \"parts\" in a tempo with count: no"
    ),
    ("{reps: 2, tempo: 3-1-1-0, glide: up}", "unknown key \"glide\""),
    ("{reps: 2, tempo: 3-1-1-0, count: no, glide: sideways}", "expected down or up"),
    (
      "{reps: 2, tempo: 0-5-0-5, count: no}",
      "a.yaml:4: a tempo with count: no in which nothing moves"
    ),
    ("{reps: 2, tempo: 3-1-1, count: no}", "expected four numbers of seconds from 0 to 60"),
    ("{reps: 10000, tempo: 60-60-60-60, count: no}", "24"),
  ])
  func mistakesAreOneLine(length: String, expected: String) {
    let text = "name: A\nblocks:\n  - phases:\n      - work: \(length)\n"
    let message: String
    do {
      let workout = try PresetFile.parse(Array(text.utf8), file: "a.yaml")
      message = (try? Timeline(workout)) == nil ? "24" : "none"
    } catch { message = "\(error)" }
    #expect(message.contains(expected) && !message.contains("\n"), "\(message)")
  }
}
