import TestSupport
import Testing

@testable import IntervalTimeline

/// How an interrupted session continues.
struct RecoveryTests {
  private static let hour: Int64 = 3_600_000_000_000
  /// Three sets of 20 s and 10 s.
  private let timeline: Timeline
  private let record: SessionRecord

  init() throws {
    timeline = try Timeline(
      Workout(
        "Test", sets: 3, [Phase(.high, .fixed(.seconds(20))), Phase(.low, .fixed(.seconds(10)))]))
    var session = Session(timeline, plan: .plain)
    _ = session.handle(.start, at: Self.at(100))
    _ = session.check(at: Self.at(125))
    record = session.record(at: Self.at(125))
  }

  private static func at(_ seconds: Int64) -> BootInstant {
    BootInstant(nanoseconds: seconds * 1_000_000_000)
  }

  /// The clocks when the record was made.
  private let saved = ClockReading(
    boot: at(125), wall: 1_790_000_000_000_000_000, bootID: "one", isSynchronised: true)

  /// A program that was killed between the end and the check that would have seen it.
  @Test(arguments: [RestoreMode.running, .held, .fromRecord]) func whatWasRecordedAtItsEndFinishes(
    mode: RestoreMode
  ) throws {
    var running = Session(timeline, plan: .plain)
    _ = running.handle(.start, at: Self.at(100))
    _ = running.check(at: Self.at(189))
    let atEnd = running.record(at: Self.at(190))
    var again = try #require(Session(timeline, plan: .plain).restoring(atEnd))
    let effects = again.restore(at: Self.at(200), from: Self.at(190), mode)
    #expect(effects.contains(.finished(at: Self.at(190))))
    #expect(again.state == .finished && again.progress.outcomes.allSatisfy { $0 == .done })
    #expect(again.signal("ready", at: Self.at(201)).isEmpty)
  }

  /// Recorded between the end of its first phase and the check that would have seen it.
  @Test func aPhaseThatEndedBeforeTheRecordIsDone() throws {
    var running = Session(timeline, plan: .plain)
    _ = running.handle(.start, at: Self.at(100))
    _ = running.check(at: Self.at(119))
    let record = running.record(at: Self.at(121))
    var again = try #require(Session(timeline, plan: .plain).restoring(record))
    let effects = again.restore(at: Self.at(125), from: Self.at(121), .running)
    #expect(effects.contains(.phaseEnded(0, .done, at: Self.at(120))))
    #expect(again.progress.outcomes.prefix(2) == [.done, .pending])
  }

  @Test func whatWasPausedAtItsEndHasFinished() throws {
    var record = record
    record.anchors.pausedSince = Self.at(190)
    record.anchors.state = .paused
    record.at = Self.at(190)
    var again = try #require(Session(timeline, plan: .plain).restoring(record))
    #expect(again.state == .finished)
    _ = again.restore(at: Self.at(200), from: Self.at(190), .held)
    #expect(again.handle(.next, at: Self.at(201)).isEmpty)
  }

  private func later(
    _ seconds: Int64, boot: String = "one", bootSeconds: Int64? = nil, isSynchronised: Bool = true
  ) -> ClockReading {
    ClockReading(
      boot: Self.at(bootSeconds ?? 125 + seconds), wall: saved.wall + seconds * 1_000_000_000,
      bootID: boot, isSynchronised: isSynchronised)
  }

  private func decide(
    _ policy: ResumePolicy?, _ now: ClockReading, crashes: Int = 1,
    saved: ClockReading? = nil
  ) -> Recovery.Decision {
    Recovery(policy: policy).decide(
      record, of: timeline, saved: saved ?? self.saved, now: now, crashes: crashes)
  }

  @Test func inTheSameBootTheTimerKeptRunning() {
    #expect(decide(nil, later(30)) == .continue(record))
  }

  @Test func theWallClockCountsForNothingInTheSameBoot() {
    var now = later(30)
    for jump in [-24, 24, 24 * 365 * 30] {
      now.wall = saved.wall + Int64(jump) * Self.hour
      #expect(decide(nil, now) == .continue(record))
    }
  }

  @Test func afterARebootItIsPausedWhereItWas() {
    let now = later(3600, boot: "two", bootSeconds: 40)
    guard case .hold(let held, nil) = decide(nil, now) else { return failed(decide(nil, now)) }
    #expect(held.at == Self.at(40))
    #expect(held.anchors.started == Self.at(40 - 25))
  }

  @Test func afterARebootTheTimeIsKnownOnlyIfTheClockWasSetBothTimes() {
    let now = later(20, boot: "two", bootSeconds: 12)
    guard case .continue(let moved) = decide(.continue, now) else {
      return failed(decide(.continue, now))
    }
    // 25 s were done when it was kept, and 20 s have passed: 45 s now.
    #expect(moved.anchors.started == Self.at(12 - 45))
    var unset = saved
    unset.isSynchronised = false
    for (saved, now) in [
      (unset, now), (saved, later(20, boot: "two", bootSeconds: 12, isSynchronised: false)),
    ] {
      guard case .hold(let held, .unknownTime) = decide(.continue, now, saved: saved) else {
        return failed(decide(.continue, now, saved: saved))
      }
      #expect(held.anchors.started == Self.at(12 - 25))
    }
  }

