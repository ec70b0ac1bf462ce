import TestSupport
import Testing

@testable import IntervalTimeline

/// The edges of a session's rules: on the instant, and just beside it.
struct SessionRuleTests {
  private func running(_ workout: Workout) throws -> Session {
    var session = Session(try Timeline(workout), plan: .plain)
    _ = session.handle(.start, at: begin)
    return session
  }

  /// Checks each half second from the start, and returns the effects.
  private func handOffs(_ effects: [SessionEffect]) -> [HandOff] {
    effects.compactMap { if case .handOff(let handOff) = $0 { handOff } else { nil } }
  }

  private func contents(_ effects: [SessionEffect]) -> [Cue.Content] {
    handOffs(effects).map(\.cue.content)
  }

  private func missed(_ effects: [SessionEffect]) -> [Cue.Content] {
    effects.compactMap { effect in
      if case .silent(let cue) = effect, cue.reason == .missed { cue.cue.content } else { nil }
    }
  }

  // MARK: Checks

  @Test func aCueIsHandedOffOnceItLiesWithinTheHorizonAndNotOnItsEdge() throws {
    var session = try running(.peakRush)
    _ = session.check(to: 25)
    #expect(session.nextEvent == at(25.5))
    #expect(contents(session.check(at: at(25.5))) == [])
    let later = at(25.5) + .nanoseconds(1)
    #expect(contents(session.check(at: later)) == [.countdown(3)])
  }

