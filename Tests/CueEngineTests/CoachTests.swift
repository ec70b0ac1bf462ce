import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

struct CoachTests {
  private static let twoSets = Workout.sets(2, [(.low, 10), (.high, 10)])

  /// The first audible frame after `seconds`, from the beginning of the test.
  private func onset(_ run: TestRun, after seconds: Double) -> Int? {
    let from = Int(seconds * 48_000)
    return run.output.samples[from...].firstIndex { $0 != 0 }
  }

  @Test func everyCueOfPeakRushIsHeardOnItsFrame() throws {
    let run = try TestRun(.sets(12, [(.low, 30), (.high, 30)]), rate: 48_000)
    run.play(.seconds(725))
    #expect(run.cues.allSatisfy { $0.outcome == .played })
    for cue in run.cues {
      for part in cue.parts {
        let onset = try #require(part.onset)
        // Half a frame.
        #expect(abs(onset.nanoseconds - part.due.nanoseconds) <= 10_417)
        let frame = run.output.frame(at: part.due)
        #expect(run.output.samples[frame..<(frame + 4)].contains { $0 != 0 })
      }
    }
    #expect(run.ledger.contains(.finish(lane: "anna", at: run.begin + .seconds(720))))
    let sets = run.cues.filter { $0.kind == "set-completion" }
    #expect(sets.compactMap(\.set) == Array(1...12))
    for cue in sets {
      #expect(cue.text == "Set \(cue.set!) completing in 3, 2, 1, 0")
      #expect(cue.parts.last?.text == "0")
      #expect(cue.parts.last?.due == run.begin + .seconds(60 * cue.set!))
    }
  }

  @Test func beepsSoundAtTheirFramesAndNothingBetweenThem() throws {
    let run = try TestRun(
      .sets(nil, [(.prepare, 10)]), speech: ScriptedSpeech { _ in 0 }, rate: 48_000)
    run.play(.seconds(9))
    #expect(onset(run, after: 0) ?? .max <= 2)
    #expect(onset(run, after: 1)! - 7 * 48_000 <= 2)
    #expect(onset(run, after: 1)! >= 7 * 48_000)
    #expect(onset(run, after: 7.5)! - 8 * 48_000 <= 2)
  }

