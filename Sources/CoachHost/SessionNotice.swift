import IntervalTimeline
import SessionStore

/// What became of a session that was interrupted, for the holder to report.
public struct SessionNotice: Sendable {
  public enum Kind: Hashable, Sendable {
    /// Its timer kept running.
    case resumes
    /// It was paused when its program ended, and still is.
    case stillPaused
    /// It continues from where it was.
    case resumesFromThere
    /// Paused where it was.
    case held(Recovery.HoldReason?)
    /// Not resumed: it was interrupted too long ago.
    case tooOld
    /// Its end passed while no program ran it.
    case endedMeanwhile
    /// It ends where it was, because another workout begins under its name.
    case replaced(by: Workout)
    /// It cannot be read and stays where it is.
    case damaged
  }

  public let kind: Kind
  public let session: StoredSession
  /// Of the session's workout; nil where it has none.
  public let timeline: Timeline?
  /// How long ago it was last kept; nil where that is not known.
  public let age: Duration?
  /// How the workout was requested that is to run under the name.
  public let request: RunRequest
}

/// What a holder is asked about a session that was interrupted.
public struct ResumeQuestion: Sendable {
  public let session: StoredSession
  public let timeline: Timeline
  public let age: Duration?
  /// The other workout that is requested under this name; nil: the same one.
  public let instead: Workout?
  /// How the workout was requested that is to run under the name.
  public let request: RunRequest
}
