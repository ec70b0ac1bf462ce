/// Identifies an announcement, whatever its wording.
public enum PhraseKey: String, CaseIterable, Hashable, Codable, Sendable {
  /// The words before the numbers of the countdown to a set's end. Without them the numbers are said all the same.
  case setCompletion = "set-completion"
  /// After a set whose last seconds had words of their own, such as a tempo. Without words for it in the catalogue
  /// nothing is said.
  case setComplete = "set-complete"
  /// Half of a phase has passed.
  case halfway
  /// Before a phase: its name, its length and its target.
  case next
  /// The same for the last of three or more equal efforts. Without words for it in the catalogue it is told as any other.
  case lastOne = "last-one"
  /// As a phase begins that was not told before.
  case begins
  /// Before phases that are repeated and told together, and as they begin.
  case group
  /// Before a stretch of a rolling course, and as it begins.
  case stretch
  /// As the workout begins.
  case opening
  /// The workout is over.
  case finish
  /// The current position: on request, after a stall, and when a session is resumed.
  case position
  /// What is left of the phase, each minute.
  case timeLeft = "time-left"
  /// The elapsed workout time, at the start of each set but the first.
  case elapsed
  /// After `pause`, where that command is answered aloud.
  case paused
  /// After `resume`, where that command is answered aloud.
  case resumed
  /// After `next`, where that command is answered aloud.
  case skipped
  /// After `back`, where that command is answered aloud.
  case wentBack = "went-back"
  /// After the first press of the stop key.
  case stopQuestion = "stop-question"
  /// After a stop: how far the workout came. Without words for it in the catalogue nothing is said.
  case stopped

  /// Those that every catalogue has to have. The others are made of words that need no translation, or are told as
  /// `next` is.
  public static let needed: [PhraseKey] = allCases.filter {
    switch $0 {
    case .setComplete, .lastOne, .begins, .group, .stretch, .opening, .stopped: false
    default: true
    }
  }

  /// What is said where a catalogue has no wording.
  var standard: Phrase {
    switch self {
    case .begins:
      Phrase([
        "{phase}, {length}, {intensity}", "{phase}, {length}", "{phase}, {intensity}", "{phase}",
      ])
    case .group: Phrase(["{times}: {group}"])
    case .stretch: Phrase(["{length}: {intensity}", "{length}"])
    case .opening:
      Phrase([
        "{workout}: {total}, {set-count}", "{total}, {set-count}", "{workout}: {total}",
        "{workout}: {set-count}",
        "{total}", "{set-count}",
      ])
    default: Phrase([])
    }
  }
}

/// The wordings of an announcement, from the longest to the shortest. Without any it is not said.
///
/// `Phrase([])` silences an announcement alone, not its sounds: with `phrases[.setCompletion] = Phrase([])` the end of
/// a set is counted "3, 2, 1, 0" without words before it. Where several lanes run, the lane's name comes before the
/// numbers. For beeps in place of the numbers choose `Density.quiet`.
///
/// A wording is skipped while one of its variables has no value (no set, an open phase).
public struct Phrase: Hashable, Codable, Sendable {
  /// The first is said whose variables have values and which has room.
  public var wordings: [Template]

  /// Takes the wordings in this order, the longest first; none: it is not said.
  public init(_ wordings: [Template]) {
    self.wordings = wordings
  }
}

