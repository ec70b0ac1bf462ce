/// Identifies a text of a display. Phase names and counts are displayed as they are spoken.
package enum ScreenKey: String, CaseIterable, Hashable, Sendable {
  /// The number of the set, and how many there are: "set 3 of 8".
  case set
  /// What is left of the phase: "0:12 left".
  case left
  /// The next phase, on a line of its own: "Next: Rest".
  case next
  /// The next phase in the middle of a line: "next: Rest".
  case then
  /// What stands in place of the next phase in the last one: "Then you are done".
  case last
  /// The text in place of a phase once the workout is over.
  case over
  /// The state of a paused workout, beside its position.
  case paused
  /// Beside the position of a workout that has just been resumed.
  case resumed
  /// The label of the bar of the phase.
  case phase
  /// The label of the bar of the workout.
  case workout
  /// In place of a bar, and of what is left, for an open phase: "open, since 0:50".
  case open
  /// What is left of an open phase, or of a workout with one, where it has a longest length.
  case atMost = "at-most"
  /// The length of a phase that waits for the `next` command.
  case untilNext = "until-next"
  /// The length of a phase that waits for a signal.
  case untilSignal = "until-signal"
  /// The result of a workout that came to its end: "complete after 4:00".
  case complete
  /// The result of a workout that can be resumed: "interrupted after 1:30".
  case interrupted
  /// The result of a workout that was stopped: "stopped after 1:30".
  case stopped
  /// How many of its phases were done: "6 of 16 phases done".
  case done
  /// How many of them were skipped: "2 skipped". Left out where it is none.
  case skipped
  /// The keys and what they do.
  case spaceKey = "key-space"
  /// `n` ends the phase.
  case nextKey = "key-n"
  /// `b` goes back.
  case backKey = "key-b"
  /// `w` says the position.
  case whereKey = "key-w"
  /// `q` asks whether to stop, and stops when it is pressed again.
  case stopKey = "key-q"
  /// The digits from `1` choose a workout; shown where there are several.
  case chooseKey = "key-choose"
  /// `0` chooses all workouts.
  case allKey = "key-all"
  /// `r` counts a repetition; shown in a phase that ends by a count.
  case repKey = "key-r"
  /// `s` gives the signal that the phase waits for; shown in such a phase.
  case signalKey = "key-s"
  /// The answer to the first press of the stop key.
  case stopQuestion = "stop-question"
  /// The position of a workout that can be resumed later.
  case kept
  /// A workout that was interrupted, and the question about it.
  case found
  /// A workout that was interrupted, with the time that has passed since.
  case foundAgo = "found-ago"
  /// The answers, each written after its letter: c, h or e.
  case answerContinue = "answer-continue"
  /// The answer h: it is paused where it was.
  case answerHold = "answer-hold"
  /// The answer e where another workout was requested: that one begins.
  case answerEnd = "answer-end"
  /// The answer e where the same workout was requested: it begins anew.
  case answerAnew = "answer-anew"
  /// A workout whose preset was edited.
  case asItIsNow = "as-it-is-now"
  /// How to answer, and the prompt.
  case answerHow = "answer-how"
  /// The prompt before the answer.
  case answerPrompt = "answer-prompt"
  /// The input ended without an answer.
  case unanswered
  /// What happens to a session without a question.
  case resumes
  /// It was paused before, and still is.
  case stillPaused = "still-paused"
  /// It continues from the stored position.
  case resumesThere = "resumes-there"
  /// It is paused at the stored position, as was requested.
  case held
  /// It is paused at the stored position, because its program has crashed too often.
  case heldAfterCrashes = "held-crashes"
  /// It is paused at the stored position, because the length of the interruption is unknown.
  case heldAfterUnknownTime = "held-unknown-time"
  /// How to end the pause of a held session where there is no keyboard.
  case heldWithoutKeys = "held-without-keys"
  /// It is too old to be resumed.
  case tooOld = "too-old"
  /// It came to its end while no program ran it.
  case endedMeanwhile = "ended-meanwhile"
  /// It ends, because another workout is started in its lane.
  case replaced
  /// A position after the last phase.
  case atEnd = "at-end"
  /// After a run that left its workout as it was: how to continue it.
  case keptUnchanged = "kept-unchanged"
  /// Messages while a workout runs.
  case openWithoutKeys = "open-without-keys"
  /// The machine slept, and the workout is paused.
  case slept
  /// The program did not run for a time, and the timer went on.
  case stalled
  /// The device is lost: the problem, such as `deviceGone`, and what happens now.
  case soundLost = "sound-lost"
  /// The device plays again.
  case soundBack = "sound-back"
  /// The device is not there.
  case deviceGone = "device-gone"
  /// Another program plays on the device.
  case deviceBusy = "device-busy"
  /// The service of this program plays on the device.
  case deviceServed = "device-served"
  /// The sound was interrupted for a moment.
  case xrun
  /// The sound thread has no real-time priority, and how to give it one.
  case noRealtime = "no-realtime"
  /// The buttons of a notification.
  case pauseButton = "button-pause"
  /// In its place while the workout is paused, and beside an interrupted one.
  case resumeButton = "button-resume"
  /// Ends the phase.
  case nextButton = "button-next"
  /// Asks whether to stop, and stops when it is pressed again.
  case stopButton = "button-stop"
  /// The answer to the first press of that.
  case stopAgain = "stop-again"
  /// The notification that the device is lost.
  case silent

  /// The variables that may appear in braces.
  package var values: [String] {
    switch self {
    case .set: ["set", "sets"]
    case .next, .then: ["next"]
    case .untilSignal: ["signal"]
    case .left, .atMost, .open, .complete, .interrupted, .stopped: ["time"]
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
    case .answerHow, .answerPrompt, .unanswered, .atEnd, .soundBack, .xrun, .last, .over,
      .paused, .resumed, .phase, .workout, .untilNext, .spaceKey, .nextKey,
      .backKey, .whereKey, .repKey, .signalKey, .stopKey, .allKey, .stopQuestion,
      .pauseButton, .resumeButton, .nextButton, .stopButton, .stopAgain, .silent:
      []
    }
  }

  /// The fallback for catalogues without screen texts.
  package static let english: [ScreenKey: String] = [
    .set: "set {set} of {sets}", .left: "{time} left", .next: "Next: {next}",
    .then: "next: {next}", .last: "Then you are done", .over: "Complete", .paused: "paused",
    .resumed: "resumed", .phase: "phase", .workout: "workout", .open: "open, since {time}",
    .atMost: "at most {time} more", .untilNext: "until next", .untilSignal: "until {signal}",
    .complete: "complete after {time}",
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
    .stalled:
      "this machine was too busy for {time}: cues may be missing, and the timer kept running",
    .soundLost: "no sound: {problem}. The workout continues, and the device is tried again.",
    .soundBack: "the sound is back",
    .deviceGone: "{device} is not there; {command} lists what is there",
    .deviceBusy: "{device} is in use by another program; {command} shows which; close that one",
    .deviceServed:
      "{device} plays for the coach that runs as a service; {command} starts a workout there",
    .xrun: "the sound was interrupted: this machine was too busy for a moment",
    .noRealtime:
      "the sound thread has no real-time priority; for that, put {line} into {file}, add this user to the group audio and log in again",
    .pauseButton: "Pause", .resumeButton: "Continue", .nextButton: "Next", .stopButton: "Stop",
    .stopAgain: "Press Stop again to end", .silent: "There is no sound; the workout continues",
  ]
}

extension PhraseCatalogue {
  /// The text with its variables replaced by `values`.
  package func screen(_ key: ScreenKey, _ values: [String: String] = [:]) -> String {
    filled(screen[key] ?? ScreenKey.english[key] ?? "", values)
  }

  func filled(_ text: String, _ values: [String: String]) -> String {
    // Every second piece was in braces.
    let pieces = text.split(omittingEmptySubsequences: false) { $0 == "{" || $0 == "}" }
    return pieces.enumerated().map { index, piece in
      index.isMultiple(of: 2) ? String(piece) : values[String(piece)] ?? ""
    }.joined()
  }
}
