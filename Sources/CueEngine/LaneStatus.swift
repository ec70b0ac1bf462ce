import IntervalTimeline

/// A lane's state, with instants instead of remaining seconds: a display counts down by itself and needs
/// no update until something changes.
public struct LaneStatus: Hashable, Sendable {
  public let id: LaneID
  public let name: String
  public let workout: String
  public let state: Transport.State
  /// What the lane's display is written in.
  public let phrases: PhraseCatalogue
  /// The index of the running phase; the number of phases once the workout is over.
  public let phase: Int
  public let phases: Int
  public let kind: PhaseKind?
  /// What the coach calls the phase; nil once the workout is over.
  public let label: String?
  public let length: PhaseLength?
  /// True where it is decided when an open phase ends: only a command changes that.
  public let isEndDecided: Bool
  /// The repetitions counted so far, from 0; nil unless the phase ends by a count.
  public let repetitions: Int?
  public let set: Int?
  public let sets: Int?
  /// What the coach calls the phase after this one.
  public let next: String?
  public let following: Timeline.Entry?
  /// When the phase ends unless something ends it earlier. Nil for an open phase without a longest length, and
  /// while paused.
  public let phaseEndsAt: BootInstant?
  /// The same of the workout.
  public let workoutEndsAt: BootInstant?
  /// As of the instant of asking.
  public let phaseElapsed: Duration
  public let phaseLeft: Duration?
  public let elapsed: Duration
  public let workoutLeft: Duration?
  /// Phases done and skipped so far.
  public let done: Int
  public let skipped: Int

  /// It has stopped or finished; its last sounds may still be heard.
  public var isOver: Bool { state == .stopped || state == .finished }

  /// As of `now`; with `beginning` as of the instant at which that phase began, which may have
  /// passed together with others.
  init(_ lane: Lane, at now: BootInstant, beginning phase: Int? = nil) {
    let session = lane.session
    let phrases = lane.style.phrases
    self.phrases = phrases
    let timeline = session.timeline
    let here =
      phase.map { session.transport.position(atStartOf: $0, now) }
      ?? session.transport.position(at: now)
    let entry = here.phase < timeline.count ? timeline.entries[here.phase] : nil
    following = here.phase + 1 < timeline.count ? timeline.entries[here.phase + 1] : nil
    id = lane.id
    name = lane.name
    workout = timeline.workout.name
    state = session.state
    self.phase = here.phase
    phases = timeline.count
    kind = entry?.phase.kind
    label = entry.map { phrases.name(of: $0.phase) }
    length = entry?.phase.length
    repetitions = phase == nil ? session.repetitions(at: now) : entry?.phase.length.firstCount
    isEndDecided =
      phase == nil && entry?.phase.length.end != nil
      && session.transport.isEndKnown(of: here.phase)
    set = entry?.set
    sets = entry?.sets
    next = following.map { phrases.name(of: $0.phase) }
    phaseElapsed = here.elapsed - here.phaseStart
    phaseLeft = here.phaseLeft
    elapsed = here.elapsed
    workoutLeft = here.workoutLeft
    phaseEndsAt = here.phaseLeft.flatMap {
      session.transport.instant(of: here.elapsed + $0)
    }
    workoutEndsAt = here.workoutLeft.flatMap {
      session.transport.instant(of: here.elapsed + $0)
    }
    done = session.outcomes.count { $0 == .done }
    skipped = session.outcomes.count { $0 == .skipped }
  }
}

extension PhaseLength {
  /// Zero where a count ends the phase.
  fileprivate var firstCount: Int? { if case .reps = end { 0 } else { nil } }
}
