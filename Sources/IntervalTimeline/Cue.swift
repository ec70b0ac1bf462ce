/// A sound or an announcement at a given time of a workout.
///
/// A cue belongs to a phase. Its times are offsets from the phase's start, so they stay valid
/// whenever the phase begins.
package struct Cue: Hashable, Codable, Sendable {
  /// The sounds of a boundary, which can be told apart without looking.
  package enum Transition: String, Hashable, Codable, Sendable {
    /// A high or work phase begins.
    case effort
    /// A rest or recovery begins.
    case rest
    /// Any other phase begins.
    case ease
    /// The next phase of a rolling course begins: softer than the others.
    case change
    /// A set ends that was not counted down in words.
    case setEnd
    /// The workout is over.
    case finish
  }

  /// What is heard. `isSpoken` tells words from sounds.
  package enum Content: Hashable, Codable, Sendable {
    /// A beep, this many seconds before a boundary.
    case countdown(Int)
    /// The sound of a boundary.
    case transition(Transition)
    /// "Set N completing in", then the count words from `from` down to 0.
    case setCompletion(from: Int)
    /// A text of the workout itself: its index in `Phase.remarks`.
    case remark(Int)
    /// Says that half of the phase has passed.
    case halfway
    /// What was started: its name, its length and its sets.
    case opening
    /// Tells the phase that has begun.
    case begins
    /// Tells the next phase, by its index.
    case next(Int)
    /// Says what is left of the phase, at each whole minute before its end.
    case timeLeft
    /// Says the elapsed workout time, after the start of each set but the first.
    case elapsed
    /// Says that the workout is over.
    case finish
    /// The current position in the workout; said after a stall, never planned.
    case position
    /// The current position on request, with what comes next.
    case whereAmI
    /// The elapsed workout time on request.
    case time
    /// The lane's name.
    case laneName
    /// The number of a repetition that has been counted; never planned.
    case repetition(Int)
    /// How many rounds were counted in the phase of that index, which has ended; never planned.
    case total(phase: Int, count: Int)
    /// A text that somebody has sent; never planned.
    case message(Message)
    /// The question whether to stop.
    case stopQuestion
    /// How far a workout came that was stopped.
    case stopped
    /// The set that ended with that phase is complete: its last seconds had words of their own and were not counted.
    case setComplete(phase: Int)
    /// The sound that confirms a command, and the words that follow it.
    case signal(Acknowledgement)
    /// The words that confirm a command.
    case acknowledgement(Acknowledgement)

    /// True for words that react to an event: a command, a question, a stall.
    package var isAnswer: Bool {
      switch self {
      case .position, .whereAmI, .time, .laneName, .stopQuestion, .acknowledgement: true
      default: false
      }
    }

    /// True for words about the current position in the workout.
    var isAboutPosition: Bool {
      switch self {
      case .position, .whereAmI, .acknowledgement(.resume): true
      default: false
      }
    }
  }

  /// The index of its phase; the timeline's count for the end.
  package let phase: Int
  /// What is heard.
  package let content: Content
  /// When it is due: the first sample, or the first count word of a set completion.
  package let at: Duration
  /// The earliest time of its first sample; before `at` for words that may be moved.
  package let earliest: Duration
  /// When its last timed part is due.
  package let until: Duration
  /// How long after `at` its words may begin if others are being said; nil: until its phase ends.
  package let patience: Duration?
  /// When its words are over; nil: when its phase ends. Words whose `at` this is end as late as they can.
  package let ends: Duration?
  /// True for words that make room for everything else; not stored, because such words are never planned.
  private(set) var yields = false

  private enum CodingKeys: CodingKey { case phase, content, at, earliest, until, patience, ends }

  package init(
    phase: Int, content: Content, at: Duration, earliest: Duration? = nil, until: Duration? = nil,
    patience: Duration? = .zero, ends: Duration? = nil, yields: Bool = false
  ) {
    self.phase = phase
    self.content = content
    self.at = at
    self.earliest = earliest ?? at
    self.until = until ?? at
    self.patience = patience
    self.ends = ends
    self.yields = yields
  }

  /// True for words that end as late as they can, wherever they begin.
  package var isAhead: Bool { ends == at && isSpoken }

  /// True for announcements, false for sounds.
  package var isSpoken: Bool {
    switch content {
    case .countdown, .transition, .signal: false
    default: true
    }
  }

  /// True for what leads to the end of its phase, or says something of its length.
  func dependsOnEnd(of phase: Phase) -> Bool {
    switch content {
    case .countdown, .setCompletion, .halfway, .timeLeft, .transition(.setEnd): true
    case .remark(let number):
      if case .beforeEnd = phase.remarks[number].place { true } else { false }
    default: false
    }
  }

  /// Decides which words are said if there is no room for all: 0 comes before 1. This is the
  /// priority of a set completion's introduction; its numbers come before everything.
  package var priority: Int {
    if yields { return Self.lowestPriority }
    return switch content {
    case .countdown, .transition, .signal: 0
    case .position, .whereAmI, .time, .laneName, .stopQuestion, .acknowledgement, .repetition,
      .stopped:
      1
    case .setCompletion, .setComplete, .finish, .total: 2
    case .remark: 3
    case .next: 4
    case .begins, .halfway: 5
    case .opening, .timeLeft, .elapsed: 6
    case .message(let message):
      switch message.priority {
      case .high: 1
      case .normal: 3
      case .low: Self.lowestPriority
      }
    }
  }

  private static let lowestPriority = 7

  /// Orders cues that begin at the same instant: sounds before words.
  var rank: Int {
    switch content {
    case .transition, .signal: 0
    case .countdown: 1
    default: 1 + priority
    }
  }
}
