import ControlProtocol
import IntervalTimeline
import Phrases
import Testing

@testable import DesktopStatus

@Suite struct WorkoutNoticesTests {
  private var notices = WorkoutNotices(Set(NoticeKind.allCases))

  private func words(_ language: String) -> PhraseCatalogue { .english }

  private mutating func take(_ lane: WorkoutStatus, _ kind: ControlEvent.Kind = .lane)
    -> [WorkoutNotices.Effect]
  {
    notices.take(event(kind, lane, 2), words)
  }

  private func lines(_ effects: [WorkoutNotices.Effect]) -> [String] {
    effects.flatMap { if case .show(let notice) = $0 { notice.lines } else { ["\($0)"] } }
  }

  @Test mutating func aWorkoutIsToldFromItsBeginningToItsEnd() {
    #expect(lines(take(status(phase: 0, elapsed: .zero))) == ["High, set 1 of 2"])
    #expect(lines(take(status(phase: 1, elapsed: .zero))) == ["High, set 1 of 2"])
    #expect(lines(take(status(phase: 1, .paused))) == ["paused, High, set 1 of 2"])
    #expect(lines(take(status(phase: 1))) == ["High, set 1 of 2"])
    // A repetition, a target: no news.
    #expect(take(status(phase: 1, elapsed: .seconds(11))).isEmpty)
    var end = status(phase: 4, .finished)
    (end.done, end.skipped, end.setsDone, end.elapsed) = (3, 1, 1, .seconds(100))
    #expect(
      lines(take(end)) == ["complete after 1:40", "1 set, 3 of 4 phases done, 1 skipped"])
    #expect(take(end, .ended).isEmpty)
  }

  @Test mutating func oneThatIsStoppedLeavesNoNotice() {
    _ = take(status(phase: 0, elapsed: .zero))
    #expect(take(status(phase: 1, .stopped), .ended) == [.withdraw("anna")])
  }

  @Test mutating func oneThatRanBeforeDoesNotBegin() {
    #expect(notices.take(snapshot([status(phase: 2)]), words) == [.withdraw("anna")])
  }

  @Test mutating func onlyWhatIsAskedForIsTold() {
    notices = WorkoutNotices([])
    #expect(take(status(phase: 0, elapsed: .zero)) == [.withdraw("anna")])
    #expect(take(status(phase: 2, elapsed: .zero)).isEmpty)
    #expect(take(status(phase: 4, .finished)) == [.withdraw("anna")])
    notices.lose(at: 0)
    #expect(notices.check(at: 99 * second, words).isEmpty)
  }

  // MARK: A coach that goes away

  @Test mutating func aCoachThatComesBackWasNotInterrupted() {
    _ = notices.take(snapshot([status(phase: 2)]), words)
    notices.lose(at: 5 * second)
    #expect(notices.deadline == 15 * second)
    #expect(notices.check(at: 14 * second, words).isEmpty)
    _ = notices.take(snapshot([status(phase: 2)]), words)
    #expect(notices.deadline == nil && notices.check(at: 99 * second, words).isEmpty)
  }

  @Test mutating func aCoachThatStaysAwayWasInterrupted() {
    _ = notices.take(snapshot([status(phase: 2)]), words)
    notices.lose(at: 5 * second)
    let effects = notices.check(at: 15 * second, words)
    #expect(lines(effects) == ["interrupted after 1:15, set 2 of 2"])
    guard case .show(let notice)? = effects.first else { return }
    #expect(notice.buttons.isEmpty)
    #expect(notices.check(at: 99 * second, words).isEmpty)
  }

  @Test mutating func whatCanBeResumedHasAButton() {
    _ = notices.take(snapshot([status("anna"), status("ben")]), words)
    notices.lose(at: 0)
    _ = notices.take(snapshot([]), words)
    #expect(notices.check(at: 10 * second, words) == [.ask(.sessions)])
    let session = SessionEntry(lane: "ben", workout: "Row", place: "", age: 1)
    let other = SessionEntry(lane: "clara", workout: "Row", place: "", age: 1)
    let effects = notices.take([session, other], words)
    guard case .show(let notice)? = effects.first, effects.count == 1 else {
      Issue.record("\(effects)")
      return
    }
    #expect(notice.lane == "ben" && notice.buttons.map(\.button) == [.resume])
    #expect(
      notices.press(.resume, of: "ben", at: 0, words) == [.ask(.command(.resume, lane: "ben"))])
  }

  // MARK: Buttons and the sound

  @Test mutating func stopIsPressedTwice() {
    _ = take(status(phase: 0, elapsed: .zero))
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

  @Test mutating func theSoundHasANoticeOfItsOwn() throws {
    var lost = ControlEvent(.device, revision: 2, at: 0)
    lost.device = DeviceSnapshot(.lost, reason: "gone")
    let effects = notices.take(lost, words)
    #expect(lines(effects) == ["There is no sound; the workout continues"])
    #expect(notices.take(lost, words).isEmpty)
    lost.device = DeviceSnapshot(.working)
    #expect(notices.take(lost, words) == [.withdraw(nil)])
  }

  @Test func markupIsEscapedWhereItIsRead() {
    let notice = Notice(lane: nil, title: "x", lines: ["<a> & b\u{fffe}", "\u{1b}c"])
    #expect(notice.body(hasMarkup: true) == "&lt;a&gt; &amp; b\n c")
    #expect(notice.body(hasMarkup: false) == "<a> & b\n c")
  }
}

