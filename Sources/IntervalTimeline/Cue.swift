/// What is heard at one place of a workout.
///
/// A cue belongs to a phase and its times are offsets from that phase's start, so that it stays
/// right whenever the phase comes to begin.
public struct Cue: Hashable, Sendable {
  /// The sounds of a boundary, told apart with eyes shut.
  public enum Transition: String, Hashable, Sendable {
    /// A high or work phase begins.
    case effort
    /// Any other phase begins.
    case ease
    /// The workout is over.
    case finish
  }

  public enum Content: Hashable, Sendable {
    /// A beep that many seconds before a boundary.
    case countdown(Int)
    case transition(Transition)
    /// "Set N completing in", then the count words from `from` down to 0.
    case setCompletion(from: Int)
    case halfway
    /// The phase with that index comes next.
    case next(Int)
    case finish
    /// Where the workout now is; said after a stall, never planned.
    case position
  }

  /// The index of the phase it belongs to; the timeline's count stands for the end.
  public let phase: Int
  public let content: Content
  /// When it is due: the first sample, or the first count word of a set completion.
  public let at: Duration
  /// The earliest its first sample may lie; before `at` only for words that lead up to it.
  public let earliest: Duration
  /// The due instant of its last timed part.
  public let until: Duration

  public init(
    phase: Int, content: Content, at: Duration, earliest: Duration? = nil, until: Duration? = nil
  ) {
    self.phase = phase
    self.content = content
    self.at = at
    self.earliest = earliest ?? at
    self.until = until ?? at
  }

  /// True for cues made of words.
  public var isSpoken: Bool {
    switch content {
    case .countdown, .transition: false
    case .setCompletion, .halfway, .next, .finish, .position: true
    }
  }

  /// The order of cues that begin at the same instant: sounds before words.
  var rank: Int {
    switch content {
    case .transition: 0
    case .countdown: 1
    case .setCompletion: 2
    case .next: 3
    case .halfway: 4
    case .finish: 5
    case .position: 6
    }
  }
}
