import ControlProtocol
import IntervalTimeline
import Phrases
import Testing

import struct NoticeRules.CoachWatch

@testable import DesktopStatus

@Suite struct WorkoutNoticesTests {
  private var notices = WorkoutNotices([])
  private var revision: UInt64 = 1

  init() { begin(Set(NoticeKind.allCases)) }

  private mutating func begin(_ kinds: Set<NoticeKind>, told: String = "") {
    notices = WorkoutNotices(kinds, told: told)
    _ = take()
  }

  private func words(_ language: String) -> PhraseCatalogue { .english }

  private mutating func take(_ lanes: WorkoutStatus..., at now: Int64 = 0) -> [WorkoutNotices
    .Effect]
  {
    notices.take(snapshot(lanes, at: now, revision: revision), at: now, words)
  }

  private mutating func take(_ lane: WorkoutStatus, _ kind: ControlEvent.Kind)
    -> [WorkoutNotices.Effect]
  {
    revision += 1
    return notices.take(event(kind, lane, revision), at: 0, words)
  }

  private func lines(_ effects: [WorkoutNotices.Effect]) -> [String] {
    effects.flatMap { if case .show(let notice) = $0 { notice.lines } else { ["\($0)"] } }
  }

  @Test mutating func aWorkoutIsToldFromItsBeginningToItsEnd() {
    #expect(lines(take(status(phase: 0, elapsed: .zero), .lane)) == ["High, set 1 of 2"])
    let next = take(status(phase: 1, elapsed: .zero), .lane)
    #expect(lines(next) == ["High, set 1 of 2"])
    // One whose time is over does not come back for that.
    #expect(
      next.allSatisfy { if case .show(let notice) = $0 { notice.onlyReplaces } else { false } })
    #expect(lines(take(status(phase: 1, .paused), .lane)) == ["paused, High, set 1 of 2"])
    #expect(lines(take(status(phase: 1), .lane)) == ["High, set 1 of 2"])
    // A repetition, a target: no news.
    #expect(take(status(phase: 1, elapsed: .seconds(11)), .lane).isEmpty)
    var end = status(phase: 4, .finished)
    (end.done, end.skipped, end.setsDone, end.elapsed) = (3, 1, 1, .seconds(100))
    #expect(
      lines(take(end, .lane)) == ["complete after 1:40", "1 set, 3 of 4 phases done, 1 skipped"])
    #expect(take(end, .ended).isEmpty)
  }

  @Test mutating func oneThatIsStoppedLeavesNoNotice() {
    _ = take(status(phase: 0, elapsed: .zero), .lane)
    #expect(take(status(phase: 1, .stopped), .ended) == [.withdraw("anna")])
  }

  @Test mutating func oneThatRanBeforeDoesNotBegin() {
    #expect(take(status(phase: 2)) == [.withdraw("anna")])
  }

  @Test mutating func onlyWhatIsAskedForIsTold() {
    begin([])
    #expect(take(status(phase: 0, elapsed: .zero), .lane) == [.withdraw("anna")])
    #expect(take(status(phase: 2, elapsed: .zero), .lane).isEmpty)
    #expect(take(status(phase: 4, .finished), .lane) == [.withdraw("anna")])
    notices.lose(at: 0)
    #expect(notices.check(at: 99 * second, words).isEmpty)
  }

  // MARK: A coach that goes away

  @Test mutating func aCoachThatComesBackWasNotInterrupted() {
    _ = take(status(phase: 2))
    notices.lose(at: 5 * second)
    #expect(notices.deadline == 25 * second)
    #expect(notices.check(at: 24 * second, words).isEmpty)
    _ = take(status(phase: 2))
    #expect(notices.deadline == nil && notices.check(at: 99 * second, words).isEmpty)
  }

  @Test mutating func aCoachThatStaysAwayWasInterrupted() {
    _ = take(status(phase: 2))
    notices.lose(at: 5 * second)
    let effects = notices.check(at: 25 * second, words)
    #expect(lines(effects) == ["interrupted after 1:15, set 2 of 2"])
    guard case .show(let notice)? = effects.first else { return }
    #expect(notice.buttons.isEmpty)
    #expect(notices.check(at: 99 * second, words).isEmpty)
  }

  private func session(_ lane: String, _ place: String = "set 1 of 2", age: Double = 90)
    -> SessionEntry
  {
    SessionEntry(lane: lane, workout: "Row", place: place, age: age)
  }

  private func buttons(_ effects: [WorkoutNotices.Effect]) -> [[Notice.Button]] {
    effects.compactMap {
      if case .show(let notice) = $0 { notice.buttons.map(\.button) } else { nil }
    }
  }

  @Test mutating func whatCanBeResumedHasAButton() {
    _ = take(status("anna"), status("ben"))
    notices.lose(at: 0)
    _ = take()
    #expect(notices.check(at: 20 * second, words) == [.ask(.sessions)])
    let effects = notices.take([session("ben")], words)
    #expect(effects.count == 2 && buttons(effects) == [[], [.resume]])
    #expect(
      notices.press(.resume, of: "ben", at: 0, words) == [.ask(.command(.resume, lane: "ben"))])
  }

  @Test mutating func whatWasInterruptedBeforeIsToldOnce() {
    #expect(notices.askForEarlier() == [.ask(.sessions)])
    #expect(notices.askForEarlier().isEmpty)
    let effects = notices.take([session("anna")], words)
    #expect(lines(effects) == ["anna: Row was interrupted 1:30 ago, at set 1 of 2"])
    #expect(buttons(effects) == [[.resume]])
    // Until it is on the desktop nobody knows.
    #expect(notices.told.isEmpty)
    let isNew = notices.shown("anna", isRefused: false)
    let isNewAgain = notices.shown("anna", isRefused: false)
    #expect(isNew && !isNewAgain)
    begin([.interrupted], told: notices.told)
    #expect(notices.take([session("anna")], words).isEmpty)
    // It has gone on, and was interrupted again.
    #expect(notices.take([session("anna", "set 2 of 2")], words).count == 1)
  }

  @Test mutating func whatTheServerRefusesIsToldByTheNext() {
    _ = notices.askForEarlier()
    _ = notices.take([session("anna")], words)
    #expect(notices.shown("anna", isRefused: true) == false)
    #expect(notices.askForEarlier().isEmpty)
    notices.beginAnew()
    #expect(notices.askForEarlier() == [.ask(.sessions)])
    #expect(notices.take([session("anna")], words).count == 1)
  }

  @Test mutating func whatRunsOrIsWaitedForWasNotInterruptedBefore() {
    _ = take(status("anna"), status("ben"))
    notices.lose(at: 0)
    _ = take(status("anna"))
    #expect(notices.take([session("anna"), session("ben")], words).isEmpty)
  }

  @Test mutating func ofManyThatWereInterruptedTheLastAreTold() {
    let sessions = (0..<50).map { session("\($0)", age: Double(100 - $0)) }
    let effects = notices.take(sessions, words)
    let lanes = effects.compactMap { if case .show(let notice) = $0 { notice.lane } else { nil } }
    #expect(lanes == ["49", "48", "47", "46"])
    for lane in lanes { _ = notices.shown(lane, isRefused: false) }
    begin([.interrupted], told: notices.told)
    #expect(notices.take(sessions, words).isEmpty)
  }

  @Test mutating func whoDoesNotWantToKnowIsNotTold() {
    begin([.complete])
    #expect(notices.askForEarlier().isEmpty)
    #expect(notices.take([session("anna")], words).isEmpty)
  }

  // MARK: Buttons and the sound

  @Test mutating func stopIsPressedTwice() {
    _ = take(status(phase: 0, elapsed: .zero), .lane)
    #expect(
      lines(notices.press(.stop, of: "anna", at: 0, words)) == ["Press Stop again to end"])
    // Too late: it asks again.
    #expect(
      lines(notices.press(.stop, of: "anna", at: 11 * second, words)) == [
        "Press Stop again to end"
      ])
    #expect(
      notices.press(.next, of: "anna", at: 12 * second, words) == [
        .ask(.command(.next, lane: "anna"))
      ])
    #expect(
      lines(notices.press(.stop, of: "anna", at: 13 * second, words)) == [
        "Press Stop again to end"
      ])
    #expect(
      notices.press(.stop, of: "anna", at: 14 * second, words) == [
        .ask(.command(.stop, lane: "anna"))
      ])
    #expect(notices.press(.stop, of: "nobody", at: 0, words).isEmpty)
  }

  @Test mutating func theQuestionIsTakenBackOnceItsTimeIsOver() {
    _ = take(status(phase: 0, elapsed: .zero), .lane)
    _ = notices.press(.stop, of: "anna", at: 0, words)
    #expect(notices.deadline == 10 * second)
    #expect(notices.check(at: 9 * second, words).isEmpty)
    // It stands while the workout goes on.
    #expect(lines(take(status(phase: 1, .paused), .lane)) == ["Press Stop again to end"])
    let effects = notices.check(at: 10 * second, words)
    #expect(lines(effects) == ["paused, High, set 1 of 2"])
    guard case .show(let notice)? = effects.first else { return }
    #expect(notice.onlyReplaces && notices.deadline == nil)
    // Another button takes it back at once, and an end for good.
    _ = notices.press(.stop, of: "anna", at: 20 * second, words)
    _ = notices.press(.next, of: "anna", at: 21 * second, words)
    #expect(notices.check(at: 21 * second, words).count == 1)
    _ = notices.press(.stop, of: "anna", at: 30 * second, words)
    _ = take(status(phase: 4, .finished), .lane)
    #expect(notices.deadline == nil)
  }

  @Test mutating func eachWorkoutHasAStopOfItsOwn() {
    for name in ["anna", "ben"] {
      _ = take(status(name, phase: 0, elapsed: .zero), .lane)
      #expect(
        lines(notices.press(.stop, of: name, at: 0, words)) == ["Press Stop again to end"])
    }
    _ = notices.press(.next, of: "ben", at: 0, words)
    #expect(
      notices.press(.stop, of: "anna", at: second, words) == [.ask(.command(.stop, lane: "anna"))])
    #expect(
      lines(notices.press(.stop, of: "ben", at: second, words)) == ["Press Stop again to end"])
  }

  @Test mutating func theSoundHasANoticeOfItsOwn() throws {
    var device = ControlEvent(.device, revision: 2, at: 0)
    device.device = DeviceSnapshot(.lost, reason: "gone")
    #expect(notices.take(device, at: 0, words).isEmpty)
    let effects = notices.check(at: CoachWatch.replugging, words)
    #expect(lines(effects) == ["There is no sound; the workout continues"])
    device.revision = 3
    #expect(notices.take(device, at: 9 * second, words).isEmpty)
    (device.revision, device.device) = (4, DeviceSnapshot(.working))
    #expect(notices.take(device, at: 9 * second, words) == [.withdraw(nil)])
  }

  @Test func markupIsEscapedWhereItIsRead() {
    let notice = Notice(lane: nil, title: "x", lines: ["<a> & b\u{fffe}", "\u{1b}c"])
    #expect(notice.body(hasMarkup: true) == "&lt;a&gt; &amp; b\n c")
    #expect(notice.body(hasMarkup: false) == "<a> & b\n c")
  }
}

