import TestSupport
import Testing

@testable import IntervalTimeline

/// A session on a test's clock.
private struct Run {
  var session: Session
  var now = BootInstant(nanoseconds: 1_000_000_000_000)
  let begin = BootInstant(nanoseconds: 1_000_000_000_000)
  var effects: [SessionEffect] = []

  init(_ workout: Workout) throws {
    session = Session(try Timeline(workout), plan: .plain)
  }

  mutating func send(_ command: Command) { effects += session.handle(command, at: now) }

  /// A command, and the time after it.
  mutating func send(_ command: Command, then duration: Duration) {
    send(command)
    run(duration)
  }

  mutating func step(_ duration: Duration) {
    now = now + duration
    effects += session.check(at: now)
  }

  mutating func run(_ duration: Duration, every step: Duration = .milliseconds(500)) {
    let end = now + duration
    while now < end { self.step(min(step, now.duration(to: end))) }
  }

  /// "kind@milliseconds" of every cue handed off.
  var heard: [String] {
    effects.compactMap { effect in
      guard case .handOff(let handOff) = effect else { return nil }
      return text(handOff.cue, handOff.due)
    }
  }

  var missed: [String] {
    effects.compactMap { effect in
      guard case .silent(let cue) = effect, cue.reason == .missed else { return nil }
      return text(cue.cue, cue.due)
    }
  }

  var duplicates: [CueGate.Verdict] {
    effects.compactMap { effect in
      guard case .silent(let cue) = effect, case .duplicate(let verdict) = cue.reason else {
        return nil
      }
      return verdict
    }
  }

  var announcements: [HandOff] {
    effects.compactMap { effect in
      guard case .handOff(let handOff) = effect, case .setCompletion = handOff.cue.content else {
        return nil
      }
      return handOff
    }
  }

  private func text(_ cue: Cue, _ due: BootInstant) -> String {
    "\(cue.content)@\(begin.duration(to: due).wholeMilliseconds)"
  }
}

struct SessionTests {
  private static let mixed = Workout(
    name: "Mixed",
    blocks: [
      Block(steps: [.init(Phase(.prepare, .fixed(.seconds(5))))]),
      Block(
        sets: 6,
        steps: [
          .init(Phase(.low, .fixed(.milliseconds(7_350)))),
          .init(Phase(.high, .fixed(.seconds(2)))),
          .init(Phase(.recovery, .fixed(.seconds(44)))),
        ], between: Phase(.rest, .fixed(.seconds(11)))),
    ])

  private static func even() throws -> Run {
    var run = try Run(mixed)
    run.send(.start, then: .seconds(500))
    return run
  }

  @Test func twelveSetsOfTwiceThirtySecondsEndAtExactlyTwelveMinutes() throws {
    var run = try Run(.peakRush)
    run.send(.start, then: .seconds(800))
    #expect(run.effects.contains(.finished(at: run.begin + .seconds(720))))
    #expect(run.announcements.map(\.set) == Array(1...12))
    #expect(run.announcements.map(\.until) == (1...12).map { run.begin + .seconds($0 * 60) })
    #expect(run.session.progress.outcomes.allSatisfy { $0 == .done })
  }