/// Everything that the coach says in one language.
public struct PhraseCatalogue: Hashable, Sendable {
  /// The units of counting. "{n}" stands for the number in each form.
  public enum Unit: String, CaseIterable, Hashable, Sendable {
    /// Of a length, which the coach says itself: "2 hours". Every catalogue has words for it.
    case hour
    /// Of a length, which the coach says itself: "3 minutes". Every catalogue has words for it.
    case minute
    /// Of a length, which the coach says itself: "20 seconds". Every catalogue has words for it.
    case second
    /// Of a count of repetitions, which the coach says itself: "12 reps". Every catalogue has words for it.
    case rep
    /// Of a count of sets: "4 sets". Without words for it in the catalogue the number is said alone.
    case set
    /// Of a count of repetitions of several phases: "6 times". Without words for it in the catalogue the number is said
    /// alone.
    case time
    /// Of a live value, such as a distance. Without words for it in the catalogue the number is said alone.
    case metre
    /// Of a live value, such as a distance. Without words for it in the catalogue the number is said alone.
    case kilometre
    /// Of a live value, such as a load. Without words for it in the catalogue the number is said alone.
    case kilogram
    /// Of a live value: a power. Without words for it in the catalogue the number is said alone.
    case watt
    /// Of a live value: energy, in kilocalories. Without words for it in the catalogue the number is said alone.
    case calorie
    /// Of a live value, such as a gradient. Without words for it in the catalogue the number is said alone.
    case percent
    /// Of a live value: a count of strokes. Without words for it in the catalogue the number is said alone.
    case stroke
    /// Of a live value: a heart rate. Without words for it in the catalogue the number is said alone.
    case beatsPerMinute = "beats-per-minute"
    /// Of a live value: a stroke rate, as in rowing. Without words for it in the catalogue the number is said alone.
    case strokesPerMinute = "strokes-per-minute"
    /// Of a live value: a cadence, as in cycling. Without words for it in the catalogue the number is said alone.
    case revolutionsPerMinute = "revolutions-per-minute"
    /// Of a live value: a speed. Without words for it in the catalogue the number is said alone.
    case kilometrePerHour = "kilometre-per-hour"

    /// Those that every catalogue has to have.
    public static let needed: [Unit] = [.hour, .minute, .second, .rep]
  }

  /// A BCP 47 language tag: "en", "pt-br".
  public var language: String
  /// The default voice for the language.
  public var voice: String
  /// Which form of a unit a number takes.
  public var plural: PluralRule
  /// The words of each unit in each form, with "{n}" for the number: "{n} minutes".
  public var units: [Unit: [PluralRule.Form: String]]
  /// Wordings for single numbers that fit no form: "dwie minuty", "vingt et une minutes".
  public var exact: [Unit: [Int64: String]]
  /// Names for phases that have none.
  public var phases: [PhaseKind: String]
  /// The wordings of each announcement. One that is absent is not said.
  public var phrases: [PhraseKey: Phrase]
  /// The words of intensities, besides units, with their variables in braces. Where one that is needed is absent, an
  /// intensity is said as it is written.
  public var intensity: [IntensityKey: String]
  /// Before the decimals of a number.
  public var decimalSign: String
  /// The texts of a display.
  package var screen = englishScreen
  /// Names, titles and texts of workouts in this language, by what the workouts have. What is not among them is said
  /// as it stands.
  public var words: [String: Template] = [:]

  /// The arguments are taken as they are; a catalogue's file is checked where it is read.
  public init(
    language: String, voice: String, plural: PluralRule,
    units: [Unit: [PluralRule.Form: String]], exact: [Unit: [Int64: String]] = [:],
    phases: [PhaseKind: String], phrases: [PhraseKey: Phrase],
    intensity: [IntensityKey: String] = [:], decimalSign: String = "."
  ) {
    self.language = language
    self.voice = voice
    self.plural = plural
    self.units = units
    self.exact = exact
    self.phases = phases
    self.phrases = phrases
    self.intensity = intensity
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
    ], intensity: englishIntensity)
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

  /// A name or a title in this language, where the catalogue has it.
  package func translated(_ name: String) -> String { words[name]?.source ?? name }

  /// A text in this language, where the catalogue has it.
  package func translated(_ text: Template) -> Template {
    words.isEmpty ? text : words[text.source] ?? text
  }

  /// "4 minutes", "12 reps"; nil for a phase that lasts until `next` or a signal, however long at most.
  public func length(_ length: PhaseLength) -> String? {
    switch length {
    case .fixed(let duration): self.duration(duration)
    case .open(.reps(let reps), _): count(Int64(reps), .rep)
    case .open: nil
    }
  }

  /// A duration in whole seconds, rounded up, so that remaining time is never announced as nothing.
  public func duration(_ duration: Duration) -> String {
    let seconds = duration.secondsLeft
    let parts: [(Int64, Unit)] = [
      (seconds / 3600, .hour), (seconds / 60 % 60, .minute), (seconds % 60, .second),
    ]
    let words = parts.filter { $0.0 > 0 }.map { count($0.0, $0.1) }
    return words.isEmpty ? count(0, .second) : words.joined(separator: " ")
  }

  /// "3 minutes".
  package func count(_ number: Int64, _ unit: Unit) -> String {
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
