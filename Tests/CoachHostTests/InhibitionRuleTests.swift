import CoachHost
import IntervalTimeline
import Testing

@Suite struct InhibitionRuleTests {
  private func at(_ seconds: Int64) -> BootInstant {
    BootInstant(nanoseconds: seconds * 1_000_000_000)
  }

  @Test func aWorkoutThatRunsKeepsTheMachineAwake() {
    var rule = InhibitionRule()
    #expect(rule.decide([], at: at(0)) == .init(isNeeded: false, until: nil))
    #expect(rule.decide([.ready, .finished], at: at(1)) == .init(isNeeded: false, until: nil))
    #expect(rule.decide([.paused, .running], at: at(2)) == .init(isNeeded: true, until: nil))
    #expect(rule.decide([.stopped], at: at(3)) == .init(isNeeded: false, until: nil))
  }

  @Test func aPauseKeepsItAwakeForTenMinutes() {
    var rule = InhibitionRule()
    _ = rule.decide([.running], at: at(0))
    #expect(rule.decide([.paused], at: at(100)) == .init(isNeeded: true, until: at(700)))
    #expect(rule.decide([.paused], at: at(699)) == .init(isNeeded: true, until: at(700)))
    #expect(rule.decide([.paused], at: at(700)) == .init(isNeeded: false, until: nil))
    #expect(rule.decide([.paused], at: at(5000)) == .init(isNeeded: false, until: nil))
    // A pause begins anew after the workout has run.
    _ = rule.decide([.running], at: at(5001))
    #expect(rule.decide([.paused], at: at(5002)) == .init(isNeeded: true, until: at(5602)))
  }
}
