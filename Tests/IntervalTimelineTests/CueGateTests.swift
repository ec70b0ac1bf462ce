import Testing

@testable import IntervalTimeline

struct CueGateTests {
  private var gate = CueGate()
  private let set3 = CueGate.Key.setCompletion(block: 0, set: 3)

  private func at(_ seconds: Int) -> BootInstant {
    BootInstant(nanoseconds: Int64(seconds) * 1_000_000_000)
  }

  @Test mutating func aSetIsAnnouncedOnce() {
    #expect(gate.admit(set3, isLastSet: false, due: at(0)) == .pass)
    #expect(gate.admit(set3, isLastSet: false, due: at(1000)) == .announced)
  }

  @Test mutating func anotherSetOrBlockIsAnotherAnnouncement() {
    #expect(gate.admit(set3, isLastSet: false, due: at(0)) == .pass)
    #expect(
      gate.admit(.setCompletion(block: 0, set: 4), isLastSet: false, due: at(1)) == .pass)
    #expect(
      gate.admit(.setCompletion(block: 1, set: 3), isLastSet: false, due: at(2)) == .pass)
  }

  @Test(arguments: [(0, CueGate.Verdict.withinWindow), (9, .withinWindow), (10, .pass)])
  mutating func theLastSetIsAlwaysAnnouncedButNotWithinTheWindow(
    _ after: Int, _ verdict: CueGate.Verdict
  ) {
    #expect(gate.admit(set3, isLastSet: true, due: at(0)) == .pass)
    #expect(gate.admit(set3, isLastSet: true, due: at(after)) == verdict)
  }

  @Test mutating func anotherAnnouncementOpensNoWindow() {
    #expect(gate.admit(.halfway(phase: 1), isLastSet: false, due: at(0)) == .pass)
    #expect(gate.admit(.next(phase: 1), isLastSet: false, due: at(1)) == .pass)
    #expect(gate.admit(.halfway(phase: 1), isLastSet: false, due: at(9)) == .withinWindow)
    #expect(gate.admit(.halfway(phase: 1), isLastSet: false, due: at(10)) == .pass)
  }

  @Test func ofTwoMemoriesOfOneAnnouncementTheLaterCounts() {
    let memories = [0, 8].map { CueGate.Memory.Recent(key: .next(phase: 1), due: at($0)) }
    for recent in [memories, memories.reversed()] {
      var gate = CueGate(window: .seconds(10), .init(announced: [], recent: recent))
      #expect(gate.admit(.next(phase: 1), isLastSet: false, due: at(12)) == .withinWindow)
    }
  }

  @Test func theWindowIsAParameter() {
    var gate = CueGate(window: .seconds(2))
    #expect(gate.admit(.next(phase: 1), isLastSet: false, due: at(0)) == .pass)
    #expect(gate.admit(.next(phase: 1), isLastSet: false, due: at(1)) == .withinWindow)
    #expect(gate.admit(.next(phase: 1), isLastSet: false, due: at(2)) == .pass)
  }

  @Test mutating func theWindowHoldsForEveryAnnouncement() {
    #expect(gate.admit(.halfway(phase: 2), isLastSet: false, due: at(0)) == .pass)
    #expect(gate.admit(.halfway(phase: 2), isLastSet: false, due: at(9)) == .withinWindow)
    #expect(gate.admit(.halfway(phase: 3), isLastSet: false, due: at(9)) == .pass)
  }

  @Test mutating func goingBackMakesTheSetAndLaterOnesAnnounceableAgain() {
    for set in 1...5 {
      #expect(
        gate.admit(.setCompletion(block: 0, set: set), isLastSet: false, due: at(set * 60))
          == .pass)
    }
    gate.goBack(toBlock: 0, set: 3)
    #expect(
      gate.admit(.setCompletion(block: 0, set: 2), isLastSet: false, due: at(900)) == .announced)
    #expect(gate.admit(set3, isLastSet: false, due: at(910)) == .pass)
    #expect(
      gate.admit(.setCompletion(block: 0, set: 5), isLastSet: false, due: at(920)) == .pass)
  }

  @Test mutating func goingBackDoesNotOpenTheWindow() {
    #expect(gate.admit(set3, isLastSet: false, due: at(0)) == .pass)
    gate.goBack(toBlock: 0, set: 3)
    #expect(gate.admit(set3, isLastSet: false, due: at(5)) == .withinWindow)
  }

  @Test mutating func whatNobodyHeardMayComeAtOnce() {
    #expect(gate.admit(set3, isLastSet: false, due: at(0)) == .pass)
    gate.withdraw(set3)
    #expect(gate.admit(set3, isLastSet: false, due: at(1)) == .pass)
  }

  @Test mutating func whatWasCutOffMayComeAfterTheWindow() {
    #expect(gate.admit(set3, isLastSet: false, due: at(0)) == .pass)
    gate.interrupt(set3)
    #expect(gate.admit(set3, isLastSet: false, due: at(9)) == .withinWindow)
    #expect(gate.admit(set3, isLastSet: false, due: at(12)) == .pass)
  }
}
