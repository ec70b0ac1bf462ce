import Testing

@testable import cuecoach

/// How wide letters are, and where rows break.
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

  @Test func rowsBreakAtSpacesAndLongWordsWhereTheyMust() {
    #expect(Columns.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(Columns.wrapped("abcdefgh ij", to: 3) == ["abc", "def", "gh", "ij"])
    #expect(Columns.wrapped("高強度", to: 4) == ["高強", "度"])
    #expect(Columns.wrapped("高", to: 1) == [])
    #expect(Columns.wrapped("", to: 5) == [])
  }
}
