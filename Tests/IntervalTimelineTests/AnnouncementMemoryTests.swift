import Testing

@testable import IntervalTimeline

struct AnnouncementMemoryTests {
  private var memory = AnnouncementMemory(window: .seconds(10))
  private let set = CueGate.Key.setCompletion(block: 0, set: 1)

  private func at(_ seconds: Int) -> BootInstant {
    BootInstant(nanoseconds: Int64(seconds) * 1_000_000_000)
  }

  private func text(_ number: Int, at seconds: Int = 5, phase: Int = 0) -> Cue {
    Cue(phase: phase, content: .remark(number), at: .seconds(seconds))
  }

  private mutating func handOff(
    _ cue: Cue, id: Int, due: BootInstant, latest: BootInstant? = nil
  ) {
    memory.handOff(cue, id: id, due: due, latest: latest ?? due)
  }

  private mutating func learn(_ id: Int, _ place: ClosedRange<Int>?) {
    _ = memory.learn(
      WordFeedback(id: id, place: place.map { at($0.lowerBound)...at($0.upperBound) }))
  }

  private mutating func admit(
    _ key: CueGate.Key, id: Int, due: Int, until: Int? = nil, isLast: Bool = false
  ) -> CueGate.Verdict {
    memory.admit(key, id: id, isLastSet: isLast, due: at(due), until: at(until ?? due))
  }

  // MARK: Places

  @Test mutating func aTextKnowsWhereTheTextsBeforeItBegin() {
    handOff(text(0), id: 1, due: at(10))
    handOff(text(2), id: 2, due: at(12))
    #expect(memory.place(before: text(0)) == nil)
    #expect(memory.place(before: text(1)) == at(10))
    #expect(memory.place(before: text(3)) == at(12))
    learn(1, 15...17)
    #expect(memory.place(before: text(1)) == at(15))
    #expect(memory.place(before: text(3)) == at(15))
    // Texts of other phases, and other announcements, have no such order.
    #expect(memory.place(before: text(3, phase: 1)) == nil)
    #expect(memory.place(before: Cue(phase: 0, content: .halfway, at: .zero)) == nil)
  }

  @Test mutating func whatHasNoPlaceYetHoldsNothingUp() {
    handOff(text(0), id: 1, due: at(10))
    learn(1, nil)
    #expect(memory.place(before: text(1)) == nil)
    learn(1, 11...12)
    #expect(memory.place(before: text(1)) == at(11))
    // Feedback about what was never handed off changes nothing.
    learn(9, 20...21)
    #expect(memory.place(before: text(1)) == at(11))
  }

  @Test mutating func aCueThatIsHandedOffAgainHasOnePlace() {
    handOff(text(0), id: 1, due: at(10))
    handOff(text(0), id: 2, due: at(20))
    #expect(memory.place(before: text(1)) == at(20))
    learn(1, 22...23)
    #expect(memory.place(before: text(1)) == at(22))
    #expect(memory.areOver(by: at(23)))
    #expect(!memory.areOver(by: at(22)))
  }

  @Test mutating func placesAreForgottenAMinuteAfterTheirEnd() {
    handOff(text(0), id: 1, due: at(10))
    learn(1, 10...12)
    memory.forget(before: at(71))
    #expect(memory.place(before: text(1)) == at(10))
    memory.forget(before: at(72))
    #expect(memory.place(before: text(1)) == nil)
  }

  @Test mutating func whatNeverGotAPlaceIsForgottenAMinuteAfterItsLatestInstant() {
    handOff(text(0), id: 1, due: at(10), latest: at(14))
    learn(1, nil)
    memory.forget(before: at(73))
    #expect(!memory.areOver(by: at(100)))
    memory.forget(before: at(74))
    #expect(memory.areOver(by: at(100)))
    // It is too late for it after a pause as well.
    memory.withdraw(at: at(80), keepsPlace: true)
    #expect(!memory.owes(text(0)))
  }

  // MARK: Withdrawn by a pause

