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
  package static let needed: [PhraseKey] = allCases.filter {
    switch $0 {
    case .setComplete, .lastOne, .begins, .group, .stretch, .opening, .stopped: false
    default: true
    }
  }

  /// What is said where a catalogue has no wording.
  package var standard: Phrase {
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
