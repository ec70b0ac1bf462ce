import CoachHost
import CueEngine
import CueTesting
import Foundation
import IntervalTimeline
import SessionStore
import Testing

/// What a host keeps of its workouts: the sessions that can be resumed, and the history.
@Suite struct KeptWorkoutTests {
  private let folder = StateFolder()

  @Test func eachWorkoutIsOneRowOfTheHistory() throws {
    let run = HostRun(repository: try folder.repository())
    let lanes = [
      try run.add("anna", .phases("Short", 2)), try run.add("ben", .phases("Longer", 4)),
      try run.add("cleo", .phases("Stopped", 60)),
    ]
    let unstarted = try run.add("dora", .phases("Never", 60))
    run.host.begin(lanes)
    run.run(.seconds(8))
    #expect(run.send(.stop, to: lanes[2]) == .done)
    #expect(run.send(.stop, to: unstarted) == .done)
    run.run(.seconds(1))
    #expect(run.host.shutDown())
    let history = try folder.history()
    #expect(
      Dictionary(uniqueKeysWithValues: history.map { ($0.lane, $0.outcome) })
        == ["anna": .finished, "ben": .finished, "cleo": .stopped])
  }

  @Test func anEndThatWasReportedIsInTheHistoryAfterAFlush() throws {
    let run = HostRun(repository: try folder.repository())
    for number in 1...20 {
      run.host.begin([try run.add("anna", .phases("Short", 1))])
      run.run(.seconds(4))
      #expect(run.host.statuses().isEmpty)
      #expect(run.host.flush())
      #expect(try folder.history().count == number)
    }
    #expect(run.host.shutDown())
    #expect(run.host.flush())
  }

  /// Half a second may pass between an end and the check that would have seen it.
  @Test func whatHadEndedWhenItWasSuspendedIsFinished() throws {
    let run = HostRun(repository: try folder.repository())
    run.host.begin([try run.add("anna", .phases("Short", 2))])
    run.run(.seconds(2))
    #expect(run.host.statuses().map(\.state) == [.running])
    run.clock.advance(to: run.clock.now + .milliseconds(400))
    #expect(run.host.suspend().map(\.state) == [.finished])
    #expect(run.host.shutDown())
    #expect(try folder.history().map(\.outcome) == [.finished])
  }

  /// A session that was suspended continues in another host, with its order; one that was stopped
  /// does not.
  @Test(arguments: [true, false])
  func anInterruptedWorkoutIsResumed(isSuspended: Bool) throws {
    let clock = ManualClock(MachineClocks.now().boot)
    let order = StartOrder(
      preset: "/home/anna/rows.yaml", style: AnnouncementStyle(density: .counts))
    do {
      let run = HostRun(clock, repository: try folder.repository())
      let timeline = try Timeline(.phases("Rows", 30, 30))
      let lane = try run.host.add(OpenedWorkout("anna", timeline, order: order))
      run.host.begin([lane])
      run.run(.seconds(12))
      if isSuspended { #expect(run.host.suspend().map(\.name) == ["anna"]) }
      #expect(run.send(.stop, to: lane) == .done)
      run.run(.seconds(1))
      #expect(run.host.shutDown())
    }
    // What was stopped without being suspended is over.
    let repository = try folder.repository()
    var notices: [SessionNotice.Kind] = []
    var resumption = Resumption(repository, Resumption.Rules()) { notices.append($0.kind) }
    let resumed = try resumption.lane("anna")
    guard isSuspended else {
      #expect(resumed == nil && notices.isEmpty)
      return
    }
    #expect(notices == [.resumes])
    let lane = try #require(resumed)
    #expect(lane.identity.order == order)
    let run = HostRun(clock, repository: repository)
    let id = try run.host.add(lane)
    run.host.begin([id])
    run.run(.seconds(1))
    let status = try #require(run.host.statuses().first)
    #expect(status.state == .running && status.phase == 0)
    #expect(status.elapsed > .seconds(11) && status.elapsed < .seconds(30))
    run.run(.seconds(60))
    #expect(run.host.shutDown())
    #expect(try folder.history().map(\.outcome) == [.finished])
  }

  @Test func anotherWorkoutUnderTheNameIsAskedAboutOrReported() throws {
    let clock = ManualClock(MachineClocks.now().boot)
    do {
      let run = HostRun(clock, repository: try folder.repository())
      run.host.begin([try run.add("anna", .phases("Rows", 30, 30))])
      run.run(.seconds(5))
      _ = run.host.suspend()
      #expect(run.host.shutDown())
    }
    let repository = try folder.repository()
    let other = OpenedWorkout("anna", try Timeline(.phases("Boxing", 60)))
    var asked: [String?] = []
    var rules = Resumption.Rules()
    rules.ask = { question in
      asked.append(question.instead?.name)
      return .hold
    }
    var resumption = Resumption(repository, rules) { _ in }
    let held = try #require(try resumption.lane("anna", for: other))
    #expect(asked == ["Boxing"])
    #expect(held.timeline.workout.name == "Rows" && held.resumed?.mode == .held)

    rules.ask = nil
    var notices: [SessionNotice.Kind] = []
    resumption = Resumption(repository, rules) { notices.append($0.kind) }
    #expect(try resumption.lane("anna", for: other) == nil)
    #expect(notices == [.replaced(by: other.timeline.workout)])
    // It ends only when the new one can begin.
    #expect(try repository.sessions().count == 1)
    #expect(resumption.endSessions() == [])
    #expect(try repository.sessions().isEmpty)
    #expect(try folder.history().map(\.outcome) == [.abandoned])
  }

  /// The workout is stored in the history, and its name stays locked.
  @Test func aStateFolderThatIsRemovedIsCreatedAgain() throws {
    let run = HostRun(repository: try folder.repository())
    let lane = try run.add("anna", .phases("Rows", 10, 10))
    run.host.begin([lane])
    run.run(.seconds(4))
    try FileManager.default.removeItem(atPath: folder.path)
    run.run(.seconds(30))
    #expect(run.host.shutDown())
    #expect(try folder.history().map(\.outcome) == [.finished])
    let warnings = run.events.compactMap { if case .warning(let line) = $0 { line } else { nil } }
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.hasSuffix("was removed while workouts ran, and has been created again")
        == true)
  }
}