  @Test func pauseSilencesWithinTheFadeAndResumePlacesTheRest() throws {
    let run = try TestRun(Self.twoSets, rate: 48_000)
    run.play(.milliseconds(8_500))
    run.send(.pause, then: .seconds(10))
    let silent = run.output.samples[(8_510 * 48)..<(18_500 * 48)]
    #expect(silent.allSatisfy { $0 == 0 })
    run.send(.resume, then: .seconds(3))
    let played = run.cues.filter { $0.outcome == .played }.map {
      "\($0.kind) \(run.seconds($0.due))"
    }
    #expect(
      played == [
        "transition 0.000", "countdown 7.000", "countdown 8.000", "countdown 19.000",
        "transition 20.000",
      ])
    #expect(run.cues.filter { $0.outcome == .withdrawn }.map(\.text) == ["1"])
  }

  @Test func theSetThatIsSpokenIsTheLiveOne() throws {
    let run = try TestRun(.sets(4, [(.low, 20), (.high, 20)]))
    run.play(.seconds(34))
    // Set 1 is about to be announced when `next` leads to the second phase of set 2.
    run.send(.next)
    run.send(.next, then: .seconds(21))
    let cue = try #require(run.cues.last { $0.kind == "set-completion" && $0.outcome == .played })
    #expect(cue.text.hasPrefix("Set 2 completing in"))
    #expect(cue.set == 2)
    #expect(!run.cues.contains { $0.outcome == .played && $0.text.contains("Set 1") })
  }

  @Test func aWithdrawnAnnouncementComesAgainWhenItIsDueAgain() throws {
    let run = try TestRun(Self.twoSets)
    run.play(.milliseconds(14_200))
    run.send(.pause, then: .seconds(1))
    run.send(.resume, then: .seconds(7))
    let announcements = run.cues.filter { $0.kind == "set-completion" }
    #expect(announcements.map(\.outcome) == [.withdrawn, .played])
    #expect(announcements.last?.parts.count == 5)
  }

  @Test func anAnnouncementCutByAPauseContinuesWithTheRemainingNumbers() throws {
    let run = try TestRun(Self.twoSets)
    run.play(.milliseconds(17_600))
    run.send(.pause, then: .seconds(1))
    run.send(.resume, then: .seconds(4))
    let announcements = run.cues.filter { $0.kind == "set-completion" }
    #expect(announcements.map(\.outcome) == [.withdrawn, .shortened])
    #expect(
      announcements[0].parts.filter { $0.onset != nil }.map(\.text) == ["Set 1 completing in", "3"])
    #expect(announcements[1].parts.map(\.text) == ["2", "1", "0"])
    #expect(announcements[1].parts.map { run.seconds($0.due) } == ["19.000", "20.000", "21.000"])
  }

  @Test func aStallRecordsWhatPassedOnceAndSaysThePosition() throws {
    let run = try TestRun(.sets(12, [(.low, 30), (.high, 30)]))
    run.play(.seconds(20))
    run.stall(.seconds(103))
    run.run(.seconds(20))
    let missed = run.cues.filter { $0.outcome == .missed }
    #expect(missed.count == Set(missed.map { "\($0.due)\($0.kind)" }).count)
    #expect(missed.allSatisfy { $0.due >= run.begin + .seconds(20) })
    #expect(missed.allSatisfy { $0.due < run.begin + .seconds(123) })
    let place = try #require(run.cues.first { $0.kind == "position" })
    #expect(place.text == "Set 3 of 12, Low, 27 seconds left")
    #expect(place.outcome == .played)
    // No burst: at most one cue begins in any half second after the stall.
    let after = run.cues.filter { $0.onset != nil && $0.due > run.begin + .milliseconds(122_900) }
    for (first, second) in zip(after, after.dropFirst()) {
      #expect(first.due.duration(to: second.due) >= .milliseconds(250))
    }
  }

  @Test(arguments: [(10_400, ["finish"]), (12_000, ["finish", "position"])])
  func aStallAcrossTheEndSaysOnceThatItIsOver(_ stall: Int, _ kinds: [String]) throws {
    let run = try TestRun(.sets(2, [(.low, 10)]))
    run.play(.seconds(10))
    run.stall(.milliseconds(stall))
    run.run(.seconds(4))
    let words = run.cues.filter { $0.text.hasPrefix("Workout complete") }
    #expect(words.map(\.kind) == kinds)
    #expect(words.filter { $0.onset != nil }.count == 1)
  }

  @Test func aStallWithinAPhaseSaysThePositionOfEachWorkout() throws {
    let run = try TestRun([
      ("anna", .sets(2, [(.low, 60), (.high, 60)])), ("ben", .sets(2, [(.low, 60), (.high, 60)])),
    ])
    run.play(.milliseconds(10_300), lanes: 2)
    run.send(.pause, lane: 1, then: .seconds(4))
    run.clock.advance(by: .seconds(8))
    run.output.advance(to: run.clock.now)
    run.coach.check(at: run.clock.now, after: .seconds(8))
    run.run(.seconds(6))
    // Nothing was missed, so only the length of the stall is a reason to say it.
    let places = run.cues.filter { $0.kind == "position" }
    #expect(places.map(\.text) == ["anna: Set 1 of 2, Low, 38 seconds left"])
    #expect(places.map(\.outcome) == [.played])
    #expect(run.events.contains { if case .stalled(.seconds(8)) = $0 { true } else { false } })
  }

  @Test func aStallOfHoursIsLikeAnyOther() throws {
    let run = try TestRun(.sets(20, [(.low, 600), (.high, 600)]))
    run.play(.seconds(20))
    run.stall(.seconds(4 * 3600))
    run.run(.seconds(5))
    let missed = run.cues.filter { $0.outcome == .missed }
    #expect(missed.count == Set(missed.map { "\($0.due) \($0.kind)" }).count)
    #expect(run.cues.first { $0.kind == "position" }?.text.hasPrefix("Set 13 of 20, Low") == true)
    #expect(
      run.status.elapsed
        == .seconds(4 * 3600 + 25))
  }

  @Test(arguments: 1...5) func raggedChecksAreHeardAsEvenOnesAre(_ seed: UInt64) throws {
    let workout = Workout.sets(3, [(.low, 7), (.high, 5), (.recovery, 11)])
    let even = try TestRun(workout, rate: 48_000)
    even.play(.seconds(80))
    let ragged = try TestRun(workout, rate: 48_000)
    ragged.send(.start)
    var state = seed
    while ragged.clock.now < even.clock.now {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let left = ragged.clock.now.duration(to: even.clock.now)
      let step = min(left, .milliseconds(100 + Int(state >> 33) % 800))
      ragged.run(step, every: step)
    }
    #expect(ragged.trace == even.trace)
    #expect(ragged.output.samples == even.output.samples)
  }

  @Test func aPausedAnnouncementKeepsTheNumberItWasNotedWith() throws {
    let run = try TestRun(Self.twoSets)
    run.play(.milliseconds(17_600))
    run.send(.pause, then: .seconds(1))
    run.send(.resume, then: .seconds(30))
    for cue in run.cues where cue.kind == "set-completion" { #expect(cue.set == cue.scheduledSet) }
  }

  @Test func phasesShorterThanACheckAreEachReported() throws {
    let run = try TestRun(
      Workout(
        "Short",
        ["A", "B", "C", "D", "E"].map { Phase(.low, .fixed(.milliseconds(200)), name: $0) }))
    run.play(.seconds(3))
    let told = run.events.compactMap {
      if case .phaseBegan(let status) = $0 { status.label } else { nil }
    }
    #expect(told == ["A", "B", "C", "D", "E"])
  }

  @Test func aCommandThatWaitedBehindACheckDoesNotTurnTimeBack() throws {
    let run = try TestRun(Self.twoSets)
    run.send(.start)
    run.run(.milliseconds(10_100), every: .milliseconds(10_100))
    run.send(.next, at: run.begin + .milliseconds(9_999))
    let ends = run.ledger.compactMap { event -> String? in
      if case .phase(_, _, let label, _, let outcome) = event { "\(label) \(outcome)" } else { nil }
    }
    #expect(ends == ["Low done", "High skipped"])
  }

  @Test func aLostDeviceIsInTheLedgerAndReported() throws {
    let run = try TestRun(Self.twoSets)
    let error = SoundOutputError(kind: .gone, device: "default", detail: "")
    run.lose(error)
    #expect(run.ledger == [.deviceLost(at: run.begin, reason: "gone")])
    guard case .deviceLost(error)? = run.events.last else { throw Unexpected("not told") }
  }

  @Test func aLongNameIsShortenedAndThenLeftOut() throws {
    var workout = Workout.sets(nil, [(.rest, 10), (.high, 40)])
    workout.blocks[0].steps[1].phase.name = "Hill"
    // The full wording would reach past the end of the rest, the short one not.
    let speech = ScriptedSpeech {
      $0.contains("seconds") ? 12_000 : $0.contains("Hill") ? 5_000 : 300
    }
    let run = try TestRun(workout, speech: speech)
    run.play(.seconds(12))
    let next = try #require(run.cues.first { $0.kind == "next" })
    #expect(next.outcome == .shortened)
    #expect(next.text == "Next: Hill")

    let longer = try TestRun(workout, speech: ScriptedSpeech { _ in 12_000 })
    longer.play(.seconds(12))
    let dropped = try #require(longer.cues.first { $0.kind == "next" })
    #expect(dropped.outcome == .dropped)
    #expect(dropped.onset == nil && dropped.reason != nil)
  }

  @Test func withoutAVoiceTheBeepsStillPlay() throws {
    let run = try TestRun(Self.twoSets, speech: ScriptedSpeech { _ in 0 })
    run.play(.seconds(45))
    let ends = run.cues.filter { $0.kind == "set-completion" }
    // Beeps replace the numbers, so that no set ends unannounced.
    #expect(ends.map(\.outcome) == [.shortened, .shortened])
    #expect(ends.map { $0.parts.map { run.seconds($0.due) } }[0] == ["17.000", "18.000", "19.000"])
    #expect(ends.allSatisfy { $0.parts.allSatisfy { $0.onset != nil } })
    #expect(run.cues.filter { $0.kind == "transition" }.allSatisfy { $0.outcome == .played })
    #expect(run.coach.isRunning == false)
  }

  @Test func aLostDeviceMakesCuesMissedAndTheWorkoutContinues() throws {
    let run = try TestRun(Self.twoSets)
    run.play(.seconds(5))
    run.output.audience = .lost
    run.run(.seconds(7))
    run.output.audience = .heard
    run.run(.seconds(40))
    let lost = run.cues.filter { $0.outcome == .missed }
    #expect(lost.map { run.seconds($0.due) } == ["7.000", "8.000", "9.000", "10.000"])
    #expect(lost.allSatisfy { $0.onset == nil })
    #expect(run.ledger.contains(.finish(lane: "anna", at: run.begin + .seconds(40))))
  }

  @Test func hoursPassWithoutACueLostOrDoubled() throws {
    let run = try TestRun(.sets(60, [(.low, 30), (.high, 30)]))
    run.play(.seconds(3605))
    #expect(run.cues.count == 60 * 5 + 60 + 2)
    #expect(run.cues.allSatisfy { $0.outcome == .played })
  }
}
