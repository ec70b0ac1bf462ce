import IntervalTimeline
import Testing

/// Which names are allowed, and how others are corrected.
@Suite struct NameRuleTests {
  @Test(arguments: [
    "anna", "高強度 🏋️", "👩‍🚒", "e\u{301}", "🇩🇪", "1\u{fe0f}\u{20e3}", "\u{e000}",
    String(repeating: "x", count: 40),
  ])
  func printableNamesAreAllowed(name: String) {
    #expect(NameRule.lane.allows(name))
    #expect(NameRule.lane.fitted(name) == name)
  }

  @Test(arguments: [
    ("", "?"), ("\u{202e}", "?"), ("a\nb", "ab"), ("a\u{1b}[31mb", "a[31mb"), ("a\u{85}b", "ab"),
    ("a\u{2029}b", "ab"), ("\u{61c}a\u{2066}b\u{2069}\u{200e}", "ab"),
    (String(repeating: "x", count: 41), String(repeating: "x", count: 40)),
  ])
  func othersAreNot(name: String, fitted: String) {
    #expect(!NameRule.lane.allows(name))
    #expect(NameRule.lane.fitted(name) == fitted)
  }

  /// Blanks, joiners, fillers and marks on nothing.
  @Test(arguments: [
    " ", "  ", "\u{a0}", "\u{3000}", "\u{200b}", "\u{2060}", "\u{feff}", "\u{ad}", "\u{200d}",
    "\u{301}", "\u{20e3}", "\u{903}", "\u{fe0f}", "\u{115f}", "\u{3164}", "\u{ffa0}",
    "\u{2800}", "\u{e0041}", " \u{200b}\u{301}",
  ])
  func aNameThatCannotBeSeenIsNone(name: String) {
    #expect(!NameRule.lane.allows(name))
    #expect(NameRule.lane.fitted(name) == "?")
    #expect(NameRule.lane.allows(name + "a"))
  }

  @Test func marksOnOneLetterCount() {
    let name = "x" + String(repeating: "\u{301}", count: 40)
    #expect(name.count == 1)
    #expect(!NameRule.lane.allows(name))
  }

  @Test func everyMarkOfDirectionIsKnown() {
    for scalar in (0...0x10ffff).compactMap(Unicode.Scalar.init) {
      #expect(scalar.isWritingDirectionMark == scalar.properties.isBidiControl, "\(scalar.value)")
    }
  }
}
