import IntervalTimeline
import Testing

/// Which names are allowed, and how others are corrected.
@Suite struct NameRuleTests {
  @Test(arguments: ["anna", "高強度 🏋️", "👩‍🚒", "e\u{301}", " ", String(repeating: "x", count: 40)])
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