@Suite struct NoticeTrayTests {
  private var tray = NoticeTray()

  private func notice(_ line: String = "", hasButtons: Bool = true) -> Notice {
    Notice(
      lane: "anna", title: "Row", lines: [line],
      buttons: hasButtons ? [.init(button: .next, label: "Next")] : [])
  }

  @Test mutating func theNextTakesThePlaceOfTheLast() {
    #expect(tray.show(notice("1")) == [.send(notice("1"), replaces: 0)])
    // The server has not answered: the last of them follows.
    #expect(tray.show(notice("2")).isEmpty)
    #expect(tray.show(notice("3")).isEmpty)
    #expect(tray.sent("anna", 7) == [.send(notice("3"), replaces: 7)])
    #expect(tray.sent("anna", 7).isEmpty)
    #expect(tray.withdraw("anna") == [.close(7)])
    #expect(tray.withdraw("anna").isEmpty)
  }

  @Test mutating func whatIsWithdrawnBeforeItHasANumberIsClosed() {
    _ = tray.show(notice())
    #expect(tray.withdraw("anna").isEmpty)
    #expect(tray.sent("anna", 7) == [.close(7)])
  }

  @Test mutating func whoClosesItIsSpared() {
    _ = tray.show(notice())
    _ = tray.sent("anna", 7)
    tray.closed(7, byUser: true)
    #expect(tray.show(notice("2")).isEmpty)
    let end = notice("end", hasButtons: false)
    #expect(tray.show(end) == [.send(end, replaces: 0)])
  }

  /// A server closes a notice whose button was pressed.
  @Test mutating func whoPressesAButtonIsNotSpared() {
    _ = tray.show(notice())
    _ = tray.sent("anna", 7)
    #expect(tray.pressed(7) == .some("anna"))
    #expect(tray.pressed(8) == nil)
    tray.closed(7, byUser: true)
    #expect(tray.show(notice("2")) == [.send(notice("2"), replaces: 0)])
  }

  @Test mutating func aNewServerHasNoNumbers() {
    _ = tray.show(notice())
    _ = tray.sent("anna", 7)
    tray.forget()
    #expect(tray.show(notice()) == [.send(notice(), replaces: 0)])
    #expect(tray.sent("anna", nil).isEmpty)
    #expect(tray.show(notice()) == [.send(notice(), replaces: 0)])
  }

  @Test mutating func itDoesNotGrow() {
    for number in 0..<1000 {
      let notice = Notice(lane: "\(number)", title: "", lines: [])
      #expect(tray.show(notice) == [.send(notice, replaces: 0)])
      _ = tray.sent("\(number)", UInt32(number))
    }
    #expect(tray.pressed(0) == nil && tray.pressed(999) == .some("999"))
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
