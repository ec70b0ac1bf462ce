/// Identifies a text of a display. Phase names and counts are displayed as they are spoken.
public enum ScreenKey: String, CaseIterable, Hashable, Sendable {
  /// The position in the workout.
  case set, left, next
  /// The next phase in the middle of a line, and the text after the last phase.
  case then, last
  case over, paused, resumed
  /// The labels of the bars, and the text instead of one for an open phase.
  case phase, workout, open
  /// The length of a phase that waits for the `next` command.
  case untilNext = "until-next"
  /// The length of a phase that waits for a signal.
  case untilSignal = "until-signal"
  /// The result.
  case complete, interrupted, stopped, done, skipped
  /// The keys and what they do.
  case spaceKey = "key-space"
  case nextKey = "key-n"
  case backKey = "key-b"
  case whereKey = "key-w"
  case stopKey = "key-q"
  case chooseKey = "key-choose"
  case allKey = "key-all"
  case repKey = "key-r"
  case signalKey = "key-s"
  /// The answer to the first press of the stop key.
  case stopQuestion = "stop-question"
  /// The position of a workout that can be resumed later.
  case kept
  /// A workout that was interrupted, and the question about it.
  case found
  case foundAgo = "found-ago"
  /// The answers, each written after its letter: c, h or e.
  case answerContinue = "answer-continue"
  case answerHold = "answer-hold"
  case answerEnd = "answer-end"
  case answerAnew = "answer-anew"
  /// A workout whose preset was edited.
  case asItIsNow = "as-it-is-now"
  /// How to answer, and the prompt.
  case answerHow = "answer-how"
  case answerPrompt = "answer-prompt"
  case unanswered
  /// What happens to a session without a question.
  case resumes
  case stillPaused = "still-paused"
  case resumesThere = "resumes-there"
  case held
  case heldAfterCrashes = "held-crashes"
  case heldAfterUnknownTime = "held-unknown-time"
  case heldWithoutKeys = "held-without-keys"
  case tooOld = "too-old"
  case endedMeanwhile = "ended-meanwhile"
  case replaced
  /// A position after the last phase.
  case atEnd = "at-end"
  case keptUnchanged = "kept-unchanged"
  /// Messages while a workout runs.
  case openWithoutKeys = "open-without-keys"
  case slept
  case stalled
  case soundLost = "sound-lost"
  case soundBack = "sound-back"
  case deviceGone = "device-gone"
  case deviceBusy = "device-busy"
  case deviceServed = "device-served"
  case stumbled
  case noRealtime = "no-realtime"

  /// The variables that may appear in braces.
  package var values: [String] {
    switch self {
    case .set: ["set", "sets"]
    case .next, .then: ["next"]
    case .untilSignal: ["signal"]
    case .left, .open, .complete, .interrupted, .stopped: ["time"]
    case .done: ["done", "phases"]
    case .skipped: ["skipped"]
    case .kept: ["place", "command"]
    case .chooseKey: ["lanes"]
    case .found, .resumesThere: ["lane", "workout", "place"]
    case .foundAgo, .resumes, .stillPaused: ["lane", "workout", "time", "place"]
    case .answerContinue, .answerHold, .answerAnew, .asItIsNow: ["workout"]
    case .answerEnd: ["workout", "new"]
    case .held, .heldAfterUnknownTime, .endedMeanwhile: ["lane", "place"]
    case .heldAfterCrashes: ["lane", "place", "count"]
    case .heldWithoutKeys, .keptUnchanged: ["command"]
    case .tooOld: ["lane", "time", "place"]
    case .replaced: ["lane", "workout", "place", "new"]
    case .openWithoutKeys: ["phase"]
    case .slept, .stalled: ["time"]
    case .soundLost: ["problem"]
    case .deviceGone, .deviceBusy, .deviceServed: ["device", "command"]
    case .noRealtime: ["line", "file"]
    case .answerHow, .answerPrompt, .unanswered, .atEnd, .soundBack, .stumbled, .last, .over,
      .paused, .resumed, .phase, .workout, .untilNext, .spaceKey, .nextKey,
      .backKey, .whereKey, .repKey, .signalKey, .stopKey, .allKey, .stopQuestion:
      []
    }
  }
}