  @Test func aClockThatWentBackOverARebootGivesNoDuration() {
    let now = later(-50 * 365 * 86_400, boot: "two", bootSeconds: 12)
    guard case .hold(_, .unknownTime) = decide(.continue, now) else {
      return failed(decide(.continue, now))
    }
  }

  @Test func itsEndMayHavePassedMeanwhile() {
    #expect(decide(nil, later(64)) == .continue(record))
    #expect(decide(nil, later(65)) == .ended(record, at: Self.at(190)))
    #expect(decide(.hold, later(65)) == .hold(record, nil))
  }

  @Test(arguments: [39_600, 43_201, 2_592_000])
  func itsEndPassedHoweverLongAgo(seconds: Int64) {
    let ended = Recovery.Decision.ended(record, at: Self.at(190))
    #expect(decide(nil, later(seconds)) == ended)
    #expect(decide(.continue, later(seconds), crashes: 4) == ended)
    // Also after a reboot, if both wall clocks were synchronised.
    let now = later(seconds, boot: "two", bootSeconds: 40)
    guard case .ended(let moved, let end) = decide(.continue, now) else {
      return failed(decide(.continue, now))
    }
    #expect(end == Self.at(40 + 65 - seconds))
    #expect(moved.anchors.started == Self.at(40 - 25 - seconds))
  }

  @Test func whatHasNoEndIsTooOldAfterTwelveHours() throws {
    #expect(decide(.hold, later(12 * 3600)) == .hold(record, nil))
    #expect(decide(.hold, later(12 * 3600 + 1)) == .tooOld)
    var paused = record
    paused.anchors.state = .paused
    paused.anchors.pausedSince = Self.at(120)
    for (seconds, decision) in [
      (12 * 3600, .continue(paused)), (12 * 3600 + 1, .tooOld),
    ] as [(Int64, Recovery.Decision)] {
      let made = Recovery(policy: nil).decide(
        paused, of: timeline, saved: saved, now: later(seconds), crashes: 1)
      #expect(made == decision)
    }
    // Its age is unknown.
    let now = later(99 * 86_400, boot: "two", bootSeconds: 12, isSynchronised: false)
    guard case .hold = decide(nil, now) else { return failed(decide(nil, now)) }
  }

  @Test func theThirdCrashInARowHoldsIt() {
    #expect(decide(nil, later(5), crashes: 2) == .continue(record))
    #expect(decide(nil, later(5), crashes: 3) == .hold(record, .crashes))
    #expect(decide(.continue, later(5), crashes: 4) == .hold(record, .crashes))
  }

  @Test func discardDiscards() {
    #expect(decide(.discard, later(5)) == .discard)
  }

  @Test func aBootClockFarBehindTheRecordGivesNoDuration() {
    let decision = decide(nil, later(5, bootSeconds: 3))
    guard case .hold(let held, .unknownTime) = decision else { return failed(decision) }
    #expect(held.at == Self.at(3))
  }

  @Test func aStartStoredInAdvanceHasNoAge() {
    #expect(decide(nil, later(0, bootSeconds: 95)) == .continue(record))
    #expect(later(0, bootSeconds: 95).since(saved) == .zero)
    // A session may be stored at most a minute before its start.
    #expect(decide(nil, later(0, bootSeconds: 65)) == .continue(record))
    #expect(later(0, bootSeconds: 64).since(saved) == nil)
  }

  // MARK: Where nobody can go on with what is held

  private func decideRunning(
    _ record: SessionRecord, _ policy: ResumePolicy?, _ now: ClockReading, crashes: Int = 1
  ) -> Recovery.Decision {
    Recovery(policy: policy, mustRun: true).decide(
      record, of: timeline, saved: saved, now: now, crashes: crashes)
  }

  @Test func whatMustRunContinuesFromTheRecordAfterAReboot() {
    let unknown = later(3600, boot: "two", bootSeconds: 40, isSynchronised: false)
    for policy in [nil, .continue] as [ResumePolicy?] {
      guard case .continueFromRecord(let held) = decideRunning(record, policy, unknown) else {
        return failed(decideRunning(record, policy, unknown))
      }
      #expect(held.anchors.started == Self.at(40 - 25))
    }
    #expect(decideRunning(record, nil, later(5)) == .continue(record))
  }

  @Test func whatMustRunLeavesItsPause() {
    var paused = record
    paused.anchors.state = .paused
    paused.anchors.pausedSince = Self.at(120)
    #expect(decideRunning(paused, nil, later(30)) == .continueFromRecord(paused))
    #expect(decide(nil, later(30)) == .continue(record))
  }

  @Test func whatIsToBeHeldOrHasCrashedIsHeldAllTheSame() {
    let reboot = later(3600, boot: "two", bootSeconds: 40)
    for decision in [
      decideRunning(record, .hold, later(5)), decideRunning(record, .hold, reboot),
      decideRunning(record, nil, reboot, crashes: 3),
      decideRunning(record, nil, later(5), crashes: 3),
      decideRunning(
        record, .continue, later(5, boot: "two", bootSeconds: 40, isSynchronised: false),
        crashes: 3),
    ] {
      guard case .hold = decision else { return failed(decision) }
    }
  }

  private func failed(_ decision: Recovery.Decision) {
    Issue.record("decided \(decision)")
  }
}
