import CueEngine
import IntervalTimeline
import SessionStore

/// A workout that a host can run: laid out, with how it is announced and its session, which is new or resumed.
public struct OpenedWorkout: Sendable {
  /// Under which its session is stored, and later its result.
  public package(set) var identity: SessionIdentity {
    get { sharedIdentity.value }
    set { sharedIdentity = Shared(newValue) }
  }
  private var sharedIdentity: Shared<SessionIdentity>
  /// The workout, laid out.
  public let timeline: Timeline
  /// How it is announced, whatever `Workout.style` asks for.
  public var style = LaneStyle()
  /// Its own sounds; nil for the host's.
  public var sounds: SoundPack?
  /// Remarks for the person who starts it.
  public var notices: [String] {
    get { remarks.map(\.text) }
    set { remarks = newValue.map { Sentence(verbatim: $0) } }
  }
  /// `notices` as sentences.
  package var remarks: [Sentence] = []
  /// How often in a row its program ended unexpectedly.
  package let crashes: Int
  /// Nil for a new session.
  package let resumed: Resumed?

  /// From where a session continues, and how.
  package struct Resumed: Sendable {
    /// On this boot's clock.
    package let record: SessionRecord
    /// Whether it continues as if its timer had kept running, from where it was, or paused there.
    package let mode: RestoreMode
    /// When its program was last alive; nil if unknown.
    package let alive: BootInstant?
  }

  /// The lane's name: of no other lane of the host, and of no other process with the same store.
  public var name: String {
    get { identity.lane }
    set { identity.lane = newValue }
  }

  /// A session that begins now, announced in English and with the host's sounds; style and sounds are set afterwards.
  ///
  /// - Parameters:
  ///   - name: of the lane, and of the session on disk.
  ///   - timeline: the workout, laid out.
  ///   - order: stored with the session, so that it is announced in the same way when it is resumed.
  public init(_ name: String, _ timeline: Timeline, order: StartOrder = StartOrder()) {
    self.init(
      SessionIdentity(
        lane: name, workout: timeline.workout, order: order, startedAt: MachineClocks.wall),
      timeline)
  }

  /// - Parameter timeline: of the identity's workout, or of one with the same phases, which it gets.
  package init(
    _ identity: SessionIdentity, _ timeline: Timeline, crashes: Int = 0, resumed: Resumed? = nil
  ) {
    self.timeline = timeline
    var identity = identity
    identity.workout = timeline.workout
    sharedIdentity = Shared(identity)
    self.crashes = crashes
    self.resumed = resumed
  }
}
