import CueEngine
import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

/// What is said of a workout that somebody stops, and of a set that ends with a tempo.
struct StoppedTests {
  private static let workout = Workout(
    "Sets", sets: 4, [Phase(.low, .fixed(.seconds(30))), Phase(.high, .fixed(.seconds(30)))])

  private static func run(
    _ workout: Workout = workout, density: Density = .normal, script: [ScriptStep]
  ) throws -> PlannedRun {
    PlannedRun(
      try Timeline(workout), script: script, sounds: SoundPack(rate: 8_000),
      speech: SpeechLibrary(
        ScriptedSpeech(), converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 }),
      style: LaneStyle(density: density))
  }

  @Test func itIsToldHowFarItCameAfterTheFade() throws {
    let run = try Self.run(script: [.command(.stop, at: .seconds(130))])
    let words = try #require(run.cues.last)
    #expect(words.kind == "stopped")
    #expect(words.text == "Stopped after 2 minutes 10 seconds: 2 sets")
    #expect(words.outcome == .played)
    #expect(words.due - PlannedRun.start == .milliseconds(130_600))
    #expect(run.ends == ["Sets": .stopped])
  }

  @Test func aCommandEndsTheWords() throws {
    let run = try Self.run(script: [
      .command(.stop, at: .seconds(130)), .command(.whereAmI, at: .seconds(131)),
    ])
    #expect(run.cues.last?.kind == "stopped")
    #expect(run.cues.last?.outcome == .withdrawn)
  }

  @Test(arguments: [(5, Density.normal), (130, .counts), (130, .quiet)])
  func nothingIsSaidOfWhatHasHardlyBegunAndWhereLittleIsSaid(
    seconds: Int, density: Density
  ) throws {
    let run = try Self.run(density: density, script: [.command(.stop, at: .seconds(seconds))])
    #expect(!run.cues.contains { $0.kind == "stopped" })
  }

  @Test func aTempoKeepsItsSecondsAtTheEndOfASet() throws {
    var work = Phase(.work, .fixed(.seconds(8)), name: "Squats")
    work.remarks = (0..<8).map {
      Remark(Template(plain: String($0 % 4 + 1)), at: .fromStart(.seconds($0)))
    }
    let workout = Workout(
      name: "Tempo",
      blocks: [
        Block(
          sets: 2, steps: [.init(work), .init(Phase(.rest, .fixed(.seconds(20))))].reversed())
      ])
    let run = try Self.run(workout, script: [])
    let texts = run.cues.filter { $0.kind == "text" }
    #expect(
      texts.map { ($0.due - PlannedRun.start).components.seconds } == Array(20..<28)
        + Array(48..<56))
    #expect(texts.allSatisfy { $0.outcome == .played })
    #expect(!run.cues.contains { $0.kind == "set-completion" })
    let complete = run.cues.filter { $0.kind == "set-complete" }
    #expect(complete.map(\.text) == ["Set 1 complete"])
    #expect(complete.map { $0.due - PlannedRun.start } == [.milliseconds(28_700)])
    #expect(run.cues.contains { $0.kind == "set-end" && $0.due - PlannedRun.start == .seconds(28) })
  }

  @Test func aTempoThatWasSkippedCompletesNoSet() throws {
    var work = Phase(.work, .fixed(.seconds(8)), name: "Squats")
    work.remarks = (0..<8).map {
      Remark(Template(plain: "Down"), at: .fromStart(.seconds($0)))
    }
    let workout = Workout("Tempo", sets: 2, [work])
    let run = try Self.run(workout, script: [.command(.next, at: .seconds(3))])
    #expect(!run.heard.contains { $0.kind == "set-complete" })
  }

  /// Beside somebody else's tempo, half a second later.
  @Test func wordsOfATempoAreOnTheirSecondOrNotSaid() throws {
    var work = Phase(.work, .fixed(.seconds(30)), name: "Squats")
    work.remarks = (0..<30).map {
      Remark(Template(plain: "Down \($0)"), at: .fromStart(.seconds($0)))
    }
    let timeline = try Timeline(Workout("Tempo", [work]))
    let run = try PlannedRun(
      [PlannedRun.Entrant("anna", timeline), PlannedRun.Entrant("ben", timeline)],
      script: [.command(.start, at: .milliseconds(500), lane: "ben")],
      sounds: SoundPack(rate: 8_000),
      speech: SpeechLibrary(
        ScriptedSpeech(), converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 }))
    let texts = run.heard.filter { $0.kind == "text" }
    #expect(texts.count > 20)
    #expect(
      texts.allSatisfy { text in
        text.planned.map { abs($0.duration(to: text.due) / .milliseconds(1)) <= 250 } ?? true
      })
  }
}
