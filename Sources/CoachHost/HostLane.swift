import IntervalTimeline
import SessionStore

/// A workout for a host: a new session, or one that is resumed.
public struct HostLane: Sendable {
  /// Under which its session is stored, and later its result.
  public var identity: SessionIdentity { sharedIdentity.value }
  private let sharedIdentity: Shared<SessionIdentity>
  /// The workout, laid out.
  public let timeline: Timeline
  /// How often in a row its program ended unexpectedly.
  public let crashes: Int
  /// Nil for a new session.
  public let resumed: Resumed?

  /// From where a session continues, and how.
  public struct Resumed: Sendable {
    /// On this boot's clock.
    public let record: SessionRecord
    /// Whether it continues as if its timer had kept running, from where it was, or paused there.
    public let mode: RestoreMode
    /// When its program was last alive; nil if unknown.
    public let alive: BootInstant?
  }

  /// The lane's name: of no other lane of this host, and of no other process with the same store.
  public var name: String { identity.lane }

  /// A session that begins now.
  ///
  /// - Parameters:
  ///   - name: of the lane, and of the session on disk.
  ///   - timeline: the workout, laid out.
  ///   - request: stored with the session, so that it is announced in the same way when it is resumed.
  ///   - id: that of the start which was stored for it, if there was one.
  public init(
    _ name: String, _ timeline: Timeline, request: RunRequest = RunRequest(),
    id: String = SessionIdentity.newID()
  ) {
    self.timeline = timeline
    sharedIdentity = Shared(
      SessionIdentity(
        id: id, lane: name, workout: timeline.workout, request: request,
        startedAt: MachineClocks.wall))
    crashes = 0
    resumed = nil
  }

  /// A session that was interrupted.
  ///
  /// - Parameter timeline: the timeline of its workout, or of one with the same phases.
  init(
    _ session: StoredSession, _ timeline: Timeline, request: RunRequest, crashes: Int,
    resumed: Resumed
  ) {
    self.timeline = timeline
    var identity = session.identity
    identity.workout = timeline.workout
    identity.request = request
    sharedIdentity = Shared(identity)
    self.crashes = crashes
    self.resumed = resumed
  }
}