@Suite struct UnseenNoticesTests {
  private var unseen = UnseenNotices()

  private func notice(_ lane: String?, isLow: Bool = false) -> Notice {
    Notice(lane: lane, title: "Row", lines: [], isLow: isLow)
  }

  @Test mutating func whatNobodyHasSeenIsKeptForTenMinutes() {
    unseen.add(notice("ben"), at: 0)
    unseen.add(notice("anna"), at: second)
    unseen.add(notice(nil), at: 2 * second)
    unseen.add(notice("carl", isLow: true), at: 2 * second)
    #expect(unseen.recent(at: 599 * second).map(\.lane) == ["ben", "anna", nil])
    #expect(unseen.recent(at: 600 * second).map(\.lane) == ["anna", nil])
    unseen.remove(nil)
    #expect(unseen.recent(at: 2 * second).map(\.lane) == ["ben", "anna"])
  }

  /// Such as the beginning of the next workout of that name.
  @Test mutating func whatFollowsTakesItsPlace() {
    unseen.add(notice("anna"), at: 0)
    unseen.add(notice("anna", isLow: true), at: 1)
    #expect(unseen.recent(at: 2).isEmpty)
  }
}

@Suite struct SpokenTimesTests {
  private func speech(_ from: Int64, _ until: Int64, isWithdrawn: Bool = false) -> SpeechEvent {
    SpeechEvent(
      revision: 1, at: 0, lanes: ["anna"], text: "Go", from: from * second, until: until * second,
      isWithdrawn: isWithdrawn)
  }

  @Test func othersAreLowerAMomentBeforeAndAfter() {
    var times = SpokenTimes()
    #expect(times.isSpeaking(at: 0) == (false, nil))
    times.take(speech(10, 12))
    #expect(times.isSpeaking(at: 9 * second) == (false, 9_600_000_000))
    #expect(times.isSpeaking(at: 9_600_000_000) == (true, 12_300_000_000))
    #expect(times.isSpeaking(at: 12_299_999_999) == (true, 12_300_000_000))
    #expect(times.isSpeaking(at: 12_300_000_000) == (false, nil))
  }

  @Test func textsInARowAreOne() {
    var times = SpokenTimes()
    times.take(speech(10, 12))
    times.take(speech(12, 15))
    #expect(times.isSpeaking(at: 12 * second) == (true, 15_300_000_000))
  }

  @Test func whatIsWithdrawnIsNotSpoken() {
    var times = SpokenTimes()
    times.take(speech(10, 12))
    times.take(speech(10, 12, isWithdrawn: true))
    #expect(times.isSpeaking(at: 11 * second) == (false, nil))
  }
}
