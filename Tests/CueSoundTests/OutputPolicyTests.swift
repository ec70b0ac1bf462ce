import Testing

@testable import CueSound

struct OutputPolicyTests {
  private let millisecond: Int64 = 1_000_000

  @Test func aDeviceThatRunsDryGetsMoreUpToALimitAndLessAgainAfterAWhile() {
    var fill = QueueFill()
    #expect(fill.length == 48 * millisecond)
    fill.ranDry(at: 0)
    #expect(fill.length == 68 * millisecond)
    for _ in 0..<20 { fill.ranDry(at: 0) }
    #expect(fill.length == 200 * millisecond)
    fill.relax(at: 60_000 * millisecond)
    #expect(fill.length == 200 * millisecond)
    fill.relax(at: 60_001 * millisecond)
    #expect(fill.length == 180 * millisecond)
    for minute in 2..<20 { fill.relax(at: Int64(minute) * 61_000 * millisecond) }
    #expect(fill.length == 48 * millisecond)
  }

  @Test func aDeviceWithLongPeriodsIsKeptTwoPeriodsAhead() {
    #expect(QueueFill(period: 40 * millisecond).length == 80 * millisecond)
    #expect(QueueFill(period: 500 * millisecond).length == 1000 * millisecond)
  }

  @Test func waitsDoubleAndStayBelowTwoSeconds() {
    var backOff = BackOff()
    let waits = (0..<5).map { _ in backOff.next() / millisecond }
    #expect(waits == [250, 500, 1000, 1600, 1600])
    backOff.reset()
    #expect(backOff.next() == 250 * millisecond)
  }

  @Test func aDeviceThatPlaysIsProvenOnceAndThenPlays() {
    var watch = ProgressWatch(frame: 100, at: 0)
    #expect(watch.look(played: 100, written: 3000, at: 10 * millisecond) == .waiting)
    #expect(watch.look(played: 700, written: 3000, at: 20 * millisecond) == .proven)
    #expect(watch.look(played: 900, written: 3000, at: 30 * millisecond) == .plays)
  }

  @Test func aSoundServerMayStandStillForSomeSeconds() {
    var watch = ProgressWatch(frame: 0, at: 0, isServer: true)
    #expect(watch.look(played: 0, written: 3000, at: 3_900 * millisecond) == .waiting)
    #expect(watch.look(played: 0, written: 3000, at: 4_100 * millisecond) == .stuck)
  }

  @Test func aDeviceThatKeepsItsFramesForASecondIsStuck() {
    var watch = ProgressWatch(frame: 0, at: 0)
    #expect(watch.look(played: 500, written: 3000, at: 0) == .proven)
    #expect(watch.look(played: 500, written: 3000, at: 1000 * millisecond) == .plays)
    #expect(watch.look(played: 500, written: 3000, at: 1001 * millisecond) == .stuck)
  }

  @Test func aProcessThatSleptDoesNotBlameTheDevice() {
    var watch = ProgressWatch(frame: 0, at: 0)
    watch.overslept(at: 5000 * millisecond)
    #expect(watch.look(played: 0, written: 3000, at: 5500 * millisecond) == .waiting)
    #expect(watch.look(played: 0, written: 3000, at: 6001 * millisecond) == .stuck)
  }

  @Test func aDeviceWithNothingToPlayIsNotStuck() {
    var watch = ProgressWatch(frame: 0, at: 0)
    #expect(watch.look(played: 0, written: 0, at: 5000 * millisecond) == .waiting)
  }

  @Test func aDeviceThatIsAlwaysDryAtOnceIsGivenUp() {
    var watch = ProgressWatch(frame: 0, at: 0)
    let isGivenUp = [(1, 500), (1, 1001), (30, 2000)].map { length, at in
      watch.ranDry(after: length * millisecond, at: Int64(at) * millisecond)
    }
    #expect(isGivenUp == [false, true, false])
  }
}
