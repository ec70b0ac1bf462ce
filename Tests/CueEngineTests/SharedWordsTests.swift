import CueEngine
import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

/// Several people who are told the same at one instant, and those who are told different things.
struct SharedWordsTests {
  private static func workout(
    _ name: String = "Eleven", _ phases: [(PhaseKind, String?)] = [(.low, nil), (.high, nil)],
    seconds: Int = 11, remark: String? = nil
  ) -> Workout {
    Workout(
      name: name,
      blocks: [
        Block(
          sets: 2,
          steps: phases.map { kind, name in
            var phase = Phase(kind, .fixed(.seconds(seconds)), name: name)
            if let remark {
              phase.remarks = [Remark(Template(plain: remark), at: .fromStart(.seconds(4)))]
            }
            return Block.Step(phase)
          })
      ])
  }

  private static func run(
    _ people: [(String, Workout)], _ script: [ScriptStep] = []
  ) throws -> PlannedRun {
    var style = LaneStyle()
    style.acknowledged = Set(Acknowledgement.allCases)
    return try PlannedRun(
      people.map { PlannedRun.Entrant($0.0, try Timeline($0.1), style: style) }, script: script,
      sounds: SoundPack(rate: 8_000),
      speech: SpeechLibrary(
        ScriptedSpeech(), converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 }))
  }

  private static func words(_ run: PlannedRun, _ lane: String) -> [LedgerEvent.CueEntry] {
    run.cues.filter {
      $0.lane == lane && !["countdown", "transition", "set-end"].contains($0.kind)
    }
  }

  @Test func whatIsForAllWhoRunIsSaidOnceAndNamesNobody() throws {
    let run = try Self.run([("Anna", Self.workout()), ("Ben", Self.workout())])
    let (anna, ben) = (Self.words(run, "Anna"), Self.words(run, "Ben"))
    #expect(anna.map(\.text) == ben.map(\.text))
    #expect(ben.allSatisfy { $0.outcome == .merged && $0.parts.isEmpty })
    #expect(anna.map(\.due) == ben.map(\.due))
    #expect(anna.allSatisfy { $0.onset != nil && !$0.text.contains("Anna") })
    let counts = anna.filter { $0.kind == "set-completion" }
    #expect(
      counts.map(\.text) == [
        "Set 1 completing in 3, 2, 1, 0", "Set 2 completing in 3, 2, 1, 0",
      ])
    #expect(counts.map(\.outcome) == [.played, .played])
    #expect(ben.allSatisfy { $0.reason?.hasSuffix("said with Anna") == true })
    // What was heard of it counts for both.
    #expect(run.heard.count { $0.lane == "Anna" } == run.heard.count { $0.lane == "Ben" })
  }

  @Test func namesAreSaidWhereSomebodyElseRuns() throws {
    let other = Self.workout("Other", [(.work, "Row")], seconds: 37)
    let run = try Self.run([
      ("Anna", Self.workout()), ("Ben", Self.workout()), ("Cleo", other),
    ])
    let texts = Self.words(run, "Ben").filter { $0.onset != nil }.map(\.text)
    #expect(texts.contains { $0.hasPrefix("Anna, Ben: ") })
    #expect(texts.allSatisfy { !$0.hasPrefix("Ben: ") })
    #expect(texts == Self.words(run, "Anna").filter { $0.onset != nil }.map(\.text))
  }

  @Test func whoPausesTakesNobodysWordsAway() throws {
    // Before the count of the first set is said, but after it was handed over.
    let run = try Self.run(
      [("Anna", Self.workout()), ("Ben", Self.workout())],
      [
        .command(.pause, at: .seconds(17), lane: "Anna"),
        .command(.stop, at: .seconds(60), lane: "Anna"),
      ])
    let ben = Self.words(run, "Ben").filter { $0.kind == "set-completion" }
    let counts = ben.filter { $0.outcome != .withdrawn }
    #expect(counts.count == 2)
    #expect(counts.allSatisfy { $0.parts.suffix(4).map(\.text) == ["3", "2", "1", "0"] })
    #expect(counts.allSatisfy { count in count.parts.allSatisfy { $0.onset != nil } })
    #expect(ben.last?.parts.count == 5)
    let anna = Self.words(run, "Anna").filter { $0.kind == "set-completion" }
    #expect(anna.allSatisfy { $0.outcome == .withdrawn })
  }

  @Test func whatHasBegunIsHeardToItsEndByTheOther() throws {
    // During the numbers.
    let run = try Self.run(
      [("Anna", Self.workout()), ("Ben", Self.workout())],
      [
        .command(.pause, at: .milliseconds(20_200), lane: "Anna"),
        .command(.stop, at: .seconds(60), lane: "Anna"),
      ])
    let count = try #require(Self.words(run, "Ben").first { $0.kind == "set-completion" })
    #expect(count.outcome == .merged)
    let words = try #require(
      Self.words(run, "Anna").first { $0.kind == "set-completion" && $0.outcome == .played })
    #expect(words.parts.map(\.text) == ["Set 1 completing in", "3", "2", "1", "0"])
    #expect(words.parts.allSatisfy { $0.onset != nil })
  }

  @Test func whatNobodyWantsAnyMoreIsWithdrawn() throws {
    let run = try Self.run(
      [("Anna", Self.workout()), ("Ben", Self.workout())],
      [.command(.pause, at: .milliseconds(20_200)), .command(.stop, at: .seconds(60))])
    for name in ["Anna", "Ben"] {
      let count = try #require(Self.words(run, name).first { $0.kind == "set-completion" })
      #expect(count.outcome == .withdrawn, "\(name)")
    }
  }

  /// What one leaves to the other is withdrawn where the same command is for both.
  @Test(arguments: [Command.pause, .stop, .next])
  func aCommandForAllLeavesNothingOfTheFormerPhase(command: Command) throws {
    // "Next" is handed over and has not begun.
    let run = try Self.run(
      [("Anna", Self.workout(seconds: 13)), ("Ben", Self.workout(seconds: 13))],
      [.command(command, at: .milliseconds(18_200)), .command(.stop, at: .seconds(60))])
    let after = run.heard.filter {
      $0.due > PlannedRun.start + .milliseconds(18_200)
        && $0.due < PlannedRun.start + .seconds(22)
    }
    #expect(!after.contains { $0.kind == "next" && $0.phase == 1 })
    // The answer is one for both.
    let answers = after.filter { ["acknowledgement", "stopped"].contains($0.kind) }
    #expect(answers.map(\.outcome) == [.played, .merged], "\(answers.map(\.text))")
  }

  @Test(arguments: [2, 3, 5], [false, true])
  func differentWordsAtOneInstantTakeTurns(count: Int, hasPause: Bool) throws {
    // Longer than there is room for twice.
    let long =
      "this text is so long that only one of two such texts is said before the phase is over"
    let phases: [(PhaseKind, String?)] = [(.work, "A"), (.work, "B"), (.work, "C"), (.work, "D")]
    let people = ["Anna", "Ben", "Cleo", "Dora", "Eve"].prefix(count).map { name in
      (name, Self.workout("W", phases, seconds: 11, remark: "\(name) \(long)"))
    }
    let pause: [ScriptStep] = [
      .command(.pause, at: .seconds(29)), .command(.resume, at: .seconds(36)),
    ]
    let run = try Self.run(people, hasPause ? pause : [])
    // What is left of a phase after the pause is too short for any of them: that is lost to nobody.
    let lost = people.map { name, _ in
      Self.words(run, name).count { text in
        text.kind == "text" && text.onset == nil
          && (!hasPause || text.reason == "no room before what follows")
      }
    }
    #expect(lost.reduce(0, +) > 2)
    #expect((lost.max() ?? 0) - (lost.min() ?? 0) <= 1, "\(lost)")
  }

  @Test func whoseWordsAreShortenedTakesTurnsToo() throws {
    // Both have room in 9 s only if one of them is shorter.
    func workout(_ kind: String) -> Workout {
      var efforts = (1...6).flatMap { number in
        let name = "\(kind) with the heavy weights held in both hands, number \(number)"
        return [
          Phase(.high, .fixed(.seconds(30)), name: name), Phase(.low, .fixed(.seconds(30))),
        ]
      }
      efforts.insert(Phase(.prepare, .fixed(.seconds(30))), at: 0)
      return Workout("W", efforts)
    }
    let run = try Self.run([("Anna", workout("Squats")), ("Ben", workout("Rowing"))])
    let cut = ["Anna", "Ben"].map { name in
      Self.words(run, name).count {
        $0.kind == "next" && $0.outcome != .played && $0.outcome != .merged
      }
    }
    #expect(cut.reduce(0, +) > 3, "\(cut)")
    #expect(abs(cut[0] - cut[1]) <= 1, "\(cut)")
  }

  @Test func whoStartsLaterTakesNobodysNumbers() throws {
    // The count of Ben comes a little before that of Anna, who was there first.
    let anna = Self.workout("Anna's", seconds: 20)
    let ben = Workout(
      "Ben's", sets: 2, [19_950, 20_000].map { Phase(.low, .fixed(.milliseconds($0))) })
    let run = try Self.run([("Anna", anna), ("Ben", ben)])
    let count = try #require(Self.words(run, "Anna").first { $0.kind == "set-completion" })
    #expect(count.parts.suffix(4).map(\.text) == ["3", "2", "1", "0"], "\(count)")
    let other = try #require(Self.words(run, "Ben").first { $0.kind == "set-completion" })
    #expect(other.reason?.contains("beeps") == true, "\(other)")
    #expect(count.reason?.contains("beeps") != true, "\(count)")
  }
}
