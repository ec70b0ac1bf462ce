import Foundation
import TestSupport
import Testing

@testable import IntervalTimeline

/// Phases that count rounds, surprises, and lengths that are only about right.
struct RoundsTests {
  private static func timeline() throws -> Timeline {
    var work = Phase(.work, .fixed(.seconds(60)))
    work.total = "Rounds: {counted}"
    let rest = Phase(.rest, .fixed(.seconds(20)))
    return try Timeline(Workout("AMRAP", [work, rest]))
  }

  private static func session() throws -> Session {
    var session = Session(try timeline(), plan: .plain)
    _ = session.handle(.start, at: begin)
    return session
  }

  private static func said(_ effects: [SessionEffect]) -> [String] {
    effects.compactMap { effect in
      guard case .handOff(let handOff) = effect else { return nil }
      switch handOff.cue.content {
      case .repetition(let count): return "\(count)"
      case .total(let phase, let count):
        return "phase \(phase): \(count)@\(begin.duration(to: handOff.due).wholeMilliseconds)"
      default: return nil
      }
    }
  }

  @Test func nextAndRepCountRoundsAndTheTotalIsSaidAtTheEnd() throws {
    var session = try Self.session()
    var effects = session.check(from: 0.5, to: 20)
    effects += session.handle(.next, at: at(20))
    effects += session.handle(.rep, at: at(40))
    effects += session.handle(.next, at: at(59.9))
    #expect(session.transport.position(at: at(59.9)).phase == 0)
    #expect(effects.contains(.obeyed(.next, at: at(20))))
    #expect(session.progress.repetitions(at: at(59.9)) == 3)
    effects += session.check(from: 60, to: 65)
    #expect(Self.said(effects) == ["1", "2", "3", "phase 0: 3@60800"])
    #expect(session.progress.repetitions(at: at(65)) == nil)
    #expect(session.progress.outcomes == [.done, .pending])
  }

  @Test func theSummaryCountsTheRoundsOfEveryPhase() throws {
    let timeline = try Self.timeline()
    func rounds(_ session: Session, at seconds: Double) throws -> Int {
      let now = at(seconds)
      let data = try JSONEncoder().encode(session.record(at: now))
      let record = try JSONDecoder().decode(SessionRecord.self, from: data)
      #expect(
        Session(timeline, plan: .plain).restoring(record)?.record(at: now).rounds == record.rounds)
      return try #require(SessionSummary(record, in: timeline, at: now)).rounds
    }
    var session = try Self.session()
    #expect(try rounds(session, at: 0) == 0)
    _ = session.handle(.rep, at: at(20))
    _ = session.handle(.rep, at: at(30))
    #expect(try rounds(session, at: 40) == 2)
    _ = session.check(from: 60, to: 65)
    #expect(try rounds(session, at: 65) == 2)
    _ = session.handle(.back, at: at(70))
    _ = session.handle(.back, at: at(71))
    #expect(session.transport.position(at: at(71)).phase == 0)
    #expect(try rounds(session, at: 71) == 0)
    _ = session.handle(.rep, at: at(80))
    _ = session.check(from: 80, to: 160)
    #expect(session.state == .finished)
    #expect(try rounds(session, at: 160) == 1)
  }

  @Test func inAPauseNextEndsThePhase() throws {
    var session = try Self.session()
    _ = session.handle(.next, at: at(10))
    _ = session.handle(.pause, at: at(20))
    let effects = session.handle(.next, at: at(25))
    #expect(session.transport.position(at: at(25)).phase == 1)
    #expect(session.progress.outcomes.first == .skipped)
    #expect(Self.said(effects).count == 1)
  }

  @Test func withoutARoundNothingIsSaidOfThem() throws {
    var session = try Self.session()
    #expect(Self.said(session.check(from: 0.5, to: 70)).isEmpty)
  }

  @Test func theTotalIsSaidAfterTheLastPhase() throws {
    var workout = try Self.timeline().workout
    workout.blocks[0].steps.removeLast()
    var session = Session(try Timeline(workout), plan: .plain)
    _ = session.handle(.start, at: begin)
    _ = session.handle(.next, at: at(30))
    let effects = session.check(from: 30.5, to: 61)
    #expect(Self.said(effects) == ["phase 0: 1@60800"])
    #expect(session.state == .finished)
  }

  @Test func roundsThatWereCountedAreResumed() throws {
    var session = try Self.session()
    _ = session.handle(.next, at: at(10))
    _ = session.handle(.next, at: at(20))
    let record = session.record(at: at(30))
    #expect(record.repetitions == 2)
    var restored = try #require(Session(try Self.timeline(), plan: .plain).restoring(record))
    _ = restored.restore(at: at(31), from: at(30), .running)
    let effects = restored.handle(.rep, at: at(32)) + restored.check(from: 32.5, to: 61)
    #expect(Self.said(effects) == ["3", "phase 0: 3@60800"])
  }

  // MARK: Surprises

  private static func surprising() throws -> Timeline {
    var surge = Phase(.high, .fixed(.seconds(50)))
    surge.isSurprise = true
    let easy = Phase(.recovery, .fixed(.seconds(120)))
    return try Timeline(Workout("Fartlek", sets: 2, [surge, easy]))
  }

  @Test func nothingLeadsToASurprise() throws {
    var plan = CuePlan()
    plan.density = .full
    let timeline = try Self.surprising()
    let before = plan.cues(of: 1, in: timeline).map(\.content)
    #expect(before == [.transition(.rest), .begins, .transition(.setEnd)])
    // What follows another phase is announced as ever.
    #expect(plan.cues(of: 0, in: timeline).contains { $0.content == .countdown(3) })
    #expect(plan.cues(of: 3, in: timeline).contains { $0.content == .setCompletion(from: 3) })
  }

  // MARK: About

  @Test func totalsAreAboutRightWhereAPhaseSaysSo() throws {
    func timeline(_ bounds: OpenBounds, _ rest: PhaseLength) throws -> Timeline {
      let work = Block.Step(Phase(.work, .open(.untilNext, bounds)))
      return try Timeline(
        Workout(name: "A", blocks: [Block(sets: 2, steps: [work, .init(Phase(.rest, rest))])]))
    }
    let (about, most) = (Duration.seconds(200), Duration.seconds(300))
    let fixed = PhaseLength.fixed(.seconds(60))
    #expect(try timeline(OpenBounds(about: about), fixed).aboutLength == .seconds(520))
    #expect(try timeline(OpenBounds(about: about), fixed).length == nil)
    #expect(try timeline(OpenBounds(atMost: most), fixed).aboutLength == nil)
    #expect(try timeline(OpenBounds(about: about), .open(.untilNext)).aboutLength == nil)
    let sendOff = PhaseLength.open(.sendOff(.seconds(240)))
    #expect(
      try timeline(OpenBounds(atMost: most, about: about), sendOff).aboutLength == .seconds(480))
    #expect(throws: WorkoutError(.length(.zero), block: 0, step: 0)) {
      try timeline(OpenBounds(about: .zero), fixed)
    }
  }
}
