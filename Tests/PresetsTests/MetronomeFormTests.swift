import IntervalTimeline
import TestSupport
import Testing

@testable import Presets

@Suite struct MetronomeFormTests {
  private static func phase(_ metronome: String, length: String = "4m") throws -> Phase {
    let text =
      "name: A\nblocks:\n  - phases:\n      - work: \(length)\n        metronome: \(metronome)\n"
    return try PresetFile.parse(Array(text.utf8), file: "a.yaml").blocks[0].steps[0].phase
  }

  @Test(arguments: [
    ("90", Metronome(.steady(90))), ("{cadence: 90.5}", Metronome(.steady(90.5))),
    ("{rate: 24, ratio: 1:2}", Metronome(.steady(24), stroke: .ratio(1, 2))),
    ("{rate: 18 to 30, ratio: auto}", Metronome(.ramp(18, 30), stroke: .auto)),
    ("{every: 1.15s, accent: 4}", Metronome(.every(.milliseconds(1150)), accent: 4)),
    ("{rate: 60, subdivide: 2}", Metronome(.steady(60), subdivision: 2)),
    ("18 to 30", Metronome(.ramp(18, 30))),
  ])
  func aMetronomeIsReadAndWritten(text: String, metronome: Metronome) throws {
    let phase = try Self.phase(text)
    #expect(phase.metronome == metronome)
    let written = PresetWriter.text(
      of: Workout("A", [phase]))
    let read = try PresetFile.parse(Array(written.utf8), file: "a.yaml")
    #expect(read.blocks[0].steps[0].phase == phase, "\(written)")
  }

  @Test(arguments: [
    ("fast", "metronome is \"fast\", expected 1 to 240 beats a minute"),
    ("0", "metronome is \"0\", expected 1 to 240 beats"), ("nan", "expected 1 to 240 beats"),
    ("0x10", "expected 1 to 240 beats"), ("{rate: 60, ratio: 0x1:2}", "expected two numbers"),
    ("{}", "a.yaml:5: "), ("{accent: 4}", "a metronome without a rate, expected one of rate"),
    ("{rate: 60, every: 1s}", "rate and every in one metronome, expected one of rate"),
    ("{rate: 60, ratio: 1-2}", "ratio is \"1-2\", expected two numbers from 0.1 to 10"),
    ("{rate: 60, ratio: 1:2, subdivide: 2}", "ratio and subdivide in one metronome"),
    (
      "{rate: 200, subdivide: 4}",
      "with too many ticks: each beat has those of subdivide, or two with a ratio, expected at most 480"
    ),
    ("{every: 0.1s}", "a.yaml:5: every is \"0.1s\", expected 0.25s to 1m"),
    ("{every: 2m}", "a.yaml:5: every is \"2m\", expected 0.25s to 1m"),
    ("{rate: 60, accent: 1}", "accent is \"1\", expected a whole number from 2 to 16"),
    ("{beat: 60}", "unknown key \"beat\" in a metronome"),
  ])
  func aMistakeIsOneLine(text: String, says: String) {
    let error = #expect(throws: FileError.self) { try Self.phase(text) }
    #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
    #expect(error?.description.hasPrefix("a.yaml:5: ") == true)
  }

  @Test func aRampNeedsALength() {
    let error = #expect(throws: FileError.self) {
      try Self.phase("18 to 30", length: "{until: next}")
    }
    #expect(error?.description.contains("nobody knows the length") == true)
  }
}
