import IntervalTimeline
import Phrases
import Presets
import Testing

/// A complete catalogue, and one that changes parts of another.
@Suite struct PhraseFileTests {
  private func parse(_ yaml: String, over base: PhraseCatalogue? = .english) throws
    -> PhraseCatalogue
  {
    try PhraseFile.parse(Array(yaml.utf8), file: "own.yaml", over: base)
  }

  @Test(arguments: ["", "# nothing\n", "{}"])
  func emptyFileReplacesNothing(yaml: String) throws {
    #expect(try parse(yaml) == .english)
  }

  @Test func whatAFileHoldsReplacesAndTheRestStays() throws {
    var expected = PhraseCatalogue.english
    expected.language = "en-us"
    expected.voice = "en-us"
    expected.units[.minute] = [.one: "a minute", .other: "{n} minutes"]
    expected.exact = [.second: [0: "no second", 30: "half a minute"]]
    expected.phases[.high] = "Sprint"
    expected.phrases[.halfway] = Phrase(["Half of {phase} done", "Half"])
    expected.phrases[.next] = Phrase([])
    #expect(
      try parse(
        """
        language: en-US
        voice: en-us
        units:
          minute: {one: a minute}
          second: {0: no second, 30: half a minute}
        phases: {high: Sprint}
        phrases:
          halfway: ["Half of {phase} done", Half]
          next: silent
        """) == expected)
    #expect(expected.duration(.seconds(90)) == "a minute half a minute")
  }

  @Test func wholeCatalogueLeavesNothingToAnother() throws {
    let catalogue = try parse(Self.whole, over: nil)
    #expect(catalogue.language == "xx")
    #expect(catalogue.plural == .other)
    #expect(catalogue.units[.rep] == [.other: "{n} r"])
    #expect(catalogue.phases[.cooldown] == "C")
    #expect(catalogue.phrases[.wentBack] == Phrase(["K"]))
    #expect(catalogue.screen == ScreenKey.english)
    #expect(catalogue.intensity.isEmpty && catalogue.coaching.isEmpty)
    // What it need not have stays.
    var over = try parse(Self.whole, over: .english)
    #expect(over.intensity == PhraseCatalogue.english.intensity)
    #expect(over.coaching == PhraseCatalogue.english.coaching)
    over.intensity = [:]
    over.coaching = [:]
    over.phrases = over.phrases.filter { PhraseKey.needed.contains($0.key) }
    #expect(over == catalogue)
  }

  @Test func wordsOfIntensitiesAreChangedOneByOne() throws {
    let text = "decimal: \",\"\nintensity: {zone: \"level {n}\", range: \"{first} up to {last}\"}"
    let catalogue = try parse(text, over: .english)
    let intensity = try #require(Intensity(reading: "Z3, 62.5 to 65 kg, RPE 7"))
    #expect(
      catalogue.words(of: intensity) == "level 3, 62,5 up to 65 kilograms, effort 7 of 10")
  }

  @Test func wordsOfCoachingAreChangedOneByOne() throws {
    let catalogue = try parse("coaching: {watts-up: push, ramp: \"{target}: {text}\"}")
    #expect(catalogue.words(of: .low(.watts, 150, target: 180)) == "180: push")
    #expect(catalogue.words(of: .high(.watts, 190, target: nil)) == "190, less power")
  }

  @Test func otherPluralRuleTakesNothingFromTheOldForms() throws {
    let forms = "{one: a, few: \"{n} b\", many: \"{n} c\"}"
    let units = ["hour", "minute", "second", "rep"].map { "  \($0): \(forms)\n" }.joined()
    let catalogue = try parse("plural: one-few-many\nunits:\n\(units)")
    #expect(catalogue.units[.hour] == [.one: "a", .few: "{n} b", .many: "{n} c"])
    #expect(catalogue.phrases == PhraseCatalogue.english.phrases)
  }

  @Test func aScreensTextsAreReplacedOneByOne() throws {
    let catalogue = try parse("screen:\n  set: \"{sets} sets, this is {set}\"\n  paused: waiting\n")
    #expect(catalogue.screen(.set, ["set": "3", "sets": "8"]) == "8 sets, this is 3")
    #expect(catalogue.screen(.paused) == "waiting")
    #expect(catalogue.screen(.next, ["next": "Low"]) == "Next: Low")
  }

  static let whole = """
    language: xx
    voice: en
    plural: other
    units:
      hour: {other: "{n} h"}
      minute: {other: "{n} m"}
      second: {other: "{n} s"}
      rep: {other: "{n} r"}
    phases:
      prepare: P
      warmup: W
      low: L
      high: H
      work: K
      rest: R
      recovery: Y
      cooldown: C
    phrases:
      set-completion: A
      halfway: B
      next: C
      finish: D
      position: E
      time-left: F
      elapsed: G
      paused: H
      resumed: I
      skipped: J
      went-back: K
      stop-question: L

    """
}
