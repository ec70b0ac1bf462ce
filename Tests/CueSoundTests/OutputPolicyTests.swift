import Testing

@testable import CueSound

struct OutputPolicyTests {
  private func ms(_ count: Int64) -> Duration { .milliseconds(count) }
  private func at(_ milliseconds: Int64) -> BootInstant { .boot + ms(milliseconds) }

  @Test func aDeviceThatRunsDryGetsMoreUpToALimitAndLessAgainAfterAWhile() {
    var fill = QueueFill()
    #expect(fill.length == ms(48))
    fill.noteUnderrun(at: 0)
    #expect(fill.length == ms(68))
    for _ in 0..<20 { fill.noteUnderrun(at: 0) }
    #expect(fill.length == ms(200))
    fill.relax(at: at(60_000))
    #expect(fill.length == ms(200))
    fill.relax(at: at(60_001))
    #expect(fill.length == ms(180))
    for minute in 2..<20 { fill.relax(at: at(Int64(minute) * 61_000)) }
    #expect(fill.length == ms(48))
  }

  @Test func aDeviceWithLongPeriodsIsKeptTwoPeriodsAhead() {
    #expect(QueueFill(period: ms(40)).length == ms(80))
    #expect(QueueFill(period: ms(500)).length == ms(1000))
  }

  @Test func waitsDoubleUpToTheLongest() {
    var backOff = BackOff(from: ms(250), to: ms(1600))
    let waits = (0..<5).map { _ in backOff.next() }
    #expect(waits == [ms(250), ms(500), ms(1000), ms(1600), ms(1600)])
    backOff.reset()
    #expect(backOff.next() == ms(250))
    // A connection that ends at once was none.
    #expect(backOff.next(after: ms(9_999)) == ms(500))
    #expect(backOff.next(after: ms(10_000)) == ms(250))
  }

  @Test func aDeviceThatPlaysIsProvenOnceAndThenPlays() {
    var watch = ProgressWatch(frame: 100, at: 0)
    #expect(watch.look(played: 100, written: 3000, at: at(10)) == .waiting)
    #expect(watch.look(played: 700, written: 3000, at: at(20)) == .proven)
    #expect(watch.look(played: 900, written: 3000, at: at(30)) == .plays)
  }

  @Test func aSoundServerMayStandStillForSomeSeconds() {
    var watch = ProgressWatch(frame: 0, at: 0, isServer: true)
    #expect(watch.look(played: 0, written: 3000, at: at(3_900)) == .waiting)
    #expect(watch.look(played: 0, written: 3000, at: at(4_100)) == .stuck)
  }

  @Test func aDeviceThatKeepsItsFramesForASecondIsStuck() {
    var watch = ProgressWatch(frame: 0, at: 0)
    #expect(watch.look(played: 500, written: 3000, at: 0) == .proven)
    #expect(watch.look(played: 500, written: 3000, at: at(1000)) == .plays)
    #expect(watch.look(played: 500, written: 3000, at: at(1001)) == .stuck)
  }

  @Test func aProcessThatSleptDoesNotBlameTheDevice() {
    var watch = ProgressWatch(frame: 0, at: 0)
    watch.overslept(at: at(5000))
    #expect(watch.look(played: 0, written: 3000, at: at(5500)) == .waiting)
    #expect(watch.look(played: 0, written: 3000, at: at(6001)) == .stuck)
  }

  @Test func aDeviceWithNothingToPlayIsNotStuck() {
    var watch = ProgressWatch(frame: 0, at: 0)
    #expect(watch.look(played: 0, written: 0, at: at(5000)) == .waiting)
  }

  @Test func aDeviceThatIsAlwaysDryAtOnceIsGivenUp() {
    var watch = ProgressWatch(frame: 0, at: 0)
    let isGivenUp = ([(1, 500), (1, 1001), (30, 2000)] as [(Int64, Int64)]).map { length, at in
      watch.noteUnderrun(after: ms(length), at: self.at(at))
    }
    #expect(isGivenUp == [false, true, false])
  }
}
