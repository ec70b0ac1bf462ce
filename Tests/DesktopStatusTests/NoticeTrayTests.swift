import DesktopStatus
import Testing

/// Which notice takes the place of which, and which one is closed.
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

  /// The others would have buttons that do nothing, and a program that starts again would add its own.
  @Test mutating func atTheEndOnlyWhatStaysTrueStays() {
    let others = [
      Notice(lane: "ben", title: "Row", lines: ["complete"]),
      Notice(lane: nil, title: "No sound", lines: []),
      Notice(
        lane: "eve", title: "Row", lines: ["interrupted"],
        buttons: [.init(button: .resume, label: "Continue")]),
    ]
    for (id, notice) in ([notice()] + others).enumerated() {
      _ = tray.show(notice)
      _ = tray.sent(notice.lane, UInt32(id + 1))
    }
    let closed = Set(tray.withdrawLive())
    #expect(closed == [.close(1), .close(3)])
    #expect(tray.withdrawLive().isEmpty)
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

  /// It has a button too, and is no progress.
  @Test mutating func whoClosesItIsToldThatItWasInterrupted() {
    _ = tray.show(notice())
    _ = tray.sent("anna", 7)
    tray.closed(7, byUser: true)
    var end = notice("interrupted")
    end.buttons = [.init(button: .resume, label: "Continue")]
    #expect(tray.show(end) == [.send(end, replaces: 0)])
  }

  @Test mutating func whatWaitsWhileOneIsRefusedIsSent() {
    _ = tray.show(notice())
    let end = notice("end", hasButtons: false)
    #expect(tray.show(end).isEmpty)
    #expect(tray.sent("anna", nil) == [.send(end, replaces: 0)])
    #expect(tray.sent("anna", nil).isEmpty)
    #expect(tray.show(notice()) == [.send(notice(), replaces: 0)])
  }

  @Test mutating func whatOnlyReplacesIsNotShownAlone() {
    var back = notice("back")
    back.onlyReplaces = true
    #expect(tray.show(back).isEmpty)
    _ = tray.show(notice())
    #expect(tray.show(back).isEmpty)
    #expect(tray.sent("anna", 7) == [.send(back, replaces: 7)])
    _ = tray.sent("anna", 7)
    // Its time was over.
    tray.closed(7, byUser: false)
    #expect(tray.show(back).isEmpty)
  }

  /// A server closes a notice whose button was pressed.
  @Test mutating func whoPressesAButtonIsNotSpared() {
    _ = tray.show(notice())
    _ = tray.sent("anna", 7)
    #expect(tray.pressed(7) == .some("anna"))
    #expect(tray.pressed(8) == nil)
    tray.closed(7, byUser: true)
    var next = notice("2")
    next.onlyReplaces = true
    #expect(tray.show(next) == [.send(next, replaces: 0)])
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
