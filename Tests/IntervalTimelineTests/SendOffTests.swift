import TestSupport
import Testing

@testable import IntervalTimeline

/// Swimming on send-offs: what is left of a time that began with the phase before.
struct SendOffTests {
  /// Three times 100 m on two minutes.
  private static func timeline(
    _ end: OpenEnd = .untilNext, _ bounds: OpenBounds = OpenBounds()
  ) throws -> Timeline {
    let swim = Block.Step(Phase(.work, .open(end, bounds)))
    let rest = Block.Step(Phase(.rest, .open(.sendOff(.seconds(120)))), skippedInLastSet: true)
    return try Timeline(Workout(name: "Swim", blocks: [Block(sets: 3, steps: [swim, rest])]))
  }

  private static func session(_ timeline: Timeline) -> Session {
    var session = Session(timeline, plan: .plain)
    _ = session.handle(.start, at: begin)
    return session
  }

  /// "1@95000", when each phase begins.
  private static func begins(_ effects: [SessionEffect]) -> [String] {
    effects.compactMap { effect in
      guard case .phaseBegan(let phase, let instant) = effect else { return nil }
      return "\(phase)@\(begin.duration(to: instant).wholeMilliseconds)"
    }
  }

  @Test func theNextBeginsOnTheSendOffWheneverOneArrives() throws {
    var session = Self.session(try Self.timeline())
    var effects = session.check(from: 0.5, to: 95)
    effects += session.handle(.next, at: at(95.25))
    #expect(session.transport.position(at: at(100)).phaseLeft == .seconds(20))
    effects += session.check(from: 95.5, to: 220)
    effects += session.handle(.next, at: at(220.7))
    effects += session.check(from: 221, to: 250)
    #expect(Self.begins(effects) == ["1@95250", "2@120000", "3@220700", "4@240000"])
  }

  @Test func afterTheSendOffTheNextBeginsAtOnce() throws {
    var session = Self.session(try Self.timeline())
    _ = session.check(from: 0.5, to: 130)
    let effects = session.handle(.next, at: at(130))
    #expect(Self.begins(effects) == ["1@130000", "2@130000"])
    #expect(session.progress.outcomes.prefix(3) == [.done, .done, .pending])
    let cues = effects.compactMap { effect -> Cue? in
      if case .handOff(let handOff) = effect { handOff.cue } else { nil }
    }
    #expect(!cues.contains { $0.phase == 1 })
    #expect(cues.contains { $0.phase == 2 && $0.content == .transition(.effort) })
  }

  @Test func theRestIsSaidOnceItIsKnown() throws {
    var session = Self.session(try Self.timeline())
    _ = session.check(from: 0.5, to: 80)
    var effects = session.handle(.next, at: at(80))
    effects += session.check(from: 80.5, to: 120)
    let said = effects.compactMap { effect -> String? in
      guard case .handOff(let handOff) = effect, handOff.cue.isSpoken else { return nil }
      return "\(handOff.cue.content)@\(begin.duration(to: handOff.due).wholeMilliseconds)"
    }
    #expect(
      said == [
        "timeLeft@81200", "next(2)@82000", "setCompletion(from: 3)@117000",
      ])
  }

  @Test func aPauseMovesTheSendOff() throws {
    var session = Self.session(try Self.timeline())
    _ = session.check(from: 0.5, to: 60)
    _ = session.handle(.pause, at: at(60))
    _ = session.handle(.resume, at: at(70))
    _ = session.check(from: 70.5, to: 100)
    _ = session.handle(.next, at: at(100))
    #expect(session.transport.position(at: at(100)).phaseLeft == .seconds(30))
  }

  @Test func aSwimThatEndsByItselfLeavesTheRestOfTheSendOff() throws {
    let timeline = try Self.timeline(.untilNext, OpenBounds(atMost: .seconds(100)))
    #expect(
      timeline.entries.indices.map { timeline.length(of: $0) }
        == [100, 20, 100, 20, 100].map { .seconds($0) })
    #expect(timeline.length == .seconds(340))
    var session = Self.session(timeline)
    let effects = session.check(from: 0.5, to: 125)
    #expect(Self.begins(effects) == ["1@100000", "2@120000"])
  }

  @Test func aLongestSwimBeyondTheSendOffLeavesNothing() throws {
    let timeline = try Self.timeline(.untilNext, OpenBounds(atMost: .seconds(180)))
    #expect(timeline.length(of: 1) == .zero)
    #expect(timeline.length == .seconds(540))
    var session = Self.session(timeline)
    var effects = session.check(from: 0.5, to: 181)
    effects += session.handle(.next, at: at(270))
    #expect(Self.begins(effects) == ["1@180000", "2@180000", "3@270000"])
    #expect(session.transport.position(at: at(270)).phaseLeft == .seconds(30))
  }

  @Test func aDecidedEndLeavesTheRestOfTheSendOff() throws {
    var session = Self.session(
      try Self.timeline(.signal("wall"), OpenBounds(atLeast: .seconds(60))))
    var effects = session.check(from: 0.5, to: 40)
    effects += session.signal("wall", at: at(40))
    #expect(session.transport.start(of: 2) == .seconds(120))
    effects += session.check(from: 40.5, to: 121)
    #expect(Self.begins(effects) == ["1@60000", "2@120000"])
  }

  @Test func backLeadsToTheSwimNotToTheRest() throws {
    var session = Self.session(try Self.timeline())
    _ = session.handle(.next, at: at(100))
    _ = session.check(from: 100.5, to: 110)
    let inRest = session.handle(.back, at: at(110))
    #expect(Self.begins(inRest) == ["0@110000"])
    _ = session.handle(.next, at: at(200))
    _ = session.check(from: 200.5, to: 231)
    let afterIt = session.handle(.back, at: at(231))
    #expect(Self.begins(afterIt) == ["0@231000"])
  }

  @Test func aRestThatIsResumedEndsOnTheSameSendOff() throws {
    let timeline = try Self.timeline()
    var session = Self.session(timeline)
    _ = session.handle(.next, at: at(100))
    _ = session.check(from: 100.5, to: 105)
    let record = session.record(at: at(105))
    var restored = try #require(Session(timeline, plan: .plain).restoring(record))
    var effects = restored.restore(at: at(108), from: at(105), .running)
    effects += restored.check(from: 108.5, to: 121)
    #expect(Self.begins(effects) == ["2@120000"])
  }

  @Test func aSendOffIsStoredWithItsWorkout() throws {
    let workout = try Self.timeline().workout
    let length = workout.blocks[0].steps[1].phase.length
    #expect(length.duration == .seconds(120))
    #expect(length.sendOff == .seconds(120))
    #expect(throws: WorkoutError(.length(.zero), block: 0, step: 0)) {
      try Timeline(Workout("A", [Phase(.rest, .open(.sendOff(.zero)))]))
    }
  }
}
