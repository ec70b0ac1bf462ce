/// What a display writes, apart from how. The names of phases and the counts are those that are said.
public enum ScreenKey: String, CaseIterable, Hashable, Sendable {
  /// Where the workout is.
  case set, left, next
  /// The next phase in the middle of a line, and what follows the last one.
  case then, last
  case over, paused, resumed
  /// What stands before the bars, and instead of one.
  case phase, workout, open
  /// The length of a phase that waits for "next".
  case untilNext = "until-next"
  /// How it went.
  case complete, interrupted, stopped, done, skipped
  /// The keys, each with what it does.
  case spaceKey = "key-space"
  case nextKey = "key-n"
  case backKey = "key-b"
  case whereKey = "key-w"
  case stopKey = "key-q"
  case chooseKey = "key-choose"
  case allKey = "key-all"
  /// What the first press of the stop key is answered with.
  case stopQuestion = "stop-question"
  /// Where a workout stands that another run can go on with.
  case kept
  /// A workout that was interrupted, and what may become of it.
  case found
  case foundAgo = "found-ago"
  /// The answers: each stands behind its letter, c, h or e.
  case answerContinue = "answer-continue"
  case answerHold = "answer-hold"
  case answerEnd = "answer-end"
  case answerAnew = "answer-anew"
  /// A workout whose preset was edited.
  case asItIsNow = "as-it-is-now"
  /// How it is answered, and what stands before the answer.
  case answerHow = "answer-how"
  case answerPrompt = "answer-prompt"
  case unanswered
  /// What becomes of one without a question.
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
  /// A place behind the last phase.
  case atEnd = "at-end"
  case keptUnchanged = "kept-unchanged"
  /// What a person has to know while a workout runs.
  case openWithoutKeys = "open-without-keys"
  case slept
  case stalled
  case soundLost = "sound-lost"
  case soundBack = "sound-back"
  case deviceGone = "device-gone"
  case deviceBusy = "device-busy"
  case stumbled
  case noRealtime = "no-realtime"

  /// What may stand between braces in it.
  public var values: [String] {
    switch self {
    case .set: ["set", "sets"]
    case .next, .then: ["next"]
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
    case .deviceGone, .deviceBusy: ["device", "command"]
    case .noRealtime: ["line", "file"]
    case .answerHow, .answerPrompt, .unanswered, .atEnd, .soundBack, .stumbled, .last, .over,
      .paused, .resumed, .phase, .workout, .untilNext, .spaceKey, .nextKey,
      .backKey, .whereKey, .stopKey, .allKey, .stopQuestion:
      []
    }
  }
}

extension PhraseCatalogue {
  /// For catalogues that say nothing of a screen.
  public static let englishScreen: [ScreenKey: String] = [
    .set: "set {set} of {sets}", .left: "{time} left", .next: "Next: {next}",
    .then: "next: {next}", .last: "Then you are done", .over: "Complete", .paused: "paused",
    .resumed: "resumed", .phase: "phase", .workout: "workout", .open: "open, since {time}",
    .untilNext: "until next", .complete: "complete after {time}",
    .interrupted: "interrupted after {time}", .stopped: "stopped after {time}",
    .done: "{done} of {phases} phases done", .skipped: "{skipped} skipped",
    .spaceKey: "space pause/play", .nextKey: "n next", .backKey: "b back",
    .whereKey: "w where am I", .stopKey: "q stop", .chooseKey: "1-{lanes} choose",
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
      "{phase} lasts until n is pressed, and there is no keyboard; SIGTERM ends the run and keeps the workout",
    .slept: "this machine slept for {time}: paused where the sleep began; space resumes",
    .stalled: "cuecoach could not run for {time}; the timer kept running",
    .soundLost: "no sound: {problem}. The workout continues, and the device is tried again.",
    .soundBack: "the sound is back",
    .deviceGone: "{device} is not there; {command} lists what is there",
    .deviceBusy: "{device} is in use by another program; {command} shows which; close that one",
    .stumbled: "the sound was interrupted: this machine was too busy for a moment",
    .noRealtime:
      "the sound thread has no real-time priority; for that, put {line} into {file}, add this user to the group audio and log in again",
  ]

  /// The text of a display, with `values` in its braces.
  public func screen(_ key: ScreenKey, _ values: [String: String] = [:]) -> String {
    let text = screen[key] ?? Self.englishScreen[key] ?? ""
    // Every second piece stands between braces.
    let pieces = text.split(omittingEmptySubsequences: false) { $0 == "{" || $0 == "}" }
    return pieces.enumerated().map { index, piece in
      index.isMultiple(of: 2) ? String(piece) : values[String(piece)] ?? ""
    }.joined()
  }
}
