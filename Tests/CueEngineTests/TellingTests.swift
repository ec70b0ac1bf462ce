import CueEngine
import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

/// What is said of a phase when there is no room for all of it, and of groups of phases.
struct TellingTests {
  private static func phase(
    _ kind: PhaseKind, _ seconds: Int, _ name: String? = nil, _ intensity: String? = nil
  ) -> Phase {
    var phase = Phase(kind, .fixed(.seconds(seconds)), name: name)
    phase.intensity = intensity
    return phase
  }

  /// What is said, without the counts and the sounds.
  private static func said(
    _ phases: [Phase], sets: Int? = nil, _ plan: (inout LaneStyle) -> Void = { _ in }
  ) throws -> [String] {
    var style = LaneStyle()
    plan(&style)
    let workout = Workout("Told", sets: sets, phases)
    let run = try PlannedRun(
      [PlannedRun.Entrant("Anna", try Timeline(workout), style: style)], script: [],
      sounds: SoundPack(rate: 8_000),
      speech: SpeechLibrary(
        ScriptedSpeech(), converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 }))
    return run.heard.filter {
      !["countdown", "transition", "set-end", "opening"].contains($0.kind)
    }
    .map { $0.text }
  }

  /// Words that end where the telling of the first phase begins would come behind it.
  @Test(arguments: [(3_890, "Told: 50 seconds"), (3_950, "50 seconds")])
  func theWorkoutIsToldBeforeItsFirstPhase(length: Int, text: String) throws {
    let timeline = try Timeline(Workout("Told", [Self.phase(.work, 30), Self.phase(.rest, 20)]))
    let speech = ScriptedSpeech { $0.hasPrefix("Told") ? length : $0.count * 60 }
    let run = PlannedRun(
      timeline, script: [], speech: SpeechLibrary(speech, converter: RepeatedSamples()))
    let told = run.heard.filter { ["opening", "begins"].contains($0.kind) }
    #expect(told.map(\.text) == [text, "Work, 30 seconds"])
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.due < $1.due })
  }

  private static let target = "115 % FTP, 90-100 rpm"

  @Test func ofTwoTargetsTheFirstIsSaidWhereBothHaveNoRoom() throws {
    let said = try Self.said([
      Self.phase(.rest, 6), Self.phase(.high, 30, "VO2 max", Self.target), Self.phase(.low, 12),
    ])
    #expect(said.contains("Next: VO2 max, 30 seconds, 115 percent"), "\(said)")
  }

  @Test func whatHadNoRoomAheadIsToldAtTheStartOfALongPhase() throws {
    let full = "VO2 max, 2 minutes, 115 percent, 90 to 100 revolutions per minute"
    let said = try Self.said([
      Self.phase(.rest, 6), Self.phase(.high, 120, "VO2 max", Self.target), Self.phase(.low, 12),
    ])
    #expect(
      said.contains("Next: VO2 max, 2 minutes, 115 percent") && said.contains(full), "\(said)")
    let roomy = try Self.said([
      Self.phase(.rest, 50), Self.phase(.high, 120, "VO2 max", Self.target), Self.phase(.low, 12),
    ])
    #expect(roomy.contains("Next: " + full) && !roomy.contains(full), "\(roomy)")
  }

  @Test func aGroupTellsTheTargetsOfItsEffortsAndMayBeginTheWorkout() throws {
    let phases = (1...4).flatMap { _ in
      [Self.phase(.high, 5, "Sprint", "200 % FTP"), Self.phase(.low, 5, nil, "50 % FTP")]
    }
    let said = try Self.said(phases + [Self.phase(.rest, 30)])
    #expect(
      said.first == "4 times: Sprint, 5 seconds, 200 percent, Low, 5 seconds", "\(said)")
  }

  @Test func whoWantsNoCountHearsThatASetIsComplete() throws {
    let said = try Self.said([Self.phase(.high, 20), Self.phase(.rest, 20)], sets: 2) {
      $0.countdown = 0
    }
    #expect(!said.contains { $0.contains("completing") }, "\(said)")
    #expect(said.contains("Set 1 complete"), "\(said)")
  }

  @Test func anEmomOfSeveralTasksHasNoHalves() throws {
    let tasks = [Self.phase(.work, 180, "Cleans"), Self.phase(.work, 180, "Press")]
    #expect(try !Self.said(tasks, sets: 3).contains("Halfway"))
    #expect(try Self.said(tasks).contains("Halfway"))
  }

  @Test func aTempoKeepsItsSecondsAfterASetThatEndsWithOne() throws {
    var tempo = Self.phase(.work, 9)
    tempo.remarks = (0..<9).map { second in
      Remark(Template(plain: "\(second % 3 + 1)"), at: .fromStart(.seconds(second)))
    }
    let said = try Self.said([tempo], sets: 3)
    #expect(said.filter { ["1", "2", "3"].contains($0) }.count == 27, "\(said)")
  }
}
