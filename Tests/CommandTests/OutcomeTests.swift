import Testing

@testable import cuecoach

/// What `Outcome` keeps of a program's output.
@Suite struct OutcomeTests {
  @Test(arguments: BusyNotice.all)
  func busyNoticesAreRemoved(notice: String) {
    let ours = "cuecoach: anna: kept at set 1 of 3\n"
    let both = Outcome(
      status: .exited(0), output: "cuecoach: \(notice)\r\n0:00  Row\r\n",
      errors: ours + "cuecoach: \(notice)\n" + ours)
    #expect(both.output == "0:00  Row\r\n")
    #expect(both.errorLines.count == 2)
    #expect(both.errors == ours + ours)
  }

  @Test func busyNoticesAreRemovedFromATerminalToo() {
    let rows = Columns.paragraph("cuecoach: \(DeviceAdvice.realtime())", to: 80)
    #expect(rows.count > 1)
    let output = rows.map { $0 + "\r\n" }.joined() + "0:00  Row\r\n"
    #expect(Outcome(status: .exited(0), output: output, errors: "").output == "0:00  Row\r\n")
  }

  @Test func everythingElseIsSeen() {
    let text = "cuecoach: no sound: \(BusyNotice.xrun())\n"
    #expect(Outcome(status: .exited(1), output: text, errors: text).errors == text)
  }
}
