import CueEngine
import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

/// Rules that the declarations' documentation states with an example.
@Suite struct DocumentedRulesTests {
  private static let sounds = SoundPack(rate: 8_000)

  /// - Parameter lengths: of texts, in milliseconds; 300 ms where it has none.
  private static func run(
    _ workouts: Workout..., script: [ScriptStep] = [], style: LaneStyle = LaneStyle(),
    lengths: [String: Int] = [:]
  ) throws -> PlannedRun {
    let words = SpeechLibrary(
      ScriptedSpeech { lengths[$0] ?? 300 }, converter: RepeatedSamples(), rate: 8_000)
    return try PlannedRun(
      workouts.map { PlannedRun.Entrant($0.name, try Timeline($0), style: style) }, script: script,
      sounds: sounds, speech: words)
  }

  private static func rows(
    _ name: String = "Rows", seconds: Int = 20, remarks: [Remark] = []
  ) -> Workout {
    let row = Phase(.work, .fixed(.seconds(seconds)), remarks: remarks)
    return Workout(name, sets: 2, [row])
  }

  private static var silentCompletion: LaneStyle {
    var style = LaneStyle()
    style.phrases.phrases[.setCompletion] = Phrase([])
    return style
  }

  @Test func anEmptyPhraseLeavesTheNumbersOfACount() throws {
    let counts = try Self.run(Self.rows(), style: Self.silentCompletion).heard
      .filter { $0.kind == "set-completion" }
    #expect(counts.map { $0.parts.map(\.text) } == [["3", "2", "1", "0"], ["3", "2", "1", "0"]])
    #expect(counts.allSatisfy { $0.outcome == .played })
    let named = try Self.run(
      Self.rows("anna"), Self.rows("ben", seconds: 45), style: Self.silentCompletion)
    let parts = try #require(named.heard.first { $0.kind == "set-completion" }).parts
    #expect(parts.map(\.text) == ["anna", "3", "2", "1", "0"])
  }

  @Test func aTextIsSaidEarlierWhereItWouldReachIntoACount() throws {
    // The count's first number is 3 s before the end.
    let remark = Remark("Long", at: .beforeEnd(.seconds(4)))
    let run = try Self.run(
      Self.rows(remarks: [remark]), style: Self.silentCompletion, lengths: ["Long": 1_300])
    let text = try #require(run.heard.first { $0.kind == "text" })
    #expect(text.onset.map { $0 - PlannedRun.start } == .milliseconds(16_000 - 400))
    let alone = Remark("Long", at: .beforeEnd(.seconds(8)))
    let untouched = try Self.run(
      Self.rows(remarks: [alone]), style: Self.silentCompletion, lengths: ["Long": 1_300])
    let other = try #require(untouched.heard.first { $0.kind == "text" })
    #expect(other.onset.map { $0 - PlannedRun.start } == .seconds(12))
  }

  @Test func theEngineReadsNothingOfAWorkoutsStyle() throws {
    var workout = Self.rows()
    workout.style = AnnouncementStyle(density: .quiet, countdown: 5)
    let run = try Self.run(workout)
    let counts = run.heard.filter { $0.kind == "set-completion" }
    #expect(counts.first?.parts.map(\.text).suffix(4) == ["3", "2", "1", "0"])
    // The style of the lane replaces the density of the settings too.
    var settings = CueEngine.Settings()
    settings.plan.density = .quiet
    let planned = PlannedRun(try Timeline(Self.rows()), sounds: Self.sounds, settings: settings)
    #expect(planned.cues.contains { $0.kind == "set-completion" })
  }

  @Test func aSignalOfAnyOtherNameHasNoEffect() throws {
    let rest = Phase(.rest, .open(.signal("ready"), OpenBounds(atMost: .seconds(60))))
    let workout = Workout("Rests", [rest])
    let run = try Self.run(
      workout,
      script: [
        .signal("Unknown Name", at: .seconds(5)), .signal("other", at: .seconds(6)),
        .signal("ready", at: .seconds(7)),
      ])
    #expect(run.answers == [.noEffect(.running), .noEffect(.running), .done])
  }

  @Test func theTextOfASoundIsWhatItStandsFor() throws {
    let rest = Phase(.rest, .fixed(.seconds(10)))
    let row = Phase(.work, .fixed(.seconds(20)))
    let workout = Workout(
      name: "Rows", blocks: [Block(sets: 1, steps: [.init(row)]), Block(steps: [.init(rest)])])
    let run = try Self.run(
      workout,
      script: [.command(.pause, at: .seconds(5)), .command(.resume, at: .seconds(15))],
      style: LaneStyle(density: .quiet, acknowledged: [.pause, .resume]))
    let sounds = run.heard.map { "\($0.kind) \($0.text)" }
    #expect(
      sounds.filter { !$0.hasPrefix("acknowledgement") } == [
        "transition Work", "signal pause", "signal resume", "countdown 3", "countdown 2",
        "countdown 1", "set-end Set end", "transition Rest", "countdown 3", "countdown 2",
        "countdown 1", "transition Finish",
      ])
  }
}
