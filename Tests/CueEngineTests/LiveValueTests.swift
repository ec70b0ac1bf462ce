import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// Texts that say live values.
struct LiveValueTests: AnnouncementChecks {
  private static let names: Set<String> = ["watts", "pace"]

  private func remark(_ wordings: String..., at seconds: Int) throws -> Remark {
    Remark(
      try wordings.map { try Template($0, values: Self.names) }, at: .fromStart(.seconds(seconds)))
  }

  /// One phase of a minute with these texts, begun.
  private func run(_ remarks: [Remark], phrases: PhraseCatalogue = .english) throws -> TestRun {
    let phase = Phase(.work, .fixed(.seconds(60)), remarks: remarks)
    let run = try TestRun(
      Workout("Row", [phase]),
      style: LaneStyle(phrases: phrases))
    run.send(.start)
    return run
  }

  @discardableResult
  private func set(
    _ name: String, _ content: LiveValue.Content?, for lifetime: Duration? = nil, _ run: TestRun
  ) -> CommandAnswer {
    let value = content.map { LiveValue($0, validUntil: lifetime.map { run.clock.now + $0 }) }
    return run.coach.setValue(name, to: value, lane: run.lanes[0], at: run.clock.now)
  }

  private func texts(_ run: TestRun) -> [LedgerEvent.CueEntry] {
    run.cues.filter { $0.kind == "text" }
  }

  @Test func aTextSaysTheValueInItsUnit() throws {
    let run = try run([try remark("At {watts}", at: 10)])
    #expect(set("watts", .number(187, .watt), run) == .done)
    run.run(.seconds(15))
    let text = try #require(texts(run).first)
    #expect(text.text == "At 187 watts" && text.outcome == .played)
    #expect(text.onset == text.due)
  }

  /// The text is handed over 1.5 s before it is heard. Each later value replaces it there, until it is too
  /// late for the output.
  @Test(arguments: [false, true])
  func theLastValueThatIsInTimeIsHeard(waits: Bool) throws {
    let run = try run([try remark("At {watts}", at: 10)])
    if waits { run.waitForWords() }
    set("watts", .number(150, .watt), run)
    run.run(.milliseconds(8_800))
    for watts in 0..<8 {
      // At 8.8, 8.9, … 9.5 s.
      set("watts", .number(200 + watts, .watt), run)
      run.run(.milliseconds(100), every: .milliseconds(100))
    }
    run.run(.milliseconds(200), every: .milliseconds(100))
    set("watts", .number(999, .watt), run)
    run.run(.seconds(5))
    let heard = texts(run)
    #expect(heard.map(\.text) == ["At 207 watts"])
    #expect(heard.first?.outcome == .played && heard.first?.onset == heard.first?.due)
    #expect(heard.map { run.seconds($0.due) } == ["10.000"])
    expectNoOverlap(run)
  }

  /// A value that changes faster than words are rendered does not silence them.
  @Test func whatIsSentStaysUntilALaterWordingIsThere() throws {
    let run = try run([try remark("At {watts}", at: 10)])
    run.waitForWords(isInNoTime: false)
    set("watts", .number(150, .watt), run)
    run.run(.milliseconds(8_700), every: .milliseconds(100))
    run.finishRendering()
    #expect(texts(run).isEmpty)
    for watts in 0..<12 {
      set("watts", .number(200 + watts, .watt), run)
      run.run(.milliseconds(100), every: .milliseconds(100))
    }
    run.run(.seconds(5))
    #expect(texts(run).map(\.text) == ["At 150 watts"])
    #expect(texts(run).first?.outcome == .played)
  }

  @Test func withoutAValueTheNextWordingIsSaid() throws {
    let run = try run([try remark("{pace}, at {watts}", "At {watts}", "Strong", at: 10)])
    set("watts", .number(187, .watt), run)
    run.run(.seconds(15))
    #expect(texts(run).map(\.text) == ["At 187 watts"])
  }

  /// It is valid when the words are handed over, not when they are heard.
  @Test func aValueThatIsTooOldWhenItWouldBeHeardIsPassedOver() throws {
    let run = try run([try remark("At {watts}", "Strong", at: 10)])
    run.run(.seconds(8))
    set("watts", .number(187, .watt), for: .milliseconds(1_999), run)
    run.run(.seconds(7))
    #expect(texts(run).map(\.text) == ["Strong"])
    #expect(texts(run).first?.outcome == .played)
  }

