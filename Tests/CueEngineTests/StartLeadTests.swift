import CueSound
import CueTesting
import IntervalTimeline
import Testing

@testable import CueEngine

/// The time from the start command to the start of the workout.
struct StartLeadTests {
  private let plays = OutputEvent.plays(minimumLeadTime: .milliseconds(35))

  /// The time from the start command to workout time zero, with the command given some time after
  /// opening began.
  private func lead(
    after preparation: Duration, _ event: OutputEvent?, settings: CueEngine.Settings = .init(),
    latency: Duration = .zero
  ) throws -> Duration {
    let clock = ManualClock()
    let output = RecordingOutput(origin: clock.now, latency: latency)
    let log = LedgerLog()
    let engine = CueEngine(
      output: output, sounds: SoundPack(), speech: nil, settings: settings,
      clock: { clock.now }, sleepClock: { .zero }, ledger: { log.append($0) })
    defer { engine.shutDown() }
    let lane = try engine.addLane("anna", timeline: try Timeline(.sets(1, [(.low, 10)])))
    if let event { output.report(event) }
    engine.prepare()
    clock.advance(by: preparation)
    engine.send(.start)
    // Comes after the command on the check queue.
    _ = engine.status(of: lane)
    let starts = log.events.compactMap { event in
      if case .start(_, let at, _, _) = event { at } else { nil }
    }
    return clock.now.duration(to: try #require(starts.first))
  }

  @Test func outputThatPlaysStartsTheWorkoutAtOnce() throws {
    #expect(try lead(after: .milliseconds(10), plays) == .milliseconds(50))
    #expect(try lead(after: .milliseconds(20), plays) == .milliseconds(75))
    #expect(try lead(after: .zero, plays) == .milliseconds(35))
  }

  @Test func slowMachineHasTheUsualLead() throws {
    #expect(try lead(after: .milliseconds(900), plays) == .milliseconds(200))
  }

  @Test func outputThatKnowsNoReachHasTheUsualLead() throws {
    #expect(try lead(after: .milliseconds(15), .plays(minimumLeadTime: nil)) == .milliseconds(200))
    #expect(try lead(after: .milliseconds(15), nil) == .milliseconds(200))
    let error = SoundOutputError(kind: .busy, device: "default", detail: "")
    #expect(
      try lead(after: .milliseconds(15), .lost(error, at: .boot)) == .milliseconds(200))
  }

  @Test func outputWithALatencyIsGivenThatMuchMore() throws {
    let lead = try lead(after: .milliseconds(15), plays, latency: .milliseconds(150))
    #expect(lead == .milliseconds(350))
  }

  @Test func sinkThatWarmsUpIsGivenItsTime() throws {
    var settings = CueEngine.Settings()
    settings.startLead = .milliseconds(2_200)
    for event in [plays, nil] {
      #expect(
        try lead(after: .milliseconds(15), event, settings: settings) == .milliseconds(2_185))
    }
  }

  /// The time from the start of a second workout to its time zero, three seconds after the first one began.
  ///
  /// - Parameters:
  ///   - minimumLeadTime: what the output has learned meanwhile; nil: nothing.
  ///   - isClosed: the output was closed between the two.
  private func secondLead(minimumLeadTime: Duration?, isClosed: Bool) throws -> Duration {
    let clock = ManualClock()
    let output = RecordingOutput(origin: clock.now, latency: .zero)
    let log = LedgerLog()
    let engine = CueEngine(
      output: output, sounds: SoundPack(), speech: nil, clock: { clock.now },
      sleepClock: { .zero }, ledger: { log.append($0) })
    defer { engine.shutDown() }
    for name in ["anna", "ben"] {
      let lane = try engine.addLane(name, timeline: try Timeline(.sets(1, [(.low, 10)])))
      if name == "anna" { output.report(.plays(minimumLeadTime: .milliseconds(35))) }
      engine.prepare()
      engine.send(.start)
      guard name == "anna" else { break }
      _ = engine.statuses()
      clock.advance(by: .seconds(3))
      if let minimumLeadTime { output.report(minimumLeadTime: minimumLeadTime) }
      engine.send(.stop, to: lane)
      clock.advance(by: .seconds(1))
      // Removes the lane that was stopped.
      engine.checkNow()
      if isClosed { output.report(.closed) }
    }
    _ = engine.statuses()
    let starts = log.events.compactMap { event in
      if case .start(_, let at, _, _) = event { at } else { nil }
    }
    try #require(starts.count == 2)
    return clock.now.duration(to: starts[1])
  }

  @Test(arguments: [(false, 35), (true, 200)])
  func anOutputThatIsStillOpenStartsTheNextWorkoutAtOnce(isClosed: Bool, lead: Int) throws {
    #expect(try secondLead(minimumLeadTime: nil, isClosed: isClosed) == .milliseconds(lead))
  }

  /// The device holds back some sound.
  @Test(arguments: [(false, 52), (true, 200)])
  func anOutputThatKnowsItsDeviceIsGivenTheTimeThatThatNeeds(isClosed: Bool, lead: Int) throws {
    let minimumLeadTime = Duration.milliseconds(52)
    #expect(
      try secondLead(minimumLeadTime: minimumLeadTime, isClosed: isClosed) == .milliseconds(lead))
  }
}