  @Test mutating func aPauseOwesWhatHadNotEndedAndKeepsWhatWasSaid() {
    for (id, number) in [1, 2, 3, 4].enumerated() {
      handOff(text(number), id: id, due: at(10))
    }
    learn(0, 10...12)
    learn(1, 18...21)
    learn(2, 25...26)
    learn(3, nil)
    memory.withdraw(at: at(20), keepsPlace: true)
    #expect((1...4).map { memory.hasSaid(text($0)) } == [true, false, false, false])
    #expect((1...4).map { memory.owes(text($0)) } == [false, true, true, true])
    // Nothing has a place any more.
    #expect(memory.place(before: text(9)) == nil)
    memory.beginPhase()
    #expect((1...4).allSatisfy { !memory.owes(text($0)) && !memory.hasSaid(text($0)) })
  }

  @Test mutating func whereTheWorkoutIsMovedNothingIsOwed() {
    handOff(text(1), id: 1, due: at(30))
    memory.withdraw(at: at(20), keepsPlace: false)
    #expect(!memory.owes(text(1)) && !memory.hasSaid(text(1)))
  }

  @Test mutating func anAnnouncementThatHadNotBegunMayComeAgainAtOnce() {
    #expect(admit(set, id: 1, due: 30) == .pass)
    memory.withdraw(at: at(29), keepsPlace: true)
    #expect(admit(set, id: 2, due: 31) == .pass)
    #expect(admit(set, id: 3, due: 50) == .announced)
  }

  @Test mutating func anAnnouncementThatAPauseCutOffPassesTheGateAgain() {
    #expect(admit(set, id: 1, due: 30, until: 33) == .pass)
    memory.withdraw(at: at(31), keepsPlace: true)
    // Once.
    #expect(admit(set, id: 2, due: 31) == .pass)
    #expect(admit(set, id: 3, due: 32) == .announced)
  }

  @Test mutating func anAnnouncementCutOffByAMoveMayComeAgainAfterTheWindow() {
    #expect(admit(set, id: 1, due: 30, until: 33) == .pass)
    memory.withdraw(at: at(31), keepsPlace: false)
    #expect(admit(set, id: 2, due: 39) == .withinWindow)
    #expect(admit(set, id: 3, due: 40) == .pass)
  }

  @Test mutating func aMoveDuringThePauseEndsTheInterruptedAnnouncement() {
    #expect(admit(set, id: 1, due: 30, until: 33) == .pass)
    memory.withdraw(at: at(31), keepsPlace: true)
    memory.withdraw(at: at(35), keepsPlace: false)
    #expect(admit(set, id: 2, due: 36) == .withinWindow)
    #expect(admit(set, id: 3, due: 41) == .pass)
  }

  @Test mutating func anAnnouncementBeginsWhereItWasPlaced() {
    // Its introduction comes before its numbers: at 28 s it has begun.
    #expect(admit(set, id: 1, due: 30, until: 33) == .pass)
    learn(1, 27...33)
    memory.withdraw(at: at(28), keepsPlace: false)
    #expect(admit(set, id: 2, due: 31) == .withinWindow)
  }

  @Test mutating func whatIsOverIsNotWithdrawn() {
    #expect(admit(set, id: 1, due: 30, until: 33) == .pass)
    memory.withdraw(at: at(34), keepsPlace: false)
    #expect(admit(set, id: 2, due: 60) == .announced)
    #expect(admit(set, id: 3, due: 60, isLast: true) == .pass)
  }

  @Test mutating func goingBackMakesASetAnnounceableAgain() {
    #expect(admit(set, id: 1, due: 30) == .pass)
    memory.forget(before: at(60))
    memory.goBack(toBlock: 0, set: 1)
    #expect(admit(set, id: 2, due: 60) == .pass)
  }

  // MARK: On the instant

  @Test(arguments: [false, true])
  mutating func anAnnouncementIsNotOverInTheInstantOfItsEnd(isForgottenThen: Bool) {
    #expect(admit(set, id: 1, due: 30, until: 33) == .pass)
    if isForgottenThen { memory.forget(before: at(33)) }
    memory.withdraw(at: at(33), keepsPlace: false)
    // Cut off, so that its set may be announced again.
    #expect(admit(set, id: 2, due: 41) == .pass)
  }

