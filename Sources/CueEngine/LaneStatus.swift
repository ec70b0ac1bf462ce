import IntervalTimeline

/// A lane's state, with instants instead of remaining seconds: a display counts down by itself and needs
/// no update until something changes.
public struct LaneStatus: Hashable, Sendable, CustomStringConvertible {
  /// As `addLane` returned it.
  public let id: LaneID
  /// As given to `addLane`.
  public let name: String
  /// The name of the lane's workout (`Workout.name`).
  public let workout: String
  /// What commands are possible: `ready` until the start, `stopped` or `finished` while last sounds are
  /// heard.
  public let state: Transport.State
  /// What the lane's display is written in.
  public var phrases: PhraseCatalogue { sharedPhrases.value }
  private let sharedPhrases: Shared<PhraseCatalogue>
  /// The index of the running phase, or of the one in which the workout was stopped; the number of phases
  /// after the last one.
  public let phase: Int
  /// How many phases the timeline has, 1 or more.
  public let phases: Int
  /// The running phase's kind; nil after the last phase.
  public let kind: PhaseKind?
  /// What the coach calls the phase; nil after the last one.
  public let label: String?
  /// The running phase's intensity as the workout has it; nil where it has none, and after the last phase.
  public let intensity: String?
  /// The running phase's note as the workout has it, to be shown; nil where it has none, and after the last phase.
  public let note: String?
  /// The running phase's address as the workout has it, to be shown; nil where it has none, and after the last phase.
  public let link: String?
  /// The running phase's length as the workout has it; nil after the last phase.
  public let length: PhaseLength?
  /// True where it is decided when an open phase ends: only a command changes that.
  public let isEndDecided: Bool
  /// True while the running phase is open and it is not decided when it ends: `phaseLeft` and `phaseEndsAt` are
  /// the most.
  public var mayEndEarly: Bool { length?.end != nil && !isEndDecided }
  /// True while the running phase or a later one is open: the workout may end before `workoutEndsAt`, and
  /// `workoutLeft` is the most.
  public let workoutMayEndEarly: Bool
  /// The repetitions counted so far, from 0; nil unless the phase counts them.
  public let repetitions: Int?
  /// The running phase's set, from 1; nil where the phase belongs to no numbered set, and after the last
  /// phase.
  public let set: Int?
  /// How many sets the running phase's block has; nil where `set` is.
  public let sets: Int?
  /// True in a phase that a surprise follows: displays show neither what is left of it nor what comes.
  public let isBeforeSurprise: Bool
  /// What the coach calls the phase after this one; nil where `following` is, and before a surprise.
  public let next: String?
  /// The phase after the running one; nil for the last phase and after it. It is there before a surprise too.
  public let following: Timeline.Entry?
  /// When the phase ends unless something ends it earlier. Nil for an open phase without a longest length,
  /// before a surprise, and unless the workout runs.
  public let phaseEndsAt: BootInstant?
  /// When the workout ends unless something ends a phase earlier. Nil where an open phase leaves it unknown,
  /// and unless the workout runs.
  public let workoutEndsAt: BootInstant?
  /// How long the phase has lasted, without pauses, as of the instant of asking.
  public private(set) var phaseElapsed: Duration
  /// What is left of the running phase, as of the instant of asking; zero after the last phase. The most while
  /// the phase is open and its end is not decided. Nil while it is open without a longest length, and before a
  /// surprise.
  public private(set) var phaseLeft: Duration?
  /// Workout time, which excludes pauses, as of the instant of asking. Zero before the start.
  public private(set) var elapsed: Duration
  /// What is left of the workout, as of the instant of asking; with `workoutMayEndEarly` the most. Nil where an
  /// open phase without a longest length leaves it unknown.
  public private(set) var workoutLeft: Duration?
  /// Phases done so far.
  public let done: Int
  /// Phases so far that were ended with `next` before their time (`PhaseOutcome.skipped`).
  public let skipped: Int

  /// One line for a log, in English but for the phase's name: "anna: running at 0:18, Low, phase 1 of 16, set 1
  /// of 8, 0:12 left". An open phase is "open, since 0:50, at most 2:10 more".
  public var description: String {
    let at = "\(name): \(state.rawValue) at \(elapsed.passedText)"
    guard let label, !isOver else {
      return "\(at), \(done) of \(phases) phases done" + (skipped > 0 ? ", \(skipped) skipped" : "")
    }
    var parts = [at, label, "phase \(phase + 1) of \(phases)"]
    if let set { parts.append("set \(set) of \(sets ?? set)") }
    if let repetitions { parts.append("\(repetitions) counted") }
    if mayEndEarly { parts.append("open, since \(phaseElapsed.passedText)") }
    if let phaseLeft {
      parts.append(
        mayEndEarly ? "at most \(phaseLeft.leftText) more" : "\(phaseLeft.leftText) left")
    }
    return parts.joined(separator: ", ")
  }

  /// It has stopped or finished; its last sounds may still be heard.
  public var isOver: Bool { state == .stopped || state == .finished }

  /// As of `now`; with `beginning` as of the instant at which that phase began, which may have
  /// passed together with others.
  init(_ lane: Lane, at now: BootInstant, beginning phase: Int? = nil) {
    let session = lane.session
    let phrases = lane.style.phrases
    sharedPhrases = lane.style.sharedPhrases
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
    intensity = entry?.phase.intensity
    note = entry?.phase.note
    link = entry?.phase.link
    length = entry?.phase.length
    repetitions =
      phase == nil ? session.repetitions(at: now) : entry.flatMap { $0.phase.isCounted ? 0 : nil }
    // When a phase begins only a send-off has been decided.
    isEndDecided =
      entry?.phase.length.end != nil
      && (phase == nil || entry?.phase.length.sendOff != nil)
      && session.transport.isEndKnown(of: here.phase)
    workoutMayEndEarly = session.transport.mayEndEarly(from: here.phase)
    set = entry?.set
    sets = entry?.sets
    isBeforeSurprise = timeline.isBeforeSurprise(here.phase)
    next = isBeforeSurprise ? nil : following.map { phrases.name(of: $0.phase) }
    phaseElapsed = here.elapsed - here.phaseStart
    phaseLeft = isBeforeSurprise ? nil : here.phaseLeft
    elapsed = here.elapsed
    workoutLeft = here.workoutLeft
    phaseEndsAt = phaseLeft.flatMap {
      session.transport.instant(of: here.elapsed + $0)
    }
    workoutEndsAt = here.workoutLeft.flatMap {
      session.transport.instant(of: here.elapsed + $0)
    }
    done = session.outcomes.count { $0 == .done }
    skipped = session.outcomes.count { $0 == .skipped }
  }

  /// The same lane that much later, where nothing has happened meanwhile.
  func later(by time: Duration) -> LaneStatus {
    guard state == .running else { return self }
    var status = self
    status.phaseElapsed += time
    status.phaseLeft = phaseLeft.map { max(.zero, $0 - time) }
    status.elapsed += time
    status.workoutLeft = workoutLeft.map { max(.zero, $0 - time) }
    return status
  }
}
