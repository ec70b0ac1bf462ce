import Phrases
import TestSupport
import Testing

@testable import IntervalTimeline

/// Open phases that a signal or a count ends, with their bounds.
struct OpenEndTests {
  /// 20 s of work, an open rest, 20 s of work, checked each half second until then.
  private static func session(
    _ end: OpenEnd, _ bounds: OpenBounds = OpenBounds(), until seconds: Double = 0
  ) throws -> Session {
    let work = Block.Step(Phase(.work, .fixed(.seconds(20))))
    let rest = Block.Step(Phase(.rest, .open(end, bounds)))
    let workout = Workout(name: "Open", blocks: [Block(steps: [work, rest, work])])
    var session = Session(try Timeline(workout), plan: .plain)
    _ = session.handle(.start, at: begin)
    _ = session.check(from: 0.5, to: seconds)
    return session
  }

  private static func phase(_ session: Session, at seconds: Double) -> Int {
    session.transport.position(at: at(seconds)).phase
  }

  private static func begins(_ effects: [SessionEffect]) -> [String] {
    effects.compactMap { effect in
      switch effect {
      case .phaseBegan(let phase, let instant):
        "\(phase)@\(begin.duration(to: instant).wholeMilliseconds)"
      case .finished(let instant): "end@\(begin.duration(to: instant).wholeMilliseconds)"
      default: nil
      }
    }
  }

  private static func handOffs(_ effects: [SessionEffect]) -> [String] {
    effects.compactMap { effect in
      guard case .handOff(let handOff) = effect else { return nil }
      return "\(handOff.cue.content)@\(begin.duration(to: handOff.due).wholeMilliseconds)"
    }
  }

  // MARK: Signals

  @Test func aSignalEndsItsPhaseAtOnce() throws {
    var session = try Self.session(.signal("ready"), until: 33)
    #expect(session.transport.position(at: at(33)).phaseLeft == nil)
    let effects = session.signal("ready", at: at(33.3))
    #expect(effects.first == .signalled("ready", at: at(33.3)))
    #expect(effects.contains(.phaseEnded(1, .done, at: at(33.3))))
    #expect(Self.begins(effects) == ["2@33300"])
    #expect(Self.handOffs(effects) == ["transition(IntervalTimeline.Cue.Transition.effort)@33300"])
    #expect(Self.begins(session.check(from: 34, to: 60)) == ["end@53300"])
    #expect(session.state == .finished)
  }

  /// Also within the first three seconds, where `next` would skip it.
  @Test func anEarlySignalIsDone() throws {
    var session = try Self.session(.signal("ready"), until: 20)
    _ = session.signal("ready", at: at(20.5))
    #expect(session.progress.outcomes[1] == .done)
  }

  @Test func anotherSignalChangesNothing() throws {
    var session = try Self.session(.signal("ready"), until: 33)
    #expect(session.signal("set", at: at(33.3)) == [])
    #expect(Self.phase(session, at: 34) == 1)
  }

  @Test func aSignalIsForTheRunningPhaseAlone() throws {
    var session = try Self.session(.signal("ready"))
    #expect(session.signal("ready", at: at(5)) == [])
    _ = session.check(from: 5.5, to: 30)
    _ = session.handle(.pause, at: at(30))
    #expect(session.signal("ready", at: at(31)) == [])
    _ = session.handle(.resume, at: at(32))
    #expect(session.signal("ready", at: at(33)).first == .signalled("ready", at: at(33)))
    #expect(session.signal("ready", at: at(34)) == [])
  }

  @Test func aWorkoutThatHasNotBegunHearsNoSignal() throws {
    let open = Block.Step(Phase(.work, .open(.signal("go"))))
    let workout = Workout(name: "Go", blocks: [Block(steps: [open])])
    var session = Session(try Timeline(workout), plan: .plain)
    #expect(session.signal("go", at: begin) == [])
    _ = session.handle(.start, at: at(1))
    #expect(session.signal("go", at: at(0.9)) == [])
    #expect(session.signal("go", at: at(1)).contains(.finished(at: at(1))))
  }

  // MARK: Bounds

