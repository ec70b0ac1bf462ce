import IntervalTimeline
import Testing

struct TemplateTests {
  @Test(arguments: [
    ("Go", [Template.Piece.text("Go")]), ("", []), ("{set}", [.variable(.set)]),
    ("Set {set} of {sets}", [.text("Set "), .variable(.set), .text(" of "), .variable(.sets)]),
    ("{phase}{next}", [.variable(.phase), .variable(.next)]),
  ])
  func textIsCutAtItsVariables(text: String, pieces: [Template.Piece]) throws {
    #expect(try Template(text).pieces == pieces)
  }

  @Test(arguments: [
    ("{sett}", TemplateFault.unknownVariable("sett")), ("{}", .unknownVariable("")),
    ("{Set}", .unknownVariable("Set")), ("{ set }", .unknownVariable(" set ")),
    ("{", .loneBrace), ("}", .loneBrace), ("{set", .loneBrace), ("set}", .loneBrace),
    ("{set}}", .loneBrace), ("{{set}}", .unknownVariable("{set")),
  ])
  func textWithABraceTooManyOrAnUnknownVariableIsRefused(text: String, fault: TemplateFault) {
    #expect(throws: fault) { try Template(text) }
  }

  @Test func textIsFilledOnlyWhereEveryVariableHasAValue() {
    let template: Template = "Set {set} of {sets}"
    let filled = template.filled { $0 == .set ? "3" : "8" }
    #expect(filled == "Set 3 of 8")
    #expect(template.filled { $0 == .set ? "3" : nil } == nil)
  }
}
