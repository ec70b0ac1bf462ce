import Testing

@testable import DesktopStatus

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
