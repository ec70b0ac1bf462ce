import Testing

@testable import cuecoach

/// Widths of characters, and breaks of rows.
@Suite struct ColumnsTests {
  @Test(arguments: [
    ("anna", 4), ("Übung", 5), ("e\u{301}", 1), ("高強度", 6), ("ｱﾝﾅ", 3), ("한국", 4),
    ("\u{1112}\u{1161}\u{11ab}", 2), ("👍🏽", 2), ("👩‍🚒", 2), ("🇩🇪", 2), ("❤\u{fe0f}", 2), ("❤", 1),
    ("a\u{200b}b", 2), ("co\u{ad}op", 5), ("\u{2329}", 2), ("\u{3008}", 2), ("𗀀", 2), ("", 0),
  ])
  func lettersAreAsWideAsATerminalDrawsThem(text: String, columns: Int) {
    #expect(Columns.width(text) == columns)
  }

  @Test func cutLeavesNoHalfLetter() {
    #expect(Columns.cut("a高e\u{301}b", to: 2) == "a")
    #expect(Columns.cut("a高e\u{301}b", to: 3) == "a高")
    #expect(Columns.cut("a高e\u{301}b", to: 4) == "a高e\u{301}")
  }

  @Test(arguments: [
    ("anna", 4, "anna"), ("annabel", 4, "ann…"), ("an nabel", 4, "an…"), ("高強度", 5, "高強…"),
    ("高強度", 4, "高…"), ("ab", 1, "a"), ("ab", 0, ""),
  ])
  func whatHasNoRoomEndsInAnEllipsis(text: String, columns: Int, shown: String) {
    #expect(Columns.fitted(text, to: columns) == shown)
  }

  @Test func ellipsisIsOfWhatTheLocaleHas() {
    #expect(Columns.fitted("annabel", to: 6, ellipsis: "...") == "ann...")
  }

  @Test func longMessageLosesItsMiddle() {
    let text = "start " + String(repeating: "x", count: 90) + " end"
    #expect(Columns.shortened(text, to: 100) == text)
    let short = Columns.shortened(text, to: 40)
    #expect(Columns.width(short) == 40)
    #expect(short.hasPrefix("start xx") && short.contains(" … ") && short.hasSuffix("xx end"))
  }

  @Test func sentenceContinuesBelowWithAnIndent() {
    let text = "cuecoach: there is no preset of that name; cuecoach presets lists them"
    #expect(Columns.paragraph(text, to: 80) == [text])
    #expect(
      Columns.paragraph(text, to: 44) == [
        "cuecoach: there is no preset of that name;", "  cuecoach presets lists them",
      ])
    #expect(
      Columns.paragraph("  c  continue the workout as if it had never stopped", to: 40) == [
        "  c  continue the workout as if it had", "     never stopped",
      ])
    #expect(Columns.paragraph("  c  go on", to: 6) == ["  c ", "go on"])
  }

  @Test func wordThatIsWiderThanTheWindowStaysWhole() {
    let path = "/" + String(repeating: "folder/", count: 10) + "a.yaml:3:"
    #expect(
      Columns.paragraph("cuecoach: \(path) wrong", to: 40)
        == ["cuecoach:", "  \(path)", "  wrong"])
  }

  @Test func rowsBreakAtSpacesAndLongWordsWhereTheyMust() {
    #expect(Columns.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(Columns.wrapped("abcdefgh ij", to: 3) == ["abc", "def", "gh", "ij"])
    #expect(Columns.wrapped("高強度", to: 4) == ["高強", "度"])
    #expect(Columns.wrapped("高", to: 1) == [])
    #expect(Columns.wrapped("", to: 5) == [])
  }
}
