/// Why a request was refused.
public struct ControlError: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  public enum Code: String, CaseIterable, Hashable, Codable, Sendable {
    /// The line is not a valid request: the message says which field, and what was expected.
    case malformed
    case unknownVerb = "unknown-verb"
    /// Clients of this socket may not make such a request.
    case notAllowed = "not-allowed"
    case unknownLane = "unknown-lane"
    /// Nothing runs.
    case noLane = "no-lane"
    case unknownPreset = "unknown-preset"
    /// The preset, workout or style has a mistake.
    case invalid
    case nameTaken = "name-taken"
    /// `ControlLimits.lanes` workouts run already.
    case full
    /// The command changes nothing in the lane's state, such as `pause` in a paused workout.
    case noEffect = "no-effect"
    /// It cannot be done now: the coach ends, or a file cannot be read.
    case failed
  }

  public var code: Code
  /// One sentence for a person, on one line.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
