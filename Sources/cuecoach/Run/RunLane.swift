import CueEngine
import IntervalTimeline
import SessionStore

/// One workout of a run: a new session, or one that goes on.
struct RunLane {
  let timeline: Timeline
  let speech: SpeechChoice
  let session: SessionKeeper.Identity
  /// Where it goes on; nil for a new one.
  var resumed: Resumed?

  struct Resumed {
    let kept: KeptSession
    let manner: TakeUpManner
    /// When its program was last alive; nil where nobody knows.
    let alive: BootInstant?
  }

  var name: String { session.lane }

  /// A session that begins now.
  ///
  /// - Parameter options: those that `speech` was made of.
  init(_ lane: LaneArgument, _ speech: SpeechChoice, options: SpeechOptions) {
    timeline = lane.timeline
    self.speech = speech
    session = SessionKeeper.Identity(
      id: SessionKeeper.Identity.newID(), lane: lane.name, workout: lane.timeline.workout,
      options: options.arguments, startedAt: MachineClocks.wall, isNew: true)
  }

  /// A session that was interrupted.
  ///
  /// - Parameters:
  ///   - timeline: of its workout, or of one with the same phases.
  ///   - options: those that `speech` was made of.
  init(
    _ session: StoredSession, _ timeline: Timeline, _ speech: SpeechChoice, options: SpeechOptions,
    crashes: Int, resumed: Resumed
  ) {
    self.timeline = timeline
    self.speech = speech
    self.session = SessionKeeper.Identity(
      id: session.id, lane: session.lane, workout: timeline.workout, options: options.arguments,
      startedAt: session.startedAt, crashes: crashes)
    self.resumed = resumed
  }
}

extension SessionKeeper.Identity {
  init(_ session: StoredSession, crashes: Int = 0) {
    self.init(
      id: session.id, lane: session.lane, workout: session.workout, options: session.options,
      startedAt: session.startedAt, crashes: crashes)
  }
}
