import CueEngine
import Words

/// Why there is a note about a preset, for surfaces that word it in other languages.
enum NoteReason: String {
  /// What a listener is not told has no room, or the preset has a text of its own there. About: `name`, `length`,
  /// `target`.
  case room
  case ownText = "own-text"
  /// What became of an announcement that had too little room. About: its words.
  case leftOut = "left-out"
  case shortened, merged, moved
  /// It is said in another way: faster, by another voice, with beeps for its numbers.
  case otherwise
  /// It is said once each of its live values is known.
  case value
  /// A target needs a figure of the athlete. About: its key in config.yaml.
  case athlete
  /// A phase is over before anything is said of its target. About: the length that it would have to exceed.
  case short
  /// A phase lasts until a person ends it.
  case endless
  /// Something was not looked at.
  case unchecked

  /// What became of an announcement that is not said in full when it is due.
  init(_ outcome: LedgerEvent.Outcome, _ delay: Duration) {
    self =
      switch outcome {
      case .dropped: .leftOut
      case .shortened: .shortened
      case .merged: .merged
      default: delay.magnitude < LaidOutCue.noticed ? .otherwise : .moved
      }
  }

  /// What happened to words that had too little room; nil where another voice says them, or they are faster.
  var fate: String? {
    switch self {
    case .leftOut: "left out"
    case .shortened, .merged, .moved: rawValue
    default: nil
    }
  }
}

extension JSONObject {
  mutating func add(_ reason: NoteReason, _ about: [String]) {
    add("because", reason.rawValue)
    if !about.isEmpty { add("about", about) }
  }
}