  @Test mutating func anAnnouncementHasBegunInTheInstantOfItsFirstWord() {
    #expect(admit(set, id: 1, due: 30, until: 33) == .pass)
    memory.withdraw(at: at(30), keepsPlace: false)
    #expect(admit(set, id: 2, due: 31) == .withinWindow)
  }

  @Test mutating func wordsAreSaidInTheInstantOfTheirEnd() {
    handOff(text(1), id: 1, due: at(10))
    learn(1, 10...20)
    memory.withdraw(at: at(20), keepsPlace: true)
    #expect(memory.hasSaid(text(1)) && !memory.owes(text(1)))
  }

  @Test mutating func wordsThatBeginInTheInstantOfTheEndWereSaid() {
    handOff(text(1), id: 1, due: at(20))
    let restored = AnnouncementMemory(
      window: .seconds(10), memory.record(at: at(20)), at: at(20))
    #expect(restored.hasSaid(text(1)))
  }

  @Test mutating func anAnnouncementThatIsPlacedLaterLastsUntilThen() {
    #expect(admit(set, id: 1, due: 30, until: 31) == .pass)
    learn(1, 35...36)
    memory.forget(before: at(32))
    memory.withdraw(at: at(33), keepsPlace: false)
    // It had not begun.
    #expect(admit(set, id: 2, due: 34) == .pass)
  }

  @Test mutating func whatIsForgottenLearnsNothingMore() {
    handOff(text(0), id: 1, due: at(10))
    memory.forget(before: at(70))
    learn(1, 71...72)
    #expect(memory.place(before: text(1)) == nil)
  }

  // MARK: Keeping

  @Test mutating func whatWasAnnouncedSurvivesTheProgram() {
    #expect(admit(set, id: 1, due: 10) == .pass)
    memory.forget(before: at(20))
    handOff(text(0), id: 2, due: at(18))
    handOff(text(1), id: 3, due: at(25))
    var restored = AnnouncementMemory(
      window: .seconds(10), memory.record(at: at(20)), at: at(20))
    #expect(restored.hasSaid(text(0)) && !restored.hasSaid(text(1)))
    #expect(
      restored.admit(set, id: 1, isLastSet: false, due: at(50), until: at(50)) == .announced)
  }

  @Test mutating func anAnnouncementThatTheEndCutOffContinues() {
    #expect(admit(set, id: 1, due: 30, until: 33) == .pass)
    let record = memory.record(at: at(29))
    var inTime = AnnouncementMemory(window: .seconds(10), record, at: at(33))
    #expect(inTime.admit(set, id: 1, isLastSet: false, due: at(33), until: at(33)) == .pass)
    var later = AnnouncementMemory(window: .seconds(10), record, at: at(34))
    #expect(later.admit(set, id: 1, isLastSet: false, due: at(50), until: at(50)) == .announced)
  }

  /// The number of the last set may overlap what is said about the next phase.
  @Test mutating func allAnnouncementsThatTheEndCutOffContinue() {
    let next = CueGate.Key.next(phase: 4)
    #expect(admit(set, id: 1, due: 30, until: 33) == .pass)
    #expect(admit(next, id: 2, due: 31, until: 33) == .pass)
    let record = memory.record(at: at(32))
    var restored = AnnouncementMemory(window: .seconds(10), record, at: at(32))
    // Stored again before either is said.
    restored = AnnouncementMemory(window: .seconds(10), restored.record(at: at(32)), at: at(32))
    for key in [set, next] {
      #expect(restored.admit(key, id: 1, isLastSet: false, due: at(33), until: at(33)) == .pass)
      // Once.
      #expect(restored.admit(key, id: 2, isLastSet: false, due: at(34), until: at(34)) != .pass)
    }
  }

  @Test mutating func allAnnouncementsThatAPauseCutOffContinue() {
    let next = CueGate.Key.next(phase: 4)
    #expect(admit(set, id: 1, due: 30, until: 33) == .pass)
    #expect(admit(next, id: 2, due: 31, until: 33) == .pass)
    memory.withdraw(at: at(32), keepsPlace: true)
    #expect(admit(set, id: 3, due: 33) == .pass)
    #expect(admit(next, id: 4, due: 33) == .pass)
  }
}