  @Test func anOpenPhaseEndsByItselfWhenItIsLongest() throws {
    var session = try Self.session(.untilNext, OpenBounds(atMost: .seconds(60)))
    #expect(session.timeline.length == .seconds(100))
    #expect(session.timeline.mayEndEarly)
    let effects = session.check(from: 0.5, to: 100)
    #expect(Self.begins(effects) == ["1@20000", "2@80000", "end@100000"])
    // Its end is counted down to, since it is known.
    #expect(Self.handOffs(effects).contains("countdown(3)@77000"))
    #expect(effects.contains(.phaseEnded(1, .done, at: at(80))))
  }

  @Test func aSignalEndsABoundedPhaseBeforeItsLongestLength() throws {
    var session = try Self.session(.signal("ready"), OpenBounds(atMost: .seconds(60)), until: 40)
    #expect(session.transport.position(at: at(40)).workoutLeft == .seconds(60))
    let effects = session.signal("ready", at: at(40))
    #expect(Self.begins(effects) == ["2@40000"])
    #expect(session.transport.position(at: at(40)).workoutLeft == .seconds(20))
  }

  @Test func aSignalBeforeTheShortestLengthEndsThePhaseThen() throws {
    let bounds = OpenBounds(atLeast: .seconds(30), atMost: .seconds(60))
    var session = try Self.session(.signal("ready"), bounds, until: 28)
    let effects = session.signal("ready", at: at(28.2))
    #expect(effects.first == .signalled("ready", at: at(28.2)))
    #expect(Self.begins(effects) == [])
    #expect(session.transport.position(at: at(28.2)).phaseLeft == .milliseconds(21_800))
    #expect(session.transport.position(at: at(28.2)).workoutLeft == .milliseconds(41_800))
    let rest = session.check(from: 28.5, to: 75)
    #expect(Self.begins(rest) == ["2@50000", "end@70000"])
    // The countdown leads to the new end.
    #expect(
      Self.handOffs(rest).prefix(3) == [
        "countdown(3)@47000", "countdown(2)@48000", "countdown(1)@49000",
      ])
    #expect(rest.contains(.phaseEnded(1, .done, at: at(50))))
  }

  @Test func aSecondEarlySignalChangesNothing() throws {
    var session = try Self.session(.signal("ready"), OpenBounds(atLeast: .seconds(30)), until: 28)
    _ = session.signal("ready", at: at(28.2))
    let before = session.transport
    _ = session.check(from: 28.5, to: 31)
    #expect(session.signal("ready", at: at(31)) == [])
    // Not even while the countdown is on its way.
    _ = session.check(from: 31.5, to: 48)
    #expect(session.signal("ready", at: at(48)) == [])
    #expect(session.transport == before)
  }

  /// Only what leads to the longest length is withdrawn.
  @Test func anEarlySignalWithdrawsNothingThatStaysTrue() throws {
    var session = try Self.session(.signal("ready"), OpenBounds(atLeast: .seconds(30)))
    let rest = session.check(from: 0.5, to: 22)
    #expect(Self.handOffs(rest).contains("next(2)@22000"))
    let effects = session.signal("ready", at: at(22.5))
    #expect(effects == [.signalled("ready", at: at(22.5))])
    let later = Self.handOffs(session.check(from: 23, to: 49.5))
    #expect(!later.contains { $0.hasPrefix("next") })
    #expect(later.filter { $0.hasPrefix("countdown") }.count == 3)
  }

  @Test func anEarlySignalWithdrawsTheCountToTheLongestLength() throws {
    let bounds = OpenBounds(atLeast: .seconds(30), atMost: .seconds(31))
    var session = try Self.session(.signal("ready"), bounds)
    let first = Self.handOffs(session.check(from: 0.5, to: 47))
    #expect(first.contains("countdown(3)@48000"))
    let effects = session.signal("ready", at: at(47.2))
    #expect(effects.contains(.withdraw))
    let later = Self.handOffs(effects + session.check(from: 47.5, to: 49.5))
    let counts = later.filter { $0.hasPrefix("countdown") }
    #expect(counts == ["countdown(2)@48000", "countdown(1)@49000"])
  }

  // MARK: Words

  @Test func nothingIsSaidOfALengthThatIsNotKnown() throws {
    let bounds = OpenBounds(atLeast: .seconds(130), atMost: .seconds(240))
    func cues(_ session: Session) -> [String] {
      session.cues(of: 1).compactMap { cue in
        switch cue.content {
        case .halfway: "halfway at \(cue.at.wholeMilliseconds)"
        case .timeLeft: "time left at \(cue.at.wholeMilliseconds)"
        default: nil
        }
      }
    }
    var plan = CuePlan()
    plan.density = .full
    for end in [OpenEnd.reps(12), .signal("ready"), .untilNext] {
      let timeline = try Self.session(end, bounds).timeline
      #expect(cues(Session(timeline, plan: plan)) == [])
    }
    var session = Session(try Self.session(.signal("ready"), bounds).timeline, plan: plan)
    _ = session.handle(.start, at: begin)
    _ = session.check(from: 0.5, to: 22)
    _ = session.signal("ready", at: at(22))
    #expect(cues(session) == ["time left at 10000", "time left at 70000"])
  }

  @Test func aLengthThatIsNotKnownIsNotSaid() {
    let bounds = OpenBounds(atMost: .seconds(120))
    let phrases = PhraseCatalogue.english
    #expect(phrases.length(.open(.untilNext, bounds)) == nil)
    #expect(phrases.length(.open(.signal("ready"), bounds)) == nil)
    #expect(phrases.length(.open(.reps(12), bounds)) == "12 reps")
  }

  @Test func aPauseMovesADecidedEnd() throws {
    var session = try Self.session(.signal("ready"), OpenBounds(atLeast: .seconds(30)), until: 28)
    _ = session.signal("ready", at: at(28))
    _ = session.handle(.pause, at: at(40))
    let effects = session.handle(.resume, at: at(45)) + session.check(from: 45, to: 60)
    #expect(Self.begins(effects) == ["2@55000"])
  }

  @Test func nextEndsAPhaseBeforeItsShortestLength() throws {
    let bounds = OpenBounds(atLeast: .seconds(30), atMost: .seconds(60))
    var session = try Self.session(.signal("ready"), bounds, until: 28)
    _ = session.signal("ready", at: at(28))
    #expect(Self.begins(session.handle(.next, at: at(29))) == ["2@29000"])
    #expect(session.transport.position(at: at(29)).phaseLeft == .seconds(20))
  }

  @Test func backRepeatsAPhaseAsTheTimelineHasIt() throws {
    let bounds = OpenBounds(atLeast: .seconds(30), atMost: .seconds(60))
    var session = try Self.session(.signal("ready"), bounds, until: 28)
    _ = session.signal("ready", at: at(28))
    _ = session.handle(.back, at: at(40))
    #expect(session.transport.position(at: at(40)).phaseLeft == .seconds(60))
  }

  @Test func impossibleEndsAreRefused() {
    func timeline(_ length: PhaseLength) throws -> Timeline {
      try Timeline(Workout("", [Phase(.rest, length)]))
    }
    let bounds = OpenBounds(atLeast: .seconds(2), atMost: .seconds(1))
    #expect(
      throws: WorkoutError(.bounds(atLeast: .seconds(2), atMost: .seconds(1)), block: 0, step: 0)
    ) { try timeline(.open(.untilNext, bounds)) }
    #expect(throws: WorkoutError(.length(.zero), block: 0, step: 0)) {
      try timeline(.open(.untilNext, OpenBounds(atMost: .zero)))
    }
    #expect(throws: WorkoutError(.length(.microseconds(1500)), block: 0, step: 0)) {
      try timeline(.open(.untilNext, OpenBounds(atLeast: .microseconds(1500))))
    }
    for name in ["", "next", "Ready", "heart rate", "1st", "é", String(repeating: "a", count: 41)] {
      #expect(throws: WorkoutError(.signal(name), block: 0, step: 0)) {
        try timeline(.open(.signal(name)))
      }
    }
    #expect(throws: Never.self) {
      try timeline(.open(.signal("heart-rate-2-low"), OpenBounds(atLeast: .seconds(1))))
    }
  }

  // MARK: Repetitions

  @Test func repetitionsAreCountedAloudAndTheLastEndsThePhase() throws {
    var session = try Self.session(.reps(3), until: 22)
    #expect(session.progress.repetitions(at: at(22)) == 0)
    let first = session.handle(.rep, at: at(22))
    #expect(first.first == .obeyed(.rep, at: at(22)))
    #expect(Self.handOffs(first) == ["repetition(1)@22020"])
    #expect(session.progress.repetitions(at: at(22)) == 1)
    _ = session.handle(.rep, at: at(23))
    let last = session.handle(.rep, at: at(24))
    #expect(last.contains(.phaseEnded(1, .done, at: at(24))))
    #expect(
      Self.handOffs(last) == [
        "repetition(3)@24600", "transition(IntervalTimeline.Cue.Transition.effort)@24000",
      ])
    #expect(session.progress.repetitions(at: at(24)) == nil)
  }

  @Test func theLastOfTheWorkoutIsCountedAloud() throws {
    let timeline = try Timeline(Workout("Open", [Phase(.work, .open(.reps(2)))]))
    var session = Session(timeline, plan: .plain)
    _ = session.handle(.start, at: begin)
    _ = session.handle(.rep, at: at(5))
    let last = session.handle(.rep, at: at(10))
    #expect(session.state == .finished)
    #expect(Self.handOffs(last).contains("repetition(2)@10600"))
  }

  @Test func repetitionsElsewhereChangeNothing() throws {
    var session = try Self.session(.untilNext)
    #expect(session.handle(.rep, at: at(1)) == [])
    _ = session.check(from: 1.5, to: 22)
    #expect(session.handle(.rep, at: at(22)) == [])
    #expect(session.progress.repetitions(at: at(22)) == nil)
  }

  @Test func backBeginsTheCountAgain() throws {
    var session = try Self.session(.reps(3), until: 25)
    _ = session.handle(.rep, at: at(25))
    _ = session.handle(.back, at: at(26))
    #expect(session.progress.repetitions(at: at(26)) == 0)
  }

  @Test func aShortestLengthHoldsForACountToo() throws {
    var session = try Self.session(.reps(1), OpenBounds(atLeast: .seconds(10)), until: 25)
    #expect(Self.begins(session.handle(.rep, at: at(25))) == [])
    #expect(session.progress.repetitions(at: at(25)) == 1)
    // There is nothing left to count.
    let third = session.handle(.rep, at: at(26))
    #expect(!third.contains(.obeyed(.rep, at: at(26))))
    #expect(session.progress.repetitions(at: at(26)) == 1)
    #expect(Self.begins(session.check(from: 26.5, to: 31)) == ["2@30000"])
  }

  // MARK: Stored sessions

  @Test func aRestoredSessionKnowsItsEndAndItsCount() throws {
    let bounds = OpenBounds(atLeast: .seconds(30))
    var session = try Self.session(.signal("ready"), bounds, until: 28)
    _ = session.signal("ready", at: at(28))
    let record = session.record(at: at(29))
    let restored = try #require(Session(session.timeline, plan: .plain).restoring(record))
    #expect(restored.transport == session.transport)

    var counting = try Self.session(.reps(12), until: 28)
    for second in 0..<7 { _ = counting.handle(.rep, at: at(30 + Double(second))) }
    let kept = counting.record(at: at(40))
    let again = try #require(Session(counting.timeline, plan: .plain).restoring(kept))
    #expect(again.progress.repetitions(at: at(40)) == 7)
  }

  @Test func anEndBeyondTheTimelineIsNoSession() throws {
    var session = try Self.session(.signal("ready"), OpenBounds(atLeast: .seconds(30)), until: 28)
    _ = session.signal("ready", at: at(28))
    var anchors = session.transport.anchors
    #expect(anchors.length == .seconds(30))
    anchors.phase = 3
    #expect(Transport(session.timeline, anchors) == nil)
    anchors.phase = 1
    anchors.length = .seconds(-1)
    #expect(Transport(session.timeline, anchors) == nil)
  }
}
