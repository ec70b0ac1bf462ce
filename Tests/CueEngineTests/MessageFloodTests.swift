import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// A program that sends more texts than anybody could listen to.
struct MessageFloodTests: AnnouncementChecks {
  private func pair() throws -> TestRun {
    let workout = Workout.sets(2, [(.low, 60), (.high, 60)])
    let run = try TestRun([("anna", workout), ("ben", workout)])
    run.play(.seconds(20), lanes: 2)
    return run
  }

  /// Returns how many were refused.
  @discardableResult
  private func flood(
    _ run: TestRun, lane: Int, _ count: Int, priority: Message.Priority = .low
  ) -> Int {
    (1...count).count { number in
      let message = Message("Text \(number)", priority: priority, patience: .seconds(3600))
      let answer = run.coach.say(message, lane: run.lanes[lane], at: run.clock.now)
      #expect([.done, .busy("too many texts wait to be said")].contains(answer))
      return answer != .done
    }
  }

  @Test func aLaneHasEightTextsWaitingAndAnotherHasItsOwn() throws {
    let run = try pair()
    #expect(flood(run, lane: 0, 20) == 12)
    #expect(flood(run, lane: 1, 8) == 0)
    // Those of high priority are counted by themselves.
    #expect(flood(run, lane: 0, 5, priority: .high) == 1)
  }

  @Test func refusedTextsHaveALineInTenSeconds() throws {
    let run = try pair()
    for _ in 0..<50 {
      flood(run, lane: 0, 100)
      run.run(.milliseconds(500))
    }
    let lines = run.ledger.compactMap { event -> Int? in
      guard case .refused("anna", _, let count, "no room for more texts") = event
      else { return nil }
      return count
    }
    #expect(lines.first == 1)
    #expect((2...4).contains(lines.count))
    run.send(.stop, then: .seconds(5))
    let counted = run.ledger.reduce(0) { sum, event in
      if case .refused(_, _, let count, _) = event { sum + count } else { sum }
    }
    let accepted = run.cues.count { $0.kind == "message" }
    #expect(counted + accepted == 5000)
  }

  @Test func whenOneHasBeenSaidThereIsRoomForAnother() throws {
    let run = try pair()
    #expect(flood(run, lane: 0, 9) == 1)
    run.run(.seconds(5))
    let said = run.cues.count { $0.kind == "message" && $0.outcome == .played }
    #expect((1..<8).contains(said))
    #expect(flood(run, lane: 0, said) == 0)
    #expect(flood(run, lane: 0, 1) == 1)
  }

  /// The cues of both workouts are those that they have without the texts.
  @Test func aFloodTakesNoCueFromAnyWorkout() throws {
    func cues(flooded: Bool) throws -> [LedgerEvent.CueEntry] {
      let run = try pair()
      for _ in 0..<10 {
        if flooded { flood(run, lane: 0, 30) }
        run.run(.seconds(10))
      }
      expectNoOverlap(run)
      return run.cues.filter { $0.kind != "message" }.sorted {
        ($0.due, $0.lane, $0.kind) < ($1.due, $1.lane, $1.kind)
      }
    }
    #expect(try cues(flooded: true) == cues(flooded: false))
  }

  /// Whatever is sent, to as many lanes as room is kept for: each beep and each number of a count stays where it is.
  @Test(arguments: [3, 32]) func noFloodMovesABeepOrANumber(lanes: Int) throws {
    func fixed(flooded: Bool) throws -> [String] {
      let workouts = (1...lanes).map {
        ("lane \($0)", Workout.sets(2, [(.low, 20 + $0), (.high, 20)]))
      }
      let run = try TestRun(workouts)
      for lane in run.lanes.indices { run.send(.start, lane: lane) }
      for turn in 0..<20 {
        run.run(.seconds(5))
        guard flooded else { continue }
        for lane in run.lanes.indices where run.coach.lanes.contains(run.lanes[lane]) {
          flood(run, lane: lane, 3, priority: Message.Priority.allCases[(lane + turn) % 3])
        }
      }
      expectNoOverlap(run)
      #expect(!run.cues.contains { $0.outcome == .missed })
      return run.cues.flatMap { cue -> [String] in
        switch cue.kind {
        case "transition", "countdown": ["\(cue.lane) \(cue.text) \(cue.due) \(cue.outcome)"]
        case "set-completion":
          cue.parts.filter { Int($0.text) != nil }.map { "\(cue.lane) \($0.text) \($0.due)" }
        default: []
        }
      }.sorted()
    }
    #expect(try fixed(flooded: true) == fixed(flooded: false))
  }

  /// Texts for later are handed off when their instant is near, by the same rule.
  @Test func textsForOneInstantAreLimitedToo() throws {
    let run = try pair()
    let reports = Collected<MessageReport>()
    let due = run.clock.now + .seconds(15)
    for number in 1...50 {
      let message = Message("Text \(number)", patience: .seconds(3600))
      let answer = run.coach.say(message, lane: run.lanes[0], due: due, at: run.clock.now) {
        reports.append($0)
      }
      #expect(answer == .done)
    }
    run.run(.seconds(14))
    let dropped = reports.all.filter { $0.outcome == .dropped }
    #expect(dropped.count == 42)
    #expect(dropped.allSatisfy { $0.reason == "too many texts wait to be said" })
  }
}
