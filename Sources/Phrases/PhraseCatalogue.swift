import IntervalTimeline

/// Everything that the coach says in one language.
public struct PhraseCatalogue: Hashable, Sendable {
  /// A BCP 47 language tag: "en", "pt-br".
  public var language: String
  /// The default voice for the language.
  public var voice: String
  /// Which form of a unit a number takes.
  package var plural: PluralRule
  /// The words of each unit in each form, with "{n}" for the number: "{n} minutes".
  package var units: [CountUnit: [PluralRule.Form: String]]
  /// Wordings for single numbers that fit no form: "dwie minuty", "vingt et une minutes".
  package var exact: [CountUnit: [Int64: String]]
  /// Names for phases that have none.
  public var phases: [PhaseKind: String]
  /// The wordings of each announcement. One that is absent is not said.
  public var phrases: [PhraseKey: Phrase]
  /// The words of intensities, besides units, with their variables in braces. Where one that is needed is absent, an
  /// intensity is said as it is written.
  package var intensity: [IntensityKey: String]
  /// What is said of sensors and their targets, with its variables in braces. Where one is absent, the number is said
  /// alone, and nothing of a sensor that is lost.
  package var coaching: [CoachingKey: String]
  /// Before the decimals of a number.
  package var decimalSign: String
  /// The texts of a display.
  package var screen = ScreenKey.english
  /// Names, titles and texts of workouts in this language, by what the workouts have. What is not among them is said
  /// as it stands.
  public var words: [String: Template] = [:]

  /// The arguments are taken as they are; a catalogue's file is checked where it is read.
  package init(
    language: String, voice: String, plural: PluralRule,
    units: [CountUnit: [PluralRule.Form: String]], exact: [CountUnit: [Int64: String]] = [:],
    phases: [PhaseKind: String], phrases: [PhraseKey: Phrase],
    intensity: [IntensityKey: String] = [:], coaching: [CoachingKey: String] = [:],
    decimalSign: String = "."
  ) {
    self.language = language
    self.voice = voice
    self.plural = plural
    self.units = units
    self.exact = exact
    self.phases = phases
    self.phrases = phrases
    self.intensity = intensity
    self.coaching = coaching
    self.decimalSign = decimalSign
  }

  /// English, for programs without a catalogue of their own; equal to `Sounds/phrases/en.yaml`.
  public static let english = PhraseCatalogue(
    language: "en", voice: "en-us+f5", plural: .oneOther,
    units: [
      .hour: [.one: "{n} hour", .other: "{n} hours"],
      .minute: [.one: "{n} minute", .other: "{n} minutes"],
      .second: [.one: "{n} second", .other: "{n} seconds"],
      .rep: [.one: "{n} rep", .other: "{n} reps"],
      .set: [.one: "{n} set", .other: "{n} sets"],
      .time: [.one: "once", .other: "{n} times"],
      .metre: [.one: "{n} metre", .other: "{n} metres"],
      .kilometre: [.one: "{n} kilometre", .other: "{n} kilometres"],
      .kilogram: [.one: "{n} kilogram", .other: "{n} kilograms"],
      .watt: [.one: "{n} watt", .other: "{n} watts"],
      .calorie: [.one: "{n} calorie", .other: "{n} calories"],
      .percent: [.one: "{n} percent", .other: "{n} percent"],
      .stroke: [.one: "{n} stroke", .other: "{n} strokes"],
      .beatsPerMinute: [.one: "{n} beat per minute", .other: "{n} beats per minute"],
      .strokesPerMinute: [.one: "{n} stroke per minute", .other: "{n} strokes per minute"],
      .revolutionsPerMinute: [
        .one: "{n} revolution per minute", .other: "{n} revolutions per minute",
      ],
      .kilometrePerHour: [.one: "{n} kilometre per hour", .other: "{n} kilometres per hour"],
    ],
    phases: [
      .prepare: "Get ready", .warmup: "Warm-up", .low: "Low", .high: "High", .work: "Work",
      .rest: "Rest", .recovery: "Recovery", .cooldown: "Cool-down",
    ],
    phrases: [
      .setCompletion: Phrase(["Set {set} completing in", "Set {set} in"]),
      .setComplete: Phrase(["Set {set} complete"]),
      .halfway: Phrase(["Halfway"]),
      .next: Phrase([
        "Next: {next}, {length}, {intensity}", "Next: {next}, {length}",
        "Next: {next}, {intensity}", "Next: {next}",
      ]),
      .lastOne: Phrase([
        "Last one: {next}, {length}, {intensity}", "Last one: {next}, {length}",
        "Last one: {next}, {intensity}",
        "Last one: {next}",
      ]),
      .stretch: Phrase(["Next {length}: rolling, {intensity}", "Next {length}: rolling"]),
      .finish: Phrase([
        "Workout complete: {set-count}, {work} of work", "Workout complete: {set-count}",
        "Workout complete: {work} of work", "Workout complete",
      ]),
      .position: Phrase([
        "Set {set} of {sets}, {phase}, {remaining} left, next: {next}",
        "Set {set} of {sets}, {phase}, {remaining} left",
        "Set {set} of {sets}, {phase}, {counted} of {reps}",
        "Set {set} of {sets}, {phase}, {repetitions}", "Set {set} of {sets}, {phase}",
        "{phase}, {remaining} left, next: {next}", "{phase}, {remaining} left",
        "{phase}, {counted} of {reps}", "{phase}, {repetitions}",
        "{phase}",
      ]),
      .timeLeft: Phrase(["{remaining} left"]),
      .elapsed: Phrase(["{elapsed} done"]),
      .paused: Phrase(["Paused, {remaining} left", "Paused"]),
      .resumed: Phrase([
        "Resuming: set {set} of {sets}, {phase}, {remaining} left",
        "Resuming: set {set} of {sets}, {phase}", "Resuming: {phase}, {remaining} left",
        "Resuming: {phase}", "Resuming",
      ]),
      .skipped: Phrase([
        "Set {set} of {sets}, {phase}, {length}, {intensity}",
        "Set {set} of {sets}, {phase}, {length}",
        "Set {set} of {sets}, {phase}", "{phase}, {length}, {intensity}", "{phase}, {length}",
        "{phase}",
      ]),
      .wentBack: Phrase([
        "Back to set {set} of {sets}, {phase}, {length}", "Back to set {set} of {sets}, {phase}",
        "Back to {phase}, {length}", "Back to {phase}", "Back",
      ]),
      .stopQuestion: Phrase(["Press Q again to end"]),
      .stopped: Phrase(["Stopped after {elapsed}: {set-count}", "Stopped after {elapsed}"]),
    ], intensity: IntensityKey.english, coaching: CoachingKey.english)
}