  @Test func aPhaseBeginsInTheCheckAtItsVeryInstant() throws {
    var session = try running(.peakRush)
    _ = session.check(to: 29)
    #expect(session.check(at: at(30) - .nanoseconds(1)).isEmpty)
    #expect(
      session.check(at: at(30)) == [
        .phaseEnded(0, .done, at: at(30)), .phaseBegan(1, at: at(30)),
      ])
  }

  @Test func aStallIsReportedEvenIfNoCueWasDue() throws {
    var session = try running(.peakRush)
    _ = session.check(to: 5)
    #expect(session.check(at: at(11)).isEmpty)
    #expect(contents(session.check(at: at(12), hasStalled: true)) == [.position])
  }

  @Test func aStallBeforeTheStartIsNone() throws {
    var session = Session(try Timeline(.peakRush), plan: .plain)
    let effects =
      session.handle(.start, at: begin) + session.check(at: at(-1), hasStalled: true)
    #expect(!contents(effects).contains(.position))
  }

  /// A workout of 20 s, checked until its tenth second and then at `seconds`.
  @Test(arguments: [(20.5, [Cue.Content.finish]), (25, [.position])])
  func aFinishThatIsMissedIsSaidOnce(seconds: Double, says: [Cue.Content]) throws {
    var session = try running(.sets(nil, [(.high, 20)]))
    _ = session.check(to: 10)
    let effects = session.check(at: at(seconds))
    #expect(missed(effects).contains(.transition(.finish)))
    #expect(contents(effects) == says)
    #expect(session.state == .finished)
  }

  @Test func nothingOfAHandOffMayBeginBeforeIt() throws {
    var session = try running(.peakRush)
    _ = session.check(to: 57)
    _ = session.handle(.pause, at: at(57.5))
    let again = handOffs(session.handle(.resume, at: at(60))).filter { $0.cue.isSpoken }
    #expect(again.map(\.earliest) == [at(60)])
    #expect(again.map(\.until) == [at(62.5)])
  }

  @Test func wordsAreOverWhenTheirPhaseIs() throws {
    var session = try running(.peakRush)
    let announcement = handOffs(session.check(to: 56)).last { $0.cue.isSpoken }
    #expect(announcement?.limit == at(60))
    #expect(announcement?.until == at(60))
  }

  @Test func beepsReplaceTheWordsOfASetThatWasJustAnnounced() throws {
    var session = try running(.sets(3, [(.low, 4), (.high, 4)]))
    _ = session.check(to: 8)
    let effects = session.handle(.back, at: at(8.1)) + session.check(from: 8.5, to: 12)
    let beeps = handOffs(effects).filter { $0.due > at(8.1) && $0.due <= at(12.1) }
    #expect(
      beeps.map(\.cue.content) == [
        .countdown(3), .countdown(2), .countdown(1), .transition(.setEnd), .transition(.ease),
      ])
    #expect(beeps.prefix(4).map(\.due) == [at(9.1), at(10.1), at(11.1), at(12.1)])
  }

  @Test func ofTheBeepsInsteadOfWordsAPauseLeavesThoseStillToCome() throws {
    var session = try running(.sets(3, [(.low, 4), (.high, 4)]))
    _ = session.check(to: 8)
    _ = session.handle(.back, at: at(8.1))
    _ = session.check(from: 8.5, to: 9)
    _ = session.handle(.pause, at: at(9.5))
    let beeps = handOffs(session.handle(.resume, at: at(10)))
    #expect(beeps.map(\.cue.content) == [.countdown(2), .countdown(1), .transition(.setEnd)])
    #expect(beeps.map(\.due) == [at(10.6), at(11.6), at(12.6)])
  }

  @Test func theEndOfTheLastSetHasNoSoundBesideTheFinish() throws {
    var session = try running(.sets(1, [(.low, 4), (.high, 4)]))
    _ = session.check(to: 7.5)
    let effects = session.handle(.back, at: at(7.9)) + session.check(from: 8, to: 12)
    let beeps = contents(effects).filter { $0 != .transition(.effort) && $0 != .finish }
    #expect(beeps == [.countdown(3), .countdown(2), .countdown(1), .transition(.finish)])
  }

  // MARK: Commands

  /// With less time left than words take, they are about the next phase.
  @Test(arguments: [(17.6, 0), (17.601, 1)])
  func thePositionIsThatOfThePhaseWithRoomForIt(seconds: Double, phase: Int) throws {
    var session = try running(.sets(nil, [(.low, 20), (.high, 20)]))
    _ = session.check(to: 17)
    let answer = handOffs(session.handle(.whereAmI, at: at(seconds))).first {
      $0.cue.content == .whereAmI
    }
    #expect(answer?.cue.phase == phase)
  }

  @Test(arguments: [(2.999, PhaseOutcome.skipped), (3, .done)])
  func anExerciseIsDoneFromTheThirdSecond(seconds: Double, outcome: PhaseOutcome) throws {
    var session = try running(.strength)
    let effects = session.handle(.next, at: at(seconds))
    #expect(effects.contains(.phaseEnded(0, outcome, at: at(seconds))))
  }

  @Test func aPhaseOfALengthIsSkippedHoweverLateAndASetsEndIsHeardWhereOneIs() throws {
    var session = try running(.strength)
    #expect(!contents(session.handle(.next, at: at(10))).contains(.transition(.setEnd)))
    let skipped = session.handle(.next, at: at(20))
    #expect(skipped.contains(.phaseEnded(1, .skipped, at: at(20))))
    #expect(!contents(skipped).contains(.transition(.setEnd)))
  }

  @Test func everyPauseCounts() throws {
    var session = try running(.peakRush)
    for second in [5.0, 10, 15] {
      _ = session.handle(.pause, at: at(second))
      _ = session.handle(.resume, at: at(second + 1))
    }
    #expect(session.record(at: at(20)).pauseCount == 3)
  }

  @Test func goingBackOpensThePhasesAgain() throws {
    var session = try running(.peakRush)
    _ = session.check(to: 65)
    #expect(session.progress.outcomes.prefix(3) == [.done, .done, .pending])
    _ = session.handle(.back, at: at(65))
    _ = session.handle(.back, at: at(65.5))
    #expect(session.progress.outcomes.prefix(3) == [.done, .pending, .pending])
  }

  @Test func nextInTheLastPhaseOfAPauseEndsTheWorkoutThen() throws {
    var session = try running(.sets(nil, [(.high, 20)]))
    _ = session.handle(.pause, at: at(5))
    let effects = session.handle(.next, at: at(65))
    #expect(session.state == .finished)
    #expect(handOffs(effects).first?.due == at(65))
    #expect(session.transport.pauses == .seconds(60))
    #expect(session.transport.elapsed(at: at(90)) == .seconds(5))
  }

  @Test func aCommandMakesRoomForTheSameQuestionAgain() throws {
    var session = try running(.peakRush)
    #expect(contents(session.handle(.whereAmI, at: at(5))) == [.whereAmI])
    #expect(contents(session.handle(.whereAmI, at: at(5.2))) == [])
    _ = session.handle(.pause, at: at(5.3))
    #expect(contents(session.handle(.whereAmI, at: at(5.4))) == [.whereAmI])
  }

  // MARK: On the instant

  @Test func theFirstPhaseBeginsInTheInstantOfTheStart() throws {
    var session = Session(try Timeline(.peakRush), plan: .plain)
    #expect(session.handle(.start, at: begin).contains(.phaseBegan(0, at: begin)))
  }

  @Test func aBeepInTheInstantOfAPauseIsHeardAfterIt() throws {
    var session = try running(.peakRush)
    _ = session.check(to: 26.5)
    _ = session.handle(.pause, at: at(27))
    let again = handOffs(session.handle(.resume, at: at(40)))
    #expect(again.first?.cue.content == .countdown(3))
    #expect(again.first?.due == at(40))
  }

  /// The middle of a minute, which found no room before the pause.
  @Test func wordsThatAPauseTookBackHaveTimeAfterTheyWereDue() throws {
    var session = try running(.sets(nil, [(.high, 60)]))
    let halfway = try #require(handOffs(session.check(to: 29)).first { $0.cue.content == .halfway })
    session.learn([WordFeedback(id: halfway.id, place: at(30.5)...at(31.5))])
    _ = session.handle(.pause, at: at(30.2))
    let effects = session.handle(.resume, at: at(40))
    #expect(contents(effects).contains(.halfway))
    #expect(missed(effects).isEmpty)
  }

  @Test func theSetThatIsAnnouncedAgainAfterAPauseIsTheOneThatRuns() throws {
    var session = try running(.peakRush)
    _ = session.check(to: 57)
    _ = session.handle(.pause, at: at(57.5))
    let again = handOffs(session.handle(.resume, at: at(60))).filter { $0.cue.isSpoken }
    #expect(again.map(\.set) == [1])
    #expect(again.map(\.scheduledSet) == [1])
  }

  @Test func whatIsUpcomingBeginsBeforeTheInstantAskedFor() throws {
    let session = try running(.peakRush)
    let first = try #require(session.upcoming(before: at(200)).first)
    #expect(session.upcoming(before: first.earliest).isEmpty)
    #expect(session.upcoming(before: first.earliest + .nanoseconds(1)).map(\.cue) == [first.cue])
  }

  // MARK: Postponing

  /// An answer comes up to ten seconds after its question, the second time after the next boundary.
  @Test(arguments: [(9.999, false), (10, true)])
  func anAnswerThatFindsNoRoomIsPostponedWhileItIsOne(seconds: Double, isInTime: Bool) throws {
    var session = try running(.sets(nil, [(.low, 20), (.high, 20)]))
    _ = session.check(to: 9)
    let answer = try #require(
      handOffs(session.handle(.whereAmI, at: at(seconds))).first { $0.cue.content == .whereAmI })
    let once = try #require(session.postponed(answer))
    #expect(once.id == answer.id)
    #expect(once.asked == at(seconds))
    #expect(once.latest == at(seconds + 10))
    let twice = session.postponed(once)
    #expect((twice != nil) == isInTime)
    guard let twice else { return }
    #expect(twice.id == answer.id)
    #expect(twice.cue.phase == 1)
    #expect(twice.due == at(20.6))
    #expect(twice.asked == at(seconds))
  }

  // MARK: Restoring

  /// A workout of two phases, stored in the second one.
  private func restored(_ commands: Command...) throws -> (session: Session, record: SessionRecord)
  {
    let timeline = try Timeline(.sets(nil, [(.low, 20), (.high, 20)]))
    var first = Session(timeline, plan: .plain)
    _ = first.handle(.start, at: begin)
    _ = first.check(to: 25)
    for command in commands { _ = first.handle(command, at: at(25)) }
    let record = first.record(at: at(25))
    return (try #require(Session(timeline, plan: .plain).restoring(record)), record)
  }

  @Test func whatWasDoneStaysDone() throws {
    let (session, _) = try restored()
    #expect(session.progress.outcomes == [.done, .pending])
  }

  @Test(arguments: [(RestoreMode.running, 0), (.held, 1), (.fromRecord, 1)])
  func anInterruptionIsAPauseUnlessTheTimerRanOn(mode: RestoreMode, count: Int) throws {
    var (session, record) = try restored()
    _ = session.restore(at: at(26), from: record.at, mode)
    #expect(session.progress.pauseCount == count)
    #expect(session.record(at: at(26)).pauseCount == count)
  }

  @Test(arguments: [(37.0, 0), (37.001, 1), (38.001, 2)])
  func whatWasDueWhileTheProgramLivedWasHeard(seconds: Double, count: Int) throws {
    var (session, _) = try restored()
    #expect(session.hear(until: at(seconds)) == count)
  }

  @Test func inAPauseNothingIsHeard() throws {
    var (session, _) = try restored(.pause)
    #expect(session.hear(until: at(39)) == 0)
  }

  /// The middle of a minute may be announced from its 29th second on.
  @Test(arguments: [(28.999, false), (29, true)])
  func wordsThatMayHaveBeenSaidBeforeTheEndAreNotSaidAgain(
    seconds: Double, isMissed: Bool
  ) throws {
    let timeline = try Timeline(.sets(nil, [(.high, 60)]))
    var first = Session(timeline, plan: .plain)
    _ = first.handle(.start, at: begin)
    _ = first.check(to: 10)
    let record = first.record(at: at(10))
    var second = try #require(Session(timeline, plan: .plain).restoring(record))
    let effects = second.restore(at: at(seconds), from: record.at, .running)
    #expect(missed(effects).contains(.halfway) == isMissed)
    #expect(contents(effects).contains(.halfway) == !isMissed)
  }
}
