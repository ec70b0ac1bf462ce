import IntervalTimeline
import Presets
import Testing

/// The announcement style in a preset.
@Suite struct PresetStyleTests {
  private static let flat = "name: A\nsets: 2\nlow: 30s\nhigh: 20s\n"
  private static let general = "name: A\nblocks: [{phases: [{low: 30s}]}]\n"

  @Test(arguments: [flat, general])
  func bothFormsHaveEveryKeyOfSpeech(preset: String) throws {
    let style = """
      language: DE
      voice: en-gb
      variant: f3
      rate: 450
      pitch: 0
      speech-volume: 100
      sounds: gym
      density: {all: normal, rest: full, high: counts}
      countdown: 5
      phrases:
        halfway: "Half of {phase} done"
        next: silent
        finish: [All done now, "Done"]
      """
    let workout = try PresetFile.parse(Array((preset + style).utf8), file: "a.yaml")
    #expect(
      workout.style
        == AnnouncementStyle(
          language: "de",
          voice: VoiceSettings(name: "en-gb", variant: "f3", rate: 450, pitch: 0, volume: 100),
          sounds: "gym", density: .normal, densities: [.rest: .full, .high: .counts],
          countdown: 5,
          phrases: [
            .halfway: Phrase(["Half of {phase} done"]), .next: Phrase([]),
            .finish: Phrase(["All done now", "Done"]),
          ]))
  }

  @Test func presetWithoutThemLeavesEverythingToTheRun() throws {
    let workout = try PresetFile.parse(Array(Self.flat.utf8), file: "a.yaml")
    #expect(workout.style == AnnouncementStyle())
  }

  @Test(arguments: Density.allCases)
  func densityIsAWord(density: Density) throws {
    let yaml = Self.general + "density: \(density.rawValue)"
    let style = try PresetFile.parse(Array(yaml.utf8), file: "a.yaml").style
    #expect(style.density == density)
    #expect(style.densities.isEmpty)
  }

  @Test(arguments: PhraseKey.allCases)
  func everyPhraseCanBeGiven(key: PhraseKey) throws {
    let yaml = Self.general + "phrases: {\(key.rawValue): Now}"
    let style = try PresetFile.parse(Array(yaml.utf8), file: "a.yaml").style
    #expect(style.phrases == [key: Phrase(["Now"])])
  }

  @Test(arguments: [
    ("pause", [Acknowledgement.pause]), ("pause,back", [.pause, .back]), ("[next]", [.next]),
    ("none", []), ("all", Acknowledgement.allCases),
  ])
  func whatIsAnsweredAloudIsAWordOrAList(text: String, commands: [Acknowledgement]) throws {
    let yaml = Self.general + "acknowledge: \(text)"
    let style = try PresetFile.parse(Array(yaml.utf8), file: "a.yaml").style
    #expect(style.acknowledge == Set(commands))
  }

  @Test(arguments: Variable.allCases)
  func everyVariableCanBeUsed(variable: Variable) throws {
    let text = "a {\(variable.rawValue)}"
    let yaml = Self.general + "phrases: {halfway: \"\(text)\"}"
    let style = try PresetFile.parse(Array(yaml.utf8), file: "a.yaml").style
    let phrase = Phrase([try Template(text)])
    #expect(style.phrases[.halfway] == phrase)
  }

  private static let densities = "expected one of quiet, counts, normal, full"
  private static let variables =
    "{set}, {sets}, {phase}, {next}, {length}, {remaining}, {elapsed}, {reps}, "
    + "{repetitions}, {counted}, {intensity}, {workout}, {total}, {set-count}, {work}, {times}, {group}"
  private static let phraseKeys =
    "set-completion, set-complete, halfway, next, last-one, begins, group, stretch, opening, finish, position, time-left, elapsed, paused, resumed, "
    + "skipped, went-back, stop-question and 1 more"

  private static let mistakes: [BadPreset] = [
    .flat("language: de+DE", "language is \"de+DE\", expected a language such as en or pt-br"),
    .flat("language: ../de", "language is \"../de\", expected a language such as en or pt-br"),
    .flat("language: de-", "language is \"de-\", expected a language such as en or pt-br"),
    .flat(
      "language: allemande", "language is \"allemande\", expected a language such as en or pt-br"),
    .flat("language:", "language is empty, expected a text"),
    .flat("variant: [f3]", "variant is a list, expected a text"),
    .flat("rate: 79", "rate is \"79\", expected a whole number from 80 to 450"),
    .flat("rate: 451", "rate is \"451\", expected a whole number from 80 to 450"),
    .flat("rate: fast", "rate is \"fast\", expected a whole number from 80 to 450"),
    .flat("pitch: 100", "pitch is \"100\", expected a whole number from 0 to 99"),
    .flat("pitch: -1", "pitch is \"-1\", expected a whole number from 0 to 99"),
    .flat("speech-volume: 101", "speech-volume is \"101\", expected a whole number from 0 to 100"),
    .flat(
      "sounds: a/b",
      "sounds is \"a/b\", expected a name such as gym, without / and without a dot at its start"),
    .flat(
      "sounds: ..",
      "sounds is \"..\", expected a name such as gym, without / and without a dot at its start"),
    .flat("density: loud", "density is \"loud\", \(densities), or phases, each with one of them"),
    .flat("density: {}", "density is an empty map, \(densities), or phases, each with one of them"),
    .flat("density: {rest: loud}", "rest is \"loud\", \(densities)"),
    .flat("density: {all: }", "all is empty, \(densities)"),
    .flat(
      "density: {hihg: full}",
      "unknown key \"hihg\" in density (did you mean \"high\"?), expected one of all, prepare, "
        + "warmup, low, high, work, rest, recovery, cooldown"),
    .flat(
      "phrases: silent",
      "phrases is \"silent\", expected announcements, each with its text or silent"),
    .flat(
      "phrases: {halfwya: Half}",
      "unknown key \"halfwya\" in phrases (did you mean \"halfway\"?), expected one of "
        + phraseKeys),
    .flat(
      "phrases: {next: \"{nxt}\"}",
      "unknown variable \"{nxt}\" in next (did you mean {next}?), expected one of \(variables)"),
    .flat(
      "phrases: {next: \"{zebra}\"}",
      "unknown variable \"{zebra}\" in next, expected one of \(variables)"
        + ", or a live value that the preset names: values: [watts]"
    ),
    .flat(
      "phrases: {next: \"{next\"}",
      "a brace without its other in next, expected both round one of \(variables)"),
    .flat(
      "phrases: {next: \"next}\"}",
      "a brace without its other in next, expected both round one of \(variables)"),
    .flat("phrases: {next: }", "next is empty, expected a text, a list of texts or silent"),
    .flat(
      "phrases: {next: []}", "next is an empty list, expected a text, a list of texts or silent"),
    .flat("phrases: {next: {a: b}}", "next is a map, expected a text, a list of texts or silent"),
    .flat("phrases: {next: ' '}", "next is blank, expected a text, a list of texts or silent"),
    .flat("phrases: {next: [[a]]}", "next is a list, expected a text in each place of the list"),
    .flat(
      "phrases: {next: [Now, silent]}",
      "silent among the texts of next, expected silent alone, or texts"),
    .flat(
      "phrases: {next: \"\\e\"}", "next is \"\\u{1B}\", expected a text without control characters"),
    .flat(
      "phrases: {next: \(String(repeating: "n", count: 501))}",
      "next is too long, expected at most 500 characters"),
    BadPreset(
      "name: A\nphrases:\n  next:\n    - Next\n    - \"{sett}\"\nsets: 2\nlow: 3\nhigh: 3\n",
      "a.yaml:5: unknown variable \"{sett}\" in next (did you mean {set}?), expected one of "
        + variables),
  ]

  @Test(arguments: mistakes)
  func mistakeIsOneLineWithItsPlace(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }
}