extension PhraseCatalogue {
  /// The most characters of a name that are spoken. Texts above 500 characters cannot be spoken,
  /// and 200 are already more than anybody listens to.
  static let maximumName = 200

  /// What the coach calls a phase: its own name, cut after 200 characters, otherwise the catalogue's for its
  /// kind. Empty where the catalogue has none.
  public func name(of phase: Phase) -> String {
    phase.name.map { String(translated($0).prefix(Self.maximumName)) } ?? phases[phase.kind] ?? ""
  }

  /// What a sound stands for, as ledgers and timelines have it; nil for words.
  package func meaning(ofSound cue: Cue, in timeline: Timeline) -> String? {
    switch cue.content {
    case .countdown(let seconds): String(seconds)
    case .transition(.setEnd): "Set end"
    case .transition:
      cue.phase < timeline.count ? name(of: timeline.entries[cue.phase].phase) : "Finish"
    case .signal(let command): command.rawValue
    default: nil
    }
  }

  /// A name or a title in this language, where the catalogue has it.
  package func translated(_ name: String) -> String { words[name]?.source ?? name }

  /// A text in this language, where the catalogue has it.
  package func translated(_ text: Template) -> Template {
    words.isEmpty ? text : words[text.source] ?? text
  }

  /// "4 minutes", "12 reps", "until the heart rate is below 120"; nil for a phase that lasts until `next` or a signal, however
  /// long at most.
  public func length(_ length: PhaseLength) -> String? {
    switch length {
    case .fixed(let duration): self.duration(duration)
    case .open(.reps(let reps), _): count(Int64(reps), .rep)
    case .open(.heartRate(let rate), _):
      coaching[.heartRateBelow].map { filled($0, ["n": "\(rate)"]) }
    case .open: nil
    }
  }

  /// A duration in whole seconds, rounded up, so that remaining time is never announced as nothing.
  public func duration(_ duration: Duration) -> String {
    let seconds = duration.secondsLeft
    let parts: [(Int64, CountUnit)] = [
      (seconds / 3600, .hour), (seconds / 60 % 60, .minute), (seconds % 60, .second),
    ]
    let words = parts.filter { $0.0 > 0 }.map { count($0.0, $0.1) }
    return words.isEmpty ? count(0, .second) : words.joined(separator: " ")
  }

  /// "3 minutes".
  package func count(_ number: Int64, _ unit: CountUnit) -> String {
    let words =
      exact[unit]?[number] ?? units[unit]?[plural.form(of: Int64(clamping: number.magnitude))]
      ?? "{n}"
    let parts = words.split(separator: "{n}", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.joined(separator: String(number))
  }

  /// The wordings whose variables all have values, the longest first.
  package func wordings(
    _ key: PhraseKey, _ value: (Variable) -> String?, live: (String) -> String? = { _ in nil }
  ) -> [String] {
    (phrases[key] ?? key.standard).wordings.compactMap { $0.filled(value, live: live) }
  }
}

extension PhraseCatalogue: CustomStringConvertible {
  /// For a log: "the catalogue \"en\"".
  public var description: String { "the catalogue \"\(language)\"" }
}