  /// A sensor's value is valid until a little after the next one. A text that is moved behind another waits for it.
  @Test(arguments: [1_200, 2_000], [false, true]) func aMovedTextWaitsForItsValue(
    lifetime: Int, waits: Bool
  ) throws {
    let long = Remark("Keep the strokes long and push with both legs", at: .fromStart(.seconds(10)))
    let run = try run([long, try remark("At {watts}", at: 11)])
    if waits { run.waitForWords() }
    for second in 0..<20 {
      set("watts", .number(100 + second, .watt), for: .milliseconds(lifetime), run)
      run.run(.seconds(1))
    }
    let heard = texts(run)
    #expect(heard.map(\.outcome) == [.played, .played])
    // A value that was set while there was time for it, and that is not too old.
    let onset = run.begin.duration(to: try #require(heard.last?.onset)) / .seconds(1)
    let words = try #require(heard.last?.text.split(separator: " ").dropFirst().first)
    let set = try #require(Double(words)) - 100
    #expect(set <= onset && onset <= set + Double(lifetime) / 1000)
    expectNoOverlap(run)
  }

  @Test func aMovedTextWhoseValueIsNotSetAgainSaysWhy() throws {
    let long = Remark("Keep the strokes long and push with both legs", at: .fromStart(.seconds(10)))
    let run = try run([long, try remark("At {watts}", at: 11)])
    run.run(.seconds(9))
    set("watts", .number(187, .watt), for: .milliseconds(2_500), run)
    run.run(.seconds(11))
    #expect(texts(run).map(\.outcome) == [.played, .dropped])
    #expect(texts(run).last?.reason == "{watts} has no value here")
  }

  @Test func aValueThatIsValidToTheEndIsSaid() throws {
    let run = try run([try remark("At {watts}", "Strong", at: 10)])
    run.run(.seconds(8))
    set("watts", .number(187, .watt), for: .milliseconds(2_001), run)
    run.run(.seconds(7))
    #expect(texts(run).map(\.text) == ["At 187 watts"])
  }

  /// It was handed over without a value.
  @Test(arguments: [false, true]) func aValueThatComesShortlyBeforeItIsDueIsSaid(waits: Bool) throws
  {
    let run = try run([try remark("At {watts}", at: 10), try remark("Strong", at: 12)])
    if waits { run.waitForWords() }
    run.run(.seconds(9))
    #expect(texts(run).isEmpty)
    set("watts", .number(187, .watt), run)
    run.run(.seconds(6))
    #expect(texts(run).map(\.text) == ["At 187 watts", "Strong"])
    #expect(texts(run).map { run.seconds($0.due) } == ["10.000", "12.000"])
    #expect(texts(run).allSatisfy { $0.outcome == .played })
  }

  @Test func aValueThatComesTooLateIsNotSaid() throws {
    let run = try run([try remark("At {watts}", at: 10), try remark("Strong", at: 12)])
    run.run(.milliseconds(10_500))
    #expect(texts(run).map(\.text) == ["At {watts}"])
    #expect(texts(run).first?.outcome == .dropped)
    set("watts", .number(187, .watt), run)
    run.run(.seconds(6))
    #expect(texts(run).map(\.text) == ["At {watts}", "Strong"])
  }

  /// A command withdraws it as it does words that are being rendered.
  @Test func aTextThatWaitsForItsValueIsWithdrawn() throws {
    let run = try run([try remark("At {watts}", at: 10)])
    run.run(.seconds(9))
    run.send(.pause)
    #expect(texts(run).map(\.outcome) == [.withdrawn])
    run.run(.seconds(5))
    set("watts", .number(187, .watt), run)
    run.send(.resume, then: .seconds(5))
    #expect(texts(run).last?.text == "At 187 watts")
    #expect(texts(run).count { $0.outcome == .played } == 1)
  }

  /// Words at the output whose value is taken away are worded anew, or left out.
  @Test(arguments: [true, false]) func aValueThatIsTakenAwayIsNotSaid(hasOther: Bool) throws {
    let texts = hasOther ? ["At {watts}", "Strong"] : ["At {watts}"]
    let run = try run([
      Remark(
        try texts.map { try Template($0, values: Self.names) }, at: .fromStart(.seconds(10)))
    ])
    set("watts", .number(187, .watt), run)
    run.run(.seconds(9))
    #expect(set("watts", nil, run) == .done)
    run.run(.seconds(6))
    let heard = self.texts(run)
    #expect(heard.count == 1)
    #expect(heard.first?.outcome == (hasOther ? .played : .dropped))
    #expect(heard.first?.text == (hasOther ? "Strong" : "At {watts}"))
  }

  @Test func anotherLanguageHasItsOwnForms() throws {
    var catalogue = PhraseCatalogue.english
    catalogue.units[.watt] = [.one: "ein Watt", .other: "{n} Watt"]
    catalogue.units[.metre] = nil
    let run = try run(
      [try remark("{watts}", at: 10), try remark("Noch {pace}", at: 20)], phrases: catalogue)
    set("watts", .number(1, .watt), run)
    // Without words for the unit the number is said alone.
    set("pace", .number(500, .metre), run)
    run.run(.seconds(25))
    #expect(texts(run).map(\.text) == ["ein Watt", "Noch 500"])
  }

  @Test func aPhraseOfTheCatalogueSaysIt() throws {
    var catalogue = PhraseCatalogue.english
    catalogue.phrases[.halfway] = Phrase([
      try Template("Halfway, {pace}", values: Self.names), "Halfway",
    ])
    let run = try run([], phrases: catalogue)
    #expect(set("pace", .duration(.seconds(125)), run) == .done)
    run.run(.seconds(35))
    let halfway = run.cues.filter { $0.kind == "halfway" }
    #expect(halfway.map(\.text) == ["Halfway, 2 minutes 5 seconds"])
  }

  @Test func aNameThatNoTextSaysIsReported() throws {
    let run = try run([try remark("At {watts}", at: 10)])
    #expect(set("wats", .number(1), run) == .unknownValue("wats"))
    #expect(
      set("Watts!", .number(1), run) == .refused("no name for a live value: \"Watts!\""))
    for number in 0..<99 { set("value-\(number)", .number(1), run) }
    #expect(set("one-more", .number(1), run) == .refused("more than 100 live values"))
    // One that is there can still be set.
    #expect(set("wats", .number(2), run) == .unknownValue("wats"))
    #expect(set("wats", nil, run) == .unknownValue("wats"))
    #expect(
      run.coach.setValue("watts", to: nil, lane: nil, at: run.clock.now) == .done)
    run.send(.stop, then: .seconds(2))
    #expect(set("watts", .number(1), run) == .unknownLane)
    #expect(run.coach.setValue("watts", to: nil, lane: nil, at: run.clock.now) == .noLane)
  }

  @Test(arguments: [
    (LiveValue.Content.number(-3, .rep), "-3 reps"), (.number(-1, .rep), "-1 rep"),
    (.number(-1e9, .watt), "-1000000000 watts"), (.number(62.5), "62.5"),
    (.number(3.2, .kilometre), "3.2 kilometres"), (.number(1.04, .kilometre), "1 kilometre"),
    (.duration(.milliseconds(118_500)), "1 minute 58.5 seconds"),
    (.duration(.milliseconds(119_960)), "2 minutes"),
    (.duration(.milliseconds(400)), "0.4 seconds"),
    (.duration(.milliseconds(1)), "0 seconds"),
    (.text("two\u{7}ten\n"), "two ten "),
  ])
  func everyContentHasItsWords(content: LiveValue.Content, words: String) {
    #expect(LiveValue(content).words(in: .english) == words)
  }

  @Test func aCountIsANumberAsItIs() {
    let strokes = [1, 2, 3].count
    let unit: CountUnit? = .rep
    #expect(LiveValue(.number(strokes)) == LiveValue(.number(3.0)))
    #expect(LiveValue(.number(strokes, unit)).words(in: .english) == "3 reps")
  }

  @Test(arguments: [
    LiveValue.Content.text(""), .text(" \n"), .duration(.seconds(-1)), .number(.nan),
    .number(.infinity, .watt),
  ])
  func contentWithoutWordsIsNone(content: LiveValue.Content) {
    #expect(LiveValue(content).words(in: .english) == nil)
  }
}
