import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// Lanes that come and go while others run.
@Suite struct ComingLanesTests {
  private static let short = Workout.sets(1, [(.low, 8), (.high, 8)])
  private static let long = Workout.sets(1, [(.low, 60), (.high, 60)])

  @Test func aNameIsTakenUntilItsLaneHasEnded() throws {
    let run = try TestRun([("anna", Self.short)])
    let timeline = try Timeline(Self.short)
    #expect(throws: LaneError.nameTaken("anna")) {
      try run.coach.addLane("anna", timeline: timeline, style: LaneStyle())
    }
    run.play(.seconds(10))
    #expect(throws: LaneError.nameTaken("anna")) {
      try run.coach.addLane("anna", timeline: timeline, style: LaneStyle())
    }
    run.run(.seconds(20))
    run.add("anna", Self.short)
    #expect(run.coach.lanes.ids == [run.lanes[1]])
  }

  @Test func aLaneThatHasEndedIsGoneAndItsLastStateWasReported() throws {
    let run = try TestRun([("anna", Self.short), ("ben", Self.long)])
    run.play(.seconds(30), lanes: 2)
    #expect(run.coach.lanes.ids == [run.lanes[1]])
    let ends = run.events.compactMap { event -> (LaneStatus, SessionRecord)? in
      if case .ended(let status, let kept) = event { (status, kept) } else { nil }
    }
    #expect(ends.map(\.0.name) == ["anna"])
    #expect(ends.first?.0.state == .finished)
    #expect(ends.first?.1.anchors.state == .finished)
    #expect(
      ends.first?.1.cues.played == run.cues.count { $0.lane == "anna" && $0.outcome == .played })
  }

  @Test func anAnswerHasTheLanesThatObeyed() throws {
    let run = try TestRun([("anna", Self.short), ("ben", Self.long)])
    let (anna, ben) = (run.lanes[0], run.lanes[1])
    func obeyed(_ command: Command, _ lanes: LaneID...) -> [String] {
      run.coach.handle(command, lanes: lanes, at: run.clock.now).lanes.map {
        "\($0.name) \($0.state.rawValue)"
      }
    }
    #expect(obeyed(.pause, anna, ben) == [])
    #expect(obeyed(.start, anna, ben) == ["anna running", "ben running"])
    #expect(obeyed(.pause, ben) == ["ben paused"])
    #expect(obeyed(.pause, anna, ben) == ["anna paused"])
    #expect(obeyed(.resume, anna, ben, anna) == ["anna running", "ben running"])
    #expect(obeyed(.stop, ben) == ["ben stopped"])
  }

  @Test func commandsAreAnswered() throws {
    let run = try TestRun([("anna", Self.short), ("ben", Self.long)])
    let (anna, ben) = (run.lanes[0], run.lanes[1])
    func send(_ command: Command, _ lanes: LaneID...) -> CommandAnswer {
      run.coach.handle(command, lanes: lanes, at: run.clock.now).answer
    }
    #expect(send(.pause, anna) == .noEffect(.ready))
    #expect(send(.start, anna, ben) == .done)
    #expect(send(.start, anna) == .noEffect(.running))
    #expect(send(.resume, anna, ben) == .noEffect(.running))
    #expect(send(.pause, ben) == .done)
    #expect(send(.pause, anna, ben) == .done)
    #expect(send(.resume, anna, ben) == .done)
    run.run(.seconds(30))
    #expect(send(.pause, anna) == .unknownLane)
    #expect(send(.pause, anna, ben) == .done)
    #expect(send(.stop, ben) == .done)
    run.run(.seconds(1))
    #expect(send(.stop) == .noLane)
  }

  @Test func aLaneThatNeverBeganLeavesByStop() throws {
    let run = try TestRun([("anna", Self.short)])
    #expect(run.coach.handle(.stop, lane: run.lanes[0], at: run.clock.now) == .done)
    #expect(run.coach.lanes.count == 0)
    #expect(run.ledger.isEmpty)
    guard case .ended(let status, _)? = run.events.last else {
      throw Unexpected("the end was not reported")
    }
    #expect(status.state == .ready)
  }

  /// Names are said while several lanes exist, even if they did not exist from the start.
  @Test func namesAreSaidOnlyWhileThereAreSeveral() throws {
    let run = try TestRun([("anna", .sets(6, [(.low, 20), (.high, 20)]))])
    run.play(.seconds(75))
    run.add("ben", Self.short)
    run.send(.start, lane: 1, then: .seconds(100))
    let words = run.cues.filter {
      $0.lane == "anna" && ["next", "set-completion"].contains($0.kind) && $0.outcome != .dropped
    }
    let ben = try #require(run.cues.last { $0.lane == "ben" })
    for cue in words {
      let isBeside = cue.due > run.begin + .seconds(77) && cue.due < run.begin + .seconds(88)
      let isAlone = cue.due < run.begin + .seconds(73) || cue.due > ben.due + .seconds(4)
      if isBeside { #expect(cue.text.hasPrefix("anna"), "\(run.seconds(cue.due)) \(cue.text)") }
      if isAlone { #expect(!cue.text.hasPrefix("anna"), "\(run.seconds(cue.due)) \(cue.text)") }
    }
    #expect(words.contains { $0.text.hasPrefix("anna") })
    #expect(words.contains { !$0.text.hasPrefix("anna") && $0.due > ben.due })
  }

  @Test func hundredsOfWorkoutsLeaveNothingBehind() throws {
    let run = try TestRun([("lane 0", .sets(1, [(.work, 2)]))])
    for number in 1...300 {
      run.send(.start, lane: number - 1)
      run.add("lane \(number)", .sets(1, [(.work, 2)]))
      run.run(.seconds(2))
      #expect(run.coach.lanes.count <= 8)
    }
    run.coach.handle(.stop, lane: run.lanes[300], at: run.clock.now)
    run.run(.seconds(10))
    #expect(run.coach.lanes.count == 0)
    #expect(!run.coach.isRunning)
    #expect(run.coach.activity == .idle)
    let finished = run.ledger.count { if case .finish = $0 { true } else { false } }
    #expect(finished == 300)
  }

  @Test func anIDIsNotReused() throws {
    let run = try TestRun([("anna", Self.short)])
    let anna = run.lanes[0]
    run.coach.handle(.stop, lane: anna, at: run.clock.now)
    run.add("anna", Self.short)
    #expect(run.lanes[1] != anna && run.lanes[1] > anna)
    #expect(run.coach.handle(.start, lane: anna, at: run.clock.now) == .unknownLane)
    #expect(!run.coach.lanes.contains(anna))
  }

  @Test func soundsOfAnotherRateAreRefused() throws {
    let run = try TestRun([("anna", Self.short)])
    let timeline = try Timeline(Self.short)
    #expect(throws: LaneError.sampleRate(44_100, expected: 8_000)) {
      try run.coach.addLane(
        "ben", timeline: timeline, style: LaneStyle(), sounds: SoundPack(rate: 44_100))
    }
    #expect(run.coach.lanes.count == 1)
  }
}
