import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// What the sender of a message learns of it.
struct MessageReportTests: AnnouncementChecks {
  private let inbox = Collected<MessageReport>()

  @discardableResult
  private func say(
    _ message: Message, _ run: TestRun, after delay: Duration? = nil
  ) -> CommandAnswer {
    let inbox = inbox
    return run.coach.say(
      message, lane: run.lanes[0], due: delay.map { run.clock.now + $0 }, at: run.clock.now
    ) { inbox.append($0) }
  }

  private func begun(
    _ workout: Workout = .sets(2, [(.low, 60), (.high, 60)])
  ) throws -> TestRun {
    let run = try TestRun(workout)
    run.play(.seconds(20))
    return run
  }

  @Test(arguments: Message.Priority.allCases)
  func whereNothingElseIsSaidItIsHeard(priority: Message.Priority) throws {
    let run = try begun()
    let sent = run.clock.now
    #expect(say(Message("Well done", priority: priority), run) == .done)
    #expect(inbox.all.isEmpty)
    run.run(.seconds(5))
    let report = try #require(inbox.all.first)
    #expect(inbox.all.count == 1)
    #expect(report.outcome == .heard && report.text == "Well done" && report.reason == nil)
    #expect(report.onset == sent + .milliseconds(100))
  }

  @Test func itsInstantIsKeptToTheSample() throws {
    let run = try begun()
    let sent = run.clock.now
    #expect(say(Message("Now"), run, after: .milliseconds(7_123)) == .done)
    run.run(.seconds(10))
    #expect(inbox.all.map(\.outcome) == [.heard])
    #expect(inbox.all.first?.onset == sent + .milliseconds(7_123))
  }

  /// It is not handed over when the pause comes, so the pause does not take it back.
  @Test func anInstantInAPauseIsKept() throws {
    let run = try begun()
    let sent = run.clock.now
    say(Message("Now"), run, after: .seconds(10))
    run.run(.seconds(5))
    run.send(.pause, then: .seconds(10))
    #expect(inbox.all.map(\.outcome) == [.heard])
    #expect(inbox.all.first?.onset == sent + .seconds(10))
  }

  @Test func severalInstantsAreKeptInTheirOrder() throws {
    let run = try begun()
    for seconds in [9, 3, 6] { say(Message("\(seconds)"), run, after: .seconds(seconds)) }
    run.run(.seconds(12))
    #expect(inbox.all.map(\.text) == ["3", "6", "9"])
  }

  /// A count of 10 s keeps its place; a message of low priority waits for its end.
  @Test func itIsDelayedByWhatComesFirst() throws {
    let run = try begun(.sets(2, [(.low, 25)]))
    let sent = run.clock.now
    say(Message("You are doing very well"), run)
    run.run(.seconds(15))
    let report = try #require(inbox.all.first)
    #expect(report.outcome == .delayed)
    #expect(try sent.duration(to: #require(report.onset)) > .seconds(1))
    #expect(report.reason?.hasSuffix("s later") == true)
    expectNoOverlap(run)
  }

  @Test func withoutRoomForAllOfItAShorterWordingIsSaid() throws {
    let run = try begun(.sets(9, [(.low, 12)]))
    let long = Template(plain: String(repeating: "a long text ", count: 15))
    say(Message([long, "Short"], priority: .normal), run)
    run.run(.seconds(30))
    #expect(inbox.all.map(\.outcome) == [.shortened])
    #expect(inbox.all.first?.text == "Short")
  }

  @Test func withoutAnyRoomItIsDropped() throws {
    let run = try begun(.sets(20, [(.low, 6), (.high, 6)]))
    say(Message(String(repeating: "a", count: 400)), run)
    run.run(.seconds(80))
    #expect(inbox.all.map(\.outcome) == [.dropped])
    #expect(inbox.all.first?.reason != nil && inbox.all.first?.onset == nil)
  }

  @Test func withoutALiveValueItIsDropped() throws {
    let run = try begun()
    say(Message([try Template("At {watts}", values: ["watts"])]), run)
    run.run(.seconds(2))
    #expect(inbox.all.map(\.outcome) == [.dropped])
    #expect(inbox.all.first?.text == "At {watts}")
  }

  @Test(arguments: [Command.pause, .next, .stop]) func aCommandTakesItBack(command: Command) throws
  {
    let run = try begun()
    say(Message("You are doing very well today"), run)
    run.run(.milliseconds(300), every: .milliseconds(100))
    run.send(command)
    run.run(.seconds(2))
    #expect(inbox.all.map(\.outcome) == [.withdrawn])
  }

  @Test func theEndOfTheWorkoutDropsWhatIsStillToCome() throws {
    let run = try begun()
    say(Message("Later"), run, after: .seconds(30))
    run.run(.seconds(2))
    run.send(.stop)
    // Past its instant.
    run.run(.seconds(40))
    #expect(inbox.all.map(\.outcome) == [.dropped])
    #expect(inbox.all.first?.reason == "the workout is over")
    #expect(run.cues.count { $0.text == "Later" } == 1)
  }

  /// None of them can be said; the workout ends before their instants.
  @Test func eachOfSeveralAroundTheEndIsReported() throws {
    let run = try TestRun(.sets(1, [(.low, 5)]), style: LaneStyle(density: .quiet))
    run.play(.seconds(2))
    let pace = Message([try Template("At {watts}", values: ["watts"])])
    for milliseconds in [5_400, 5_410, 5_420] {
      say(pace, run, after: .milliseconds(milliseconds - 2_000))
    }
    run.run(.seconds(10))
    #expect(inbox.all.map(\.outcome) == [.dropped, .dropped, .dropped])
  }

  @Test func beforeTheStartItIsRefused() throws {
    let run = try TestRun(.sets(1, [(.low, 60)]))
    #expect(say(Message("Hello"), run) == .noEffect(.ready))
    #expect(inbox.all.isEmpty)
  }

  /// One of high priority takes the room of words that have not begun, except for a count's numbers.
  @Test func oneOfHighPriorityGoesFirst() throws {
    let remark = Remark("Keep your back straight", at: .fromStart(.seconds(22)))
    let phase = Phase(.low, .fixed(.seconds(60)), remarks: [remark])
    func onset(_ priority: Message.Priority) throws -> Duration {
      let run = try begun(Workout("Test", [phase]))
      run.run(.seconds(1))
      let inbox = Collected<MessageReport>()
      let sent = run.clock.now + .milliseconds(800)
      _ = run.coach.say(
        Message("Look up now, please", priority: priority), lane: run.lanes[0], due: sent,
        at: run.clock.now
      ) { inbox.append($0) }
      run.run(.seconds(20))
      expectNoOverlap(run)
      return sent.duration(to: try #require(inbox.all.first?.onset))
    }
    #expect(try onset(.high) == .zero)
    #expect(try onset(.low) > .seconds(1))
  }
}
