import IntervalTimeline

/// Why a request was refused.
public struct ControlError: Error, Hashable, Codable, Sendable, CustomStringConvertible,
  SaidInSentence
{
  /// What a client can tell apart. The raw value is what an answer has.
  public enum Code: String, CaseIterable, Hashable, Codable, Sendable {
    /// The line is not a valid request: the message says which field, and what was expected.
    case malformed
    /// There is no such verb in this version of the protocol.
    case unknownVerb = "unknown-verb"
    /// Clients of this socket may not make such a request.
    case notAllowed = "not-allowed"
    /// No lane has that name, or several run and none was named; the message lists them.
    case unknownLane = "unknown-lane"
    /// Nothing runs.
    case noLane = "no-lane"
    /// There is no preset of that name, or it cannot be read.
    case unknownPreset = "unknown-preset"
    /// The preset, workout or style has a mistake.
    case invalid
    /// A workout or a preset cannot have that name.
    case badName = "bad-name"
    /// A text or a file is larger than the coach takes.
    case tooLarge = "too-large"
    /// Somebody else has changed or deleted the preset meanwhile.
    case changed
    /// A workout of that name runs or is still to begin.
    case nameTaken = "name-taken"
    /// 32 workouts run already, or there are as many presets as are kept.
    case full
    /// The command changes nothing in the lane's state, such as `pause` in a paused workout.
    case noEffect = "no-effect"
    /// The command's `sentAt` is more than `ControlLimits.commandLife` ago, or as far ahead.
    case expired
    /// Somebody trains, or is about to.
    case busy
    /// It cannot be done now: the coach ends, or a file cannot be read.
    case failed
  }

  /// What a client can tell apart.
  public var code: Code
  /// One sentence for a person, on one line.
  public var message: String { sentence.text }
  package var sentence: Sentence

  /// The arguments are taken as they are.
  public init(_ code: Code, message: String) { self.init(code, Sentence(verbatim: message)) }

  package init(_ code: Code, _ sentence: Sentence) {
    (self.code, self.sentence) = (code, sentence)
  }

  private enum CodingKeys: String, CodingKey {
    case code
    case sentence = "message"
  }

  public var description: String { message }
}