  @Test(arguments: 1...20) func raggedChecksHandOffTheSameCuesAtTheSameInstants(_ seed: Int) throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    var run = try Run(Self.mixed)
    run.send(.start)
    while run.session.state == .running {
      run.step(.milliseconds(Int.random(in: 100...900, using: &random)))
    }
    let even = try Self.even()
    #expect(run.heard == even.heard)
    #expect(run.missed.isEmpty)
  }

  @Test func everyCueIsHandedOffBeforeItIsDue() throws {
    var run = try Run(Self.mixed)
    run.send(.start)
    while run.session.state == .running {
      let before = run.effects.count
      let asked = run.now + .milliseconds(500)
      run.step(.milliseconds(500))
      for case .handOff(let handOff) in run.effects[before...] { #expect(handOff.due >= asked) }
    }
  }

  @Test(arguments: [6, 8, 12, 15, 30, 57, 100, 250])
  func aStallPlaysWhatIsStillToComeAndRecordsTheRestOnceAsMissed(_ at: Int) throws {
    var run = try Run(Self.mixed)
    run.send(.start, then: .seconds(at))
    let stallBegins = run.begin.duration(to: run.now).wholeMilliseconds
    run.step(.seconds(5))
    run.run(.seconds(500))
    // What was handed off before the stall had its time; a stall longer than the horizon loses the
    // rest of those five seconds.
    let all = try Self.even().heard
    let said = run.heard.filter { !$0.hasPrefix("position") }
    #expect((said + run.missed).sorted() == all.sorted())
    #expect(Set(run.missed).count == run.missed.count)
    let lost = all.filter { cue in
      let due = Int64(cue.split(separator: "@").last!)!
      return due >= stallBegins + 1500 && due < stallBegins + 5000
    }
    // A set completion with words still to come is said in part.
    let partly = said.filter { $0.hasPrefix("setCompletion") }
    #expect(run.missed == lost.filter { !partly.contains($0) })
  }

  @Test func aBoundaryMissedInAStallIsReplacedByThePosition() throws {
    var run = try Run(.peakRush)
    run.send(.start, then: .seconds(20))
    run.step(.seconds(600))
    let places = run.heard.filter { $0.hasPrefix("position") }
    #expect(places == ["position@620250"])
    #expect(run.session.state == .running)
    #expect(run.missed.count > 50)
  }

  @Test func pauseDuringACountdownKeepsTheRemainingLead() throws {
    var run = try Run(.peakRush)
    run.send(.start, then: .milliseconds(27_500))
    run.send(.pause)
    #expect(run.effects.contains(.withdraw))
    run.run(.seconds(100))
    let before = run.heard.count
    run.send(.resume, then: .seconds(3))
    #expect(
      run.heard[before...] == [
        "countdown(2)@128000", "countdown(1)@129000",
        "transition(IntervalTimeline.Cue.Transition.effort)@130000",
      ])
  }

  @Test(arguments: 1...20) func pausesShiftEveryCueAndNeverReorderThem(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var run = try Run(Self.mixed)
    run.send(.start)
    var paused = Duration.zero
    // What was heard: the cues due before the next pause, at their workout time.
    var heard: [String] = []
    var from = 0
    while run.session.state == .running {
      run.run(.milliseconds(Int.random(in: 500...20_000, using: &random)))
      heard += Self.due(run.effects[from...], before: run.now, paused: paused, begin: run.begin)
      guard run.session.state == .running else { break }
      run.send(.pause)
      let pause = Duration.milliseconds(Int.random(in: 1...60_000, using: &random))
      run.run(pause)
      paused += pause
      from = run.effects.count
      run.send(.resume)
    }
    let even = try Self.even()
    let end = run.now - paused
    #expect(heard == Self.due(even.effects[...], before: end, paused: .zero, begin: even.begin))
  }

  @Test(arguments: 1...10) func aCopyOfASessionContinuesLikeTheOriginal(_ seed: Int) throws {
    // A session is a value, so a copy is like saving and loading it.
    var random = SeededGenerator(seed: UInt64(seed))
    var run = try Run(Self.mixed)
    run.send(.start, then: .milliseconds(Int.random(in: 0...300_000, using: &random)))
    if Bool.random(using: &random) { run.send(.pause) }
    var copy = run
    for command in [Command.resume, .next, .back] {
      run.send(command)
      copy.send(command)
      run.run(.seconds(20))
      copy.run(.seconds(20), every: .milliseconds(300))
    }
    #expect(copy.heard == run.heard)
    #expect(copy.session.progress.outcomes == run.session.progress.outcomes)
  }

  private static func due(
    _ effects: ArraySlice<SessionEffect>, before: BootInstant, paused: Duration, begin: BootInstant
  ) -> [String] {
    effects.compactMap { effect in
      guard case .handOff(let handOff) = effect, handOff.due < before else { return nil }
      // A pause splits an announcement into two pieces, which the engine's tests check.
      if case .setCompletion = handOff.cue.content { return nil }
      let time = begin.duration(to: handOff.due) - paused
      return "\(handOff.cue.content)@\(time.wholeMilliseconds)"
    }
  }

  @Test func nextWithdrawsAndBeginsTheFollowingPhase() throws {
    var run = try Run(.peakRush)
    run.send(.start, then: .seconds(29))
    run.send(.next)
    #expect(run.effects.contains(.phaseEnded(0, .skipped, at: run.now)))
    #expect(run.effects.contains(.phaseBegan(1, at: run.now)))
    #expect(run.heard.last == "transition(IntervalTimeline.Cue.Transition.effort)@29000")
    run.run(.seconds(30))
    #expect(run.announcements.last?.until == run.begin + .seconds(59))
  }

  @Test func finishingAnExerciseIsDoneAndSkippingARestIsSkipped() throws {
    var run = try Run(.strength)
    run.send(.start, then: .seconds(100))
    run.send(.next, then: .seconds(3))
    run.send(.next)
    #expect(run.session.progress.outcomes[..<3] == [.done, .skipped, .pending])
  }

  @Test func aWholeStrengthWorkoutWaitsForThePersonAndThenEnds() throws {
    var run = try Run(.strength)
    run.send(.start, then: .seconds(45))
    run.send(.next, then: .seconds(65))
    run.send(.next, then: .seconds(30))
    #expect(run.session.transport.position(at: run.now).phase == 4)
    run.send(.next, then: .seconds(60))
    #expect(run.session.state == .finished)
    #expect(run.session.progress.outcomes.allSatisfy { $0 == .done })
  }

  @Test func nextInTheLastPhaseFinishesAlsoOutOfAPause() throws {
    var run = try Run(.sets(1, [(.low, 30)]))
    run.send(.start, then: .seconds(5))
    run.send(.pause, then: .seconds(5))
    run.send(.next)
    #expect(run.effects.contains(.finished(at: run.now)))
    #expect(
      run.heard.suffix(2) == [
        "transition(IntervalTimeline.Cue.Transition.finish)@10000", "finish@11000",
      ])
  }

  @Test func goingBackToAnEarlierSetAnnouncesItAgain() throws {
    var run = try Run(.peakRush)
    run.send(.start, then: .seconds(61))
    run.send(.back, then: .seconds(31))
    #expect(run.announcements.map(\.set) == [1, 1])
    #expect(run.duplicates.isEmpty)
  }

  @Test func aSetAnnouncedWithinTheWindowIsADuplicate() throws {
    var run = try Run(.sets(3, [(.low, 4), (.high, 4)]))
    run.send(.start, then: .milliseconds(8_100))
    run.send(.back, then: .seconds(4))
    #expect(run.announcements.map(\.set) == [1])
    #expect(run.duplicates == [.withinWindow])
  }

  @Test func theSetNotedAtSchedulingIsKeptBesideTheLiveOne() throws {
    var run = try Run(.peakRush)
    run.send(.start)
    // Skipping set 1 before its announcement: set 1 was noted, set 2 is true.
    run.run(.seconds(10))
    run.send(.next)
    run.send(.next, then: .seconds(60))
    #expect(run.announcements.first?.set == 2)
    #expect(run.announcements.first?.scheduledSet == 1)
    run.run(.seconds(60))
    #expect(run.announcements.last?.set == 3)
    #expect(run.announcements.last?.scheduledSet == 3)
  }

  @Test func anAnnouncementCutOffByAPauseContinuesWithItsRemainingWords() throws {
    var run = try Run(.peakRush)
    run.send(.start, then: .milliseconds(57_500))
    run.send(.pause, then: .seconds(2))
    run.send(.resume)
    #expect(run.announcements.count == 2)
    #expect(run.announcements.last?.until == run.begin + .seconds(62))
    #expect(run.duplicates.isEmpty)
  }

  @Test func anAnnouncementThatWasNotBegunComesWholeAfterGoingBack() throws {
    var run = try Run(.sets(3, [(.low, 12)]))
    run.send(.start, then: .milliseconds(6_000))
    let announced = try #require(run.announcements.first)
    let first = announced.due - .milliseconds(1500)
    run.session.learn([WordFeedback(id: announced.id, place: first...first)])
    run.send(.back, then: .seconds(12))
    #expect(run.announcements.map(\.set) == [1, 1])
    #expect(run.duplicates.isEmpty)
  }

  @Test func commandsThatMakeNoSenseChangeNothing() throws {
    var run = try Run(.peakRush)
    for command in [Command.pause, .resume, .next, .back, .stop] { run.send(command) }
    #expect(run.effects.isEmpty)
    run.send(.start)
    run.send(.stop)
    let count = run.effects.count
    for command in Command.allCases { run.send(command) }
    #expect(run.effects.count == count)
    #expect(run.session.state == .stopped)
  }

  @Test func aSessionThatWaitsAsksForNoCheck() throws {
    var run = try Run(.strength)
    run.send(.start, then: .seconds(2))
    #expect(run.session.nextEvent == BootInstant(nanoseconds: .max))
  }

  @Test func hoursPassInMilliseconds() throws {
    var run = try Run(.sets(288, [(.low, 30), (.high, 30), (.recovery, 240)]))
    run.send(.start, then: .seconds(86_400))
    #expect(run.effects.contains(.finished(at: run.begin + .seconds(86_400))))
    #expect(run.announcements.count == 288)
  }
}
