import Phrases
import Testing

struct PluralRuleTests {
  @Test(arguments: [
    (PluralRule.oneOther, [1], [0, 2, 5, 21, 101]),
    (.zeroOneOther, [0, 1], [2, 5, 21, 101]),
    (.polish, [1], [0, 2, 5, 11, 21, 101]),
  ])
  func oneIsTheFormOfFewNumbers(rule: PluralRule, one: [Int64], others: [Int64]) {
    #expect(one.allSatisfy { rule.form(of: $0) == .one })
    #expect(others.allSatisfy { rule.form(of: $0) != .one })
  }

  @Test(arguments: [
    (0, PluralRule.Form.many), (2, .few), (4, .few), (5, .many), (11, .many), (12, .many),
    (14, .many), (22, .few), (25, .many), (102, .few), (112, .many),
  ])
  func polishHasFewAndMany(number: Int, form: PluralRule.Form) {
    #expect(PluralRule.polish.form(of: Int64(number)) == form)
  }

  @Test(arguments: PluralRule.allCases)
  func everyNumberHasAFormOfTheRule(rule: PluralRule) {
    let forms = Set((0...200).map { rule.form(of: $0) })
    #expect(forms == Set(rule.forms))
    for form in rule.forms {
      let count = (0...200).filter { rule.form(of: $0) == form }.count
      #expect(rule.isOfOneNumber(form) == (count == 1))
    }
  }
}
