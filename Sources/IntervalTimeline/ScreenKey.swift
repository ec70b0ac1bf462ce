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
    case .last, .over, .paused, .resumed, .phase, .workout, .untilNext, .spaceKey, .nextKey,
      .backKey, .whereKey, .stopKey, .allKey, .stopQuestion:
      []
    }
  }
}

extension PhraseCatalogue {
  /// For catalogues that say nothing of a screen.
  public static let englishScreen: [ScreenKey: String] = [
    .set: "set {set} of {sets}", .left: "{time} left", .next: "Next: {next}",
    .then: "next: {next}", .last: "Then it is done", .over: "Complete", .paused: "paused",
    .resumed: "resumed", .phase: "phase", .workout: "workout", .open: "open, since {time}",
    .untilNext: "until next", .complete: "complete after {time}",
    .interrupted: "interrupted after {time}", .stopped: "stopped after {time}",
    .done: "{done} of {phases} phases done", .skipped: "{skipped} skipped",
    .spaceKey: "space pause/go on", .nextKey: "n next", .backKey: "b back",
    .whereKey: "w where am I", .stopKey: "q stop", .chooseKey: "1-{lanes} choose",
    .allKey: "0 all", .stopQuestion: "q again to end; ctrl-C keeps it for later",
    .kept: "kept at {place}; to go on: {command}",
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
