/// What is heard at one place of a workout.
///
/// A cue belongs to a phase and its times are offsets from that phase's start, so that it stays
/// right whenever the phase comes to begin.
public struct Cue: Hashable, Codable, Sendable {
  /// The sounds of a boundary, told apart with eyes shut.
  public enum Transition: String, Hashable, Codable, Sendable {
    /// A high or work phase begins.
    case effort
    /// A rest or recovery begins.
    case rest
    /// Any other phase begins.
    case ease
    /// A set ends without being counted down in words.
    case setEnd
    /// The workout is over.
    case finish
  }

  public enum Content: Hashable, Codable, Sendable {
    /// A beep that many seconds before a boundary.
    case countdown(Int)
    case transition(Transition)
    /// "Set N completing in", then the count words from `from` down to 0.
    case setCompletion(from: Int)
    /// A text of the workout's own: the index among its phase's remarks.
    case remark(Int)
    case halfway
    /// The phase with that index comes next.
    case next(Int)
    case timeLeft
    case elapsed
    case finish
    /// Where the workout now is; said after a stall, never planned.
    case position
    /// The same on request, with what comes next.
    case whereAmI
    /// Whose workout it is.
    case laneName
    /// Whether it is to be stopped.
    case stopQuestion
    /// The sound that answers a command, and the words.
    case signal(Acknowledgement)
    case acknowledgement(Acknowledgement)

    /// True for words that answer a moment: a command, a question, a stall.
    public var isAnswer: Bool {
      switch self {
      case .position, .whereAmI, .laneName, .stopQuestion, .acknowledgement: true
      default: false
      }
    }

    /// True for words about where the workout is.
    var tellsAPlace: Bool {
      switch self {
      case .position, .whereAmI, .acknowledgement(.resume): true
      default: false
      }
    }
  }

  /// The index of the phase it belongs to; the timeline's count stands for the end.
  public let phase: Int
  public let content: Content
  /// When it is due: the first sample, or the first count word of a set completion.
  public let at: Duration
  /// The earliest its first sample may lie; before `at` for words that may be moved.
  public let earliest: Duration
  /// The due instant of its last timed part.
  public let until: Duration
  /// How much later than `at` its words may begin where others are being said; nil: as late as its
  /// phase allows.
  public let patience: Duration?

  public init(
    phase: Int, content: Content, at: Duration, earliest: Duration? = nil, until: Duration? = nil,
    patience: Duration? = .zero
  ) {
    self.phase = phase
    self.content = content
    self.at = at
    self.earliest = earliest ?? at
    self.until = until ?? at
    self.patience = patience
  }

  /// True for cues made of words.
  public var isSpoken: Bool {
    switch content {
    case .countdown, .transition, .signal: false
    default: true
    }
  }

  /// Whose words come first where there is no room for all: 0 before 1. The numbers of a set
  /// completion come before everything, the words before them are of its own priority.
  public var priority: Int {
    switch content {
    case .countdown, .transition, .signal: 0
    case .position, .whereAmI, .laneName, .stopQuestion, .acknowledgement: 1
    case .setCompletion, .finish: 2
    case .remark: 3
    case .next: 4
    case .halfway: 5
    case .timeLeft, .elapsed: 6
    }
  }

  /// The order of cues that begin at the same instant: sounds before words.
  var rank: Int {
    switch content {
    case .transition, .signal: 0
    case .countdown: 1
    default: 1 + priority
    }
  }
}
