import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// Texts that somebody sends while workouts run.
struct MessageTests: AnnouncementChecks {
  private func say(_ text: String, _ run: TestRun, lane: Int = 0) -> CommandAnswer {
    run.coach.say(Message(text), lane: run.lanes[lane], at: run.clock.now)
  }

  private func messages(_ run: TestRun) -> [LedgerEvent.CueEntry] {
    run.cues.filter { $0.kind == "message" }
  }

  @Test func aTextIsHeardAtOnceWhereNothingElseIs() throws {
    let run = try TestRun(.sets(2, [(.low, 60), (.high, 60)]))
    run.play(.seconds(20))
    let sent = run.clock.now
    #expect(say("Well done", run) == .done)
    run.run(.seconds(5))
    let message = try #require(messages(run).first)
    #expect(message.text == "Well done" && message.outcome == .played)
    #expect(message.onset == message.due)
    #expect(sent.duration(to: message.due) < .seconds(1))
  }

  /// With a text at every moment of a busy workout, all its announcements are where they were.
  @Test(arguments: 0..<8) func aTextMovesNoAnnouncement(eighth: Int) throws {
    func announcements(with text: String?) throws -> [LedgerEvent.CueEntry] {
      let run = try TestRun(
        .sets(4, [(.low, 12), (.high, 9)]), style: LaneStyle(density: .full))
      run.send(.start)
      run.run(.milliseconds(10_000 + 21_000 * eighth / 8), every: .milliseconds(250))
      if let text { #expect(say(text, run) == .done) }
      run.run(.seconds(70), every: .milliseconds(250))
      expectNoOverlap(run)
      #expect(text == nil || messages(run).first?.outcome == .played)
      return run.cues.filter { $0.kind != "message" }.sorted {
        ($0.due, $0.kind) < ($1.due, $1.kind)
      }
    }
    #expect(try announcements(with: "You are doing very well today") == announcements(with: nil))
  }

  /// The time it takes to say is more than any gap there is.
  @Test func aTextWithoutRoomIsLeftOut() throws {
    let run = try TestRun(.sets(20, [(.low, 6), (.high, 6)]), style: LaneStyle(density: .full))
    run.play(.seconds(13))
    let text = String(repeating: "a", count: 400)
    // Known at once, because nothing waits to be rendered here; again and again it is one line.
    for _ in 1...100 { #expect(say(text, run) == .busy("no room before what follows")) }
    run.run(.seconds(80))
    #expect(messages(run).count == 1)
    let message = try #require(messages(run).first)
    #expect(message.outcome == .dropped && message.reason != nil)
    expectNoOverlap(run)
  }

  @Test func withSeveralWorkoutsItBeginsWithTheName() throws {
    let run = try TestRun([
      ("anna", .sets(1, [(.low, 60)])), ("ben", .sets(1, [(.low, 60)])),
    ])
    run.play(.seconds(20), lanes: 2)
    #expect(say("Faster", run, lane: 1) == .done)
    run.run(.seconds(5))
    #expect(messages(run).map(\.text) == ["ben: Faster"])
  }

  @Test func beforeItsStartAWorkoutSaysNothing() throws {
    let run = try TestRun(.sets(1, [(.low, 60)]))
    #expect(say("Hello", run) == .noEffect(.ready))
    run.play(.seconds(2))
    run.send(.pause)
    #expect(say("Rest a little", run) == .done)
    run.run(.seconds(3))
    #expect(messages(run).map(\.outcome) == [.played])
    run.send(.stop, then: .seconds(1))
    #expect(say("Bye", run) == .unknownLane)
  }
}