extension PhraseCatalogue {
  /// The fallback for catalogues without screen texts.
  public static let englishScreen: [ScreenKey: String] = [
    .set: "set {set} of {sets}", .left: "{time} left", .next: "Next: {next}",
    .then: "next: {next}", .last: "Then you are done", .over: "Complete", .paused: "paused",
    .resumed: "resumed", .phase: "phase", .workout: "workout", .open: "open, since {time}",
    .untilNext: "until next", .untilSignal: "until {signal}", .complete: "complete after {time}",
    .interrupted: "interrupted after {time}", .stopped: "stopped after {time}",
    .done: "{done} of {phases} phases done", .skipped: "{skipped} skipped",
    .spaceKey: "space pause/play", .nextKey: "n next", .backKey: "b back",
    .whereKey: "w where am I", .repKey: "r rep", .signalKey: "s signal", .stopKey: "q stop",
    .chooseKey: "1-{lanes} choose",
    .allKey: "0 all", .stopQuestion: "q again to end; ctrl-C keeps it for later",
    .kept: "kept at {place}; to continue: {command}",
    .found: "{lane}: {workout} was interrupted at {place}",
    .foundAgo: "{lane}: {workout} was interrupted {time} ago, at {place}",
    .answerContinue: "continue {workout} as if it had never stopped",
    .answerHold: "hold {workout} where it was, paused",
    .answerEnd: "end {workout} there, and start {new}",
    .answerAnew: "end {workout} there, and start it again",
    .asItIsNow: "{workout} as it is now",
    .answerHow: "Type a letter and press Enter.",
    .answerPrompt: "c, h or e?",
    .unanswered: "no answer: the interrupted workout stays as it was, and nothing began",
    .resumes: "{lane} resumes {workout}; {time} ago it was at {place}",
    .stillPaused: "{lane} is still paused in {workout}; {time} ago it was at {place}",
    .resumesThere: "{lane} resumes {workout} where it was, at {place}",
    .held: "{lane} is paused where it was, {place}",
    .heldAfterCrashes:
      "{lane} is paused where it was, {place}: its program crashed {count} times in a row",
    .heldAfterUnknownTime:
      "{lane} is paused where it was, {place}: how long this machine was off is unknown",
    .heldWithoutKeys:
      "there is no keyboard to end that pause; end this run (SIGTERM), then run: {command}",
    .tooOld: "{lane} was interrupted {time} ago, at {place}, and is not resumed",
    .endedMeanwhile:
      "{lane} ended while cuecoach was not running; it was last at {place}",
    .replaced:
      "{lane}: {workout} was interrupted at {place}; it ends there as abandoned, and {new} begins",
    .atEnd: "its end",
    .keptUnchanged: "kept as it was; to continue: {command}",
    .openWithoutKeys:
      "{phase} does not end by itself, and there is no keyboard; SIGTERM ends the run and keeps the workout",
    .slept: "this machine slept for {time}: paused where the sleep began; space resumes",
    .stalled: "cuecoach could not run for {time}; the timer kept running",
    .soundLost: "no sound: {problem}. The workout continues, and the device is tried again.",
    .soundBack: "the sound is back",
    .deviceGone: "{device} is not there; {command} lists what is there",
    .deviceBusy: "{device} is in use by another program; {command} shows which; close that one",
    .deviceServed:
      "{device} plays for the coach that runs as a service; {command} starts a workout there",
    .stumbled: "the sound was interrupted: this machine was too busy for a moment",
    .noRealtime:
      "the sound thread has no real-time priority; for that, put {line} into {file}, add this user to the group audio and log in again",
  ]

  /// The text with its variables replaced by `values`.
  public func screen(_ key: ScreenKey, _ values: [String: String] = [:]) -> String {
    let text = screen[key] ?? Self.englishScreen[key] ?? ""
    // Every second piece was in braces.
    let pieces = text.split(omittingEmptySubsequences: false) { $0 == "{" || $0 == "}" }
    return pieces.enumerated().map { index, piece in
      index.isMultiple(of: 2) ? String(piece) : values[String(piece)] ?? ""
    }.joined()
  }
}
