import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// What `print` shows of a value that holds a whole workout.
@Suite struct DescriptionTests {
  private static let rows = Workout(
    "Rows", sets: 8, [Phase(.work, .fixed(.seconds(20))), Phase(.rest, .fixed(.seconds(10)))])

  private static let lift = Phase(.work, .open(.reps(5), OpenBounds(atMost: .seconds(180))))
  private static let lifts = Workout("Lifts", [lift, Phase(.rest, .open(.untilNext))])

  @Test(
    arguments: [
      (.done, "done"), (.unknownLane, "the workout has ended, or is of another engine"),
      (.noLane, "there is no workout"),
      (.noEffect(.paused), "it changes nothing: the workout is paused"),
      (.unknownValue("watts"), "nothing in the workout says \"watts\""),
      (.refused("the volume is no number"), "the volume is no number"),
      (.shutDown, "the engine has been shut down"),
    ] as [(CommandAnswer, String)])
  func anAnswerIsALine(answer: CommandAnswer, line: String) {
    #expect("\(answer)" == line)
  }

  /// The status of a workout's lane after its start and a command.
  private static func status(
    _ workout: Workout, after time: Duration, _ command: Command? = nil, signal: String? = nil
  ) throws -> LaneStatus {
    let bench = TestBench()
    let engine = bench.makeEngine()
    let lane = try engine.addLane("anna", timeline: Timeline(workout))
    if time > .zero {
      engine.send(.start, to: lane)
      // The start leaves the output time to open.
      bench.advance(engine, by: .milliseconds(200) + time)
    }
    if let command { engine.send(command, to: lane) }
    if let signal { engine.signal(signal, to: lane) }
    let status = try #require(engine.status(of: lane))
    engine.shutDown()
    return status
  }

  private static func shown(
    _ workout: Workout, after time: Duration, _ command: Command? = nil
  ) throws -> String {
    let status = try status(workout, after: time, command)
    return "\(status)"
  }

  @Test func aStatusIsOneLine() throws {
    #expect(
      try Self.shown(Self.rows, after: .zero)
        == "anna: ready at 0:00, Work, phase 1 of 16, set 1 of 8, 0:20 left")
    #expect(
      try Self.shown(Self.rows, after: .seconds(35))
        == "anna: running at 0:35, Work, phase 3 of 16, set 2 of 8, 0:15 left")
    #expect(
      try Self.shown(Self.rows, after: .seconds(35), .pause)
        == "anna: paused at 0:35, Work, phase 3 of 16, set 2 of 8, 0:15 left")
  }

  @Test func theStatusOfAnOpenPhaseIsNotCountedDown() throws {
    #expect(
      try Self.shown(Self.lifts, after: .seconds(50), .rep)
        == "anna: running at 0:50, Work, phase 1 of 2, 1 counted, open, since 0:50, at most 2:10 more"
    )
    #expect(
      try Self.shown(Self.lifts, after: .seconds(50), .next)
        == "anna: running at 0:50, Rest, phase 2 of 2, open, since 0:00")
  }

  @Test func aPhaseMayEndEarlyUntilItsEndIsDecided() throws {
    let open = Phase(
      .rest, .open(.signal("ready"), OpenBounds(atLeast: .seconds(20), atMost: .seconds(60))))
    let rest = Workout("Rest", [open, Phase(.work, .fixed(.seconds(5)))])
    #expect(try Self.status(rest, after: .seconds(10)).mayEndEarly)
    #expect(try !Self.status(rest, after: .seconds(10), signal: "ready").mayEndEarly)
    #expect(try !Self.status(Self.rows, after: .seconds(10)).mayEndEarly)
  }

  @Test func anEventHasItsNameAndWhereItsLaneWas() throws {
    let bench = TestBench()
    let engine = bench.makeEngine()
    let lane = try engine.addLane("anna", timeline: Timeline(Self.rows))
    engine.send(.start, to: lane)
    _ = engine.statuses()
    #expect(
      bench.events.prefix(2).map { "\($0)" } == [
        "added(anna: ready at 0:00, Work, phase 1 of 16, set 1 of 8, 0:20 left)",
        "obeyed(start, anna: running at 0:00, Work, phase 1 of 16, set 1 of 8, 0:20 left)",
      ])
    bench.advance(engine, by: .milliseconds(35_200))
    engine.send(.stop, to: lane)
    bench.advance(engine, by: .seconds(1))
    #expect(
      bench.events.last.map { "\($0)" } == "ended(anna: stopped at 0:35, 2 of 16 phases done)")
    let status = try Self.status(Self.rows, after: .seconds(35))
    #expect("\(EngineEvent.phaseBegan(status))" == "phaseBegan(\(status))")
    #expect("\(EngineEvent.signalled("ready", status))" == "signalled(ready, \(status))")
    #expect(
      "\(EngineEvent.asked(until: BootInstant(nanoseconds: 7)))" == "asked(until: 7 ns)")
    #expect("\(EngineEvent.omitted(3))" == "omitted(3)")
    engine.shutDown()
  }

  @Test func aTimelineAndWhatRunsItAreOneLine() throws {
    let rows = try Timeline(Self.rows)
    #expect("\(rows)" == "Rows: 16 phases, 4:00")
    let lifts = try Timeline(Self.lifts)
    #expect("\(lifts)" == "Lifts: 2 phases, open-ended")
    let bounded = try Timeline(Workout("Lift", [Self.lift]))
    #expect("\(bounded)" == "Lift: 1 phase, at most 3:00")
    var session = Session(rows)
    #expect("\(session)" == "Rows: 16 phases, 4:00, ready")
    _ = session.handle(.start, at: BootInstant(nanoseconds: 0))
    #expect("\(session.transport)" == "Rows: 16 phases, 4:00, running")
  }

  @Test func aCatalogueIsNamedByItsLanguage() {
    #expect("\(PhraseCatalogue.english)" == "the catalogue \"en\"")
    #expect("\(LaneStyle())".count < 500)
  }
}
