import IntervalTimeline
import SessionStore

/// What happened to an interrupted session, to be reported to the user.
public struct SessionNotice: Sendable {
  /// What happens to the session.
  public enum Kind: Hashable, Sendable {
    /// It continues as if its timer had kept running.
    case resumes
    /// It was paused when its program ended, and still is.
    case stillPaused
    /// It continues from where it was.
    case resumesFromRecord
    /// It is paused where it was.
    case held(Recovery.HoldReason?)
    /// Not resumed: it was interrupted too long ago.
    case tooOld
    /// Its end passed while no program ran it.
    case endedMeanwhile
    /// It ends where it was, because another workout begins under its name.
    indirect case replaced(by: Workout)
    /// It cannot be read, and stays in the store.
    case damaged
  }

  /// What happens to it.
  public let kind: Kind
  /// The session as it was stored.
  public let session: StoredSession
  /// The timeline of the session's workout; nil if it cannot be laid out.
  public let timeline: Timeline?
  /// How long ago it was last stored; nil if unknown.
  public let age: Duration?
  /// How the workout under this name is requested now.
  package let order: StartOrder
}

/// A question to the user about an interrupted session.
public struct ResumeQuestion: Sendable {
  /// The session as it was stored.
  public let session: StoredSession
  /// The timeline with which it would continue.
  public let timeline: Timeline
  /// How long ago it was last stored; nil if unknown.
  public let age: Duration?
  /// The other workout that is requested under this name; nil: the same one.
  public let instead: Workout?
  /// How the workout under this name is requested now.
  package let order: StartOrder
}
