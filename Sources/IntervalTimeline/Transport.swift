/// A command to a workout.
public enum Command: String, CaseIterable, Hashable, Sendable {
  /// Starts a `ready` workout.
  case start
  /// Pauses a running workout where it is.
  case pause
  /// Lets a paused workout run again from where it was.
  case resume
  /// Ends the phase. In a pause the workout stays paused, unless that was the last phase.
  case next
  /// Begins the phase again, or the one before within 3 s of its start.
  case back
  /// Ends a running or paused workout; a finished one loses its last words.
  case stop
  /// Says the position.
  case whereAmI = "where-am-i"
  /// Says the elapsed workout time.
  case sayTime = "say-time"
  /// Counts a repetition of a phase that ends by a count.
  case rep
  /// Says the lane's name, where there are several.
  case sayName = "say-name"
  /// Asks aloud whether to stop; changes nothing.
  case askStop = "ask-stop"

  /// False for those that only make the coach speak.
  package var changesALane: Bool {
    switch self {
    case .whereAmI, .sayTime, .sayName, .askStop: false
    case .start, .pause, .resume, .next, .back, .stop, .rep: true
    }
  }
}

/// The position of a workout: a function of instants, never a count of ticks.
///
/// ```
///            start         pause
///   ready ─────────▶ running ⇄ paused        next, back: running, paused
///                      │  resume │
///                      ▼         ▼
///         finished (the end)   stopped (stop)
/// ```
/// Workout time = now − start − pauses. A command that moves the workout sets an anchor: the phase
/// that begins, and the workout time at which it does. Everything after it follows from lengths.
public struct Transport: Hashable, Sendable {
  /// What a workout does. It decides which commands have an effect.
  public enum State: String, Hashable, Codable, Sendable {
    /// Before the start.
    case ready
    /// Workout time passes.
    case running
    /// Workout time stands still.
    case paused
    /// Ended by `stop`.
    case stopped
    /// Its last phase has ended.
    case finished
  }

  /// A position in a workout.
  package struct Position: Hashable, Sendable {
    /// The running phase; the timeline's count once the workout has ended.
    package let phase: Int
    /// Workout time since the start of the workout.
    package let elapsed: Duration
    /// The workout time at which the phase began.
    package let phaseStart: Duration
    /// The remaining time of the phase, at most; nil for an open phase without a longest length.
    package let phaseLeft: Duration?
    /// The remaining time of the workout, at most; nil if a phase has no longest length.
    package let workoutLeft: Duration?
  }

  /// Within this time after a phase's start, `back` leads to the previous phase.
  package static let backWindow = Duration.seconds(3)

  /// The workout, laid out.
  package let timeline: Timeline
  private var stage = Stage.ready
  /// The instant of workout time zero.
  package private(set) var started = BootInstant(nanoseconds: 0)
  /// The length of all pauses that have ended.
  package private(set) var pauses = Duration.zero
  private var anchorPhase = 0
  private var anchorTime = Duration.zero
  /// The length of the anchor's phase where something has set it; nil for the timeline's.
  private var anchorLength: Duration?

  private enum Stage: Hashable {
    case ready
    case running
    case paused(since: BootInstant)
    /// At that workout time.
    case stopped(at: Duration)
    case finished(at: Duration)
  }

  /// What the workout does now; `ready` at first.
  package var state: State {
    switch stage {
    case .ready: .ready
    case .running: .running
    case .paused: .paused
    case .stopped: .stopped
    case .finished: .finished
    }
  }

  /// When the pause that lasts began; nil unless paused.
  package var pausedSince: BootInstant? {
    if case .paused(let since) = stage { since } else { nil }
  }

  /// The workout time at which it stopped or finished; nil before.
  private var endedAt: Duration? {
    switch stage {
    case .stopped(let time), .finished(let time): time
    case .ready, .running, .paused: nil
    }
  }

  /// The transport of a workout that is `ready`.
  package init(_ timeline: Timeline) {
    self.timeline = timeline
  }

  /// The state of a transport, without its timeline.
  package struct Anchors: Hashable, Codable, Sendable {
    /// What the workout does.
    package var state: State
    /// The instant of workout time zero; meaningless while `ready`.
    package var started: BootInstant
    /// The length of all pauses that have ended.
    package var pauses: Duration
    /// When the pause that lasts began; nil unless paused.
    package var pausedSince: BootInstant?
    /// The index of the phase that was last moved to; the timeline's count for the end.
    package var phase: Int
    /// The workout time at which that phase began.
    package var time: Duration
    /// The length of that phase, if it differs from the timeline's.
    package var length: Duration?
    /// The workout time at which it stopped or finished; nil before.
    package var endedAt: Duration?

    /// The same on a clock that is ahead by `shift`.
    package func shifted(by shift: Duration) -> Anchors {
      var anchors = self
      anchors.started = started + shift
      anchors.pausedSince = pausedSince.map { $0 + shift }
      return anchors
    }
  }

  /// What `init(_:_:)` restores the transport from.
  package var anchors: Anchors {
    Anchors(
      state: state, started: started, pauses: pauses, pausedSince: pausedSince,
      phase: anchorPhase, time: anchorTime, length: anchorLength, endedAt: endedAt)
  }

  /// Restores a transport from its anchors; nil if they make no sense in `timeline`.
  package init?(_ timeline: Timeline, _ anchors: Anchors) {
    // Far longer than any run, and small enough that sums cannot overflow.
    let most = Duration.seconds(100 * 366 * 86_400)
    let times = [
      anchors.pauses, anchors.time, anchors.length ?? .zero, anchors.endedAt ?? .zero,
    ]
    let instants = [anchors.started, anchors.pausedSince ?? anchors.started]
    switch (anchors.state, anchors.pausedSince, anchors.endedAt) {
    case (.ready, _, nil): stage = .ready
    case (.running, _, nil): stage = .running
    case (.paused, let since?, nil): stage = .paused(since: since)
    case (.stopped, _, let time?): stage = .stopped(at: time)
    case (.finished, _, let time?): stage = .finished(at: time)
    default: return nil
    }
    guard (0...timeline.count).contains(anchors.phase),
      anchors.length == nil || anchors.phase < timeline.count,
      times.allSatisfy({ (.zero...most).contains($0) }),
      instants.allSatisfy({ $0.nanoseconds.magnitude < UInt64(most.wholeNanoseconds) })
    else { return nil }
    self.timeline = timeline
    started = anchors.started
    pauses = anchors.pauses
    anchorPhase = anchors.phase
    anchorTime = anchors.time
    anchorLength = anchors.length
  }

  /// Starts the workout, with workout time zero at `instant`, which may lie ahead. Traps unless `ready`.
  package mutating func start(at instant: BootInstant) {
    guard state == .ready else {
      fatalError("a workout that is \(state.rawValue) cannot be started")
    }
    stage = .running
    started = instant
  }

  /// Pauses the workout. Traps unless it runs.
  package mutating func pause(at instant: BootInstant) {
    guard state == .running else {
      fatalError("a workout that is \(state.rawValue) cannot be paused")
    }
    stage = .paused(since: instant)
  }

  /// Ends the pause that began at `pausedSince`. Traps unless paused.
  package mutating func resume(at instant: BootInstant) {
    guard case .paused(let since) = stage else {
      fatalError("a workout that is \(state.rawValue) cannot be resumed")
    }
    stage = .running
    pauses += since.duration(to: instant)
  }

  /// Moves to the start of phase `index`; `timeline.count` moves to the end. Traps unless the workout runs or
  /// is paused.
  package mutating func move(to index: Int, at instant: BootInstant) {
    guard state == .running || state == .paused else {
      fatalError("a workout that is \(state.rawValue) cannot be moved")
    }
    let here = position(at: instant)
    // What is left of a send-off is decided when the phase before it ends.
    anchorLength =
      index == here.phase + 1
      ? timeline.sendOffLength(of: index, after: here.elapsed - here.phaseStart) : nil
    anchorTime = max(.zero, elapsed(at: instant))
    anchorPhase = index
  }

  /// Gives the running phase a length, counted from its start, instead of the timeline's. It must not have
  /// passed.
  mutating func setLength(_ length: Duration, at instant: BootInstant) {
    let here = position(at: instant)
    guard here.phase < timeline.count && here.elapsed - here.phaseStart <= length else {
      fatalError("phase \(here.phase) has lasted longer than \(length)")
    }
    anchorTime = here.phaseStart
    anchorPhase = here.phase
    anchorLength = length
  }

  /// How long phase `index` lasts unless something ends it earlier; nil if only that ends it, and for the
  /// end (`count`).
  package func length(of index: Int) -> Duration? {
    guard index < timeline.count else { return nil }
    if let anchorLength {
      if index == anchorPhase { return anchorLength }
      if index == anchorPhase + 1,
        let left = timeline.sendOffLength(of: index, after: anchorLength)
      {
        return left
      }
    }
    return timeline.length(of: index)
  }

  /// The first phase whose length is the timeline's, and when it starts, where that of the anchor's is not.
  private var settled: (phase: Int, start: Duration)? {
    guard let anchorLength else { return nil }
    let (phase, start) = (anchorPhase + 1, anchorTime + anchorLength)
    guard let left = timeline.sendOffLength(of: phase, after: anchorLength) else {
      return (phase, start)
    }
    return (phase + 1, start + left)
  }

  /// True where something has decided when phase `index` ends.
  func isEndDecided(of index: Int) -> Bool { index == anchorPhase && anchorLength != nil }

  /// True where only a command changes when phase `index` ends: its length is fixed, or its end is decided.
  package func isEndKnown(of index: Int) -> Bool {
    guard index < timeline.count, case .open(let end, _) = timeline.entries[index].phase.length
    else { return true }
    if case .sendOff = end { return true }
    return isEndDecided(of: index)
  }

  /// True where something may end phase `index` or a later one before its time: what is left of the workout
  /// then is the most.
  package func mayEndEarly(from index: Int) -> Bool {
    timeline.mayEndEarly(from: isEndKnown(of: index) ? index + 1 : index)
  }

  /// The phase to which the `back` command leads: never a send-off, but the phase before it.
  package func backTarget(at instant: BootInstant) -> Int {
    let here = position(at: instant)
    let isFresh = here.elapsed - here.phaseStart < Self.backWindow
    let target = isFresh ? max(0, here.phase - 1) : here.phase
    let isSendOff = target < timeline.count && timeline.entries[target].phase.length.sendOff != nil
    return isSendOff ? max(0, target - 1) : target
  }

  /// Ends the workout where it is. Traps unless it runs or is paused.
  package mutating func stop(at instant: BootInstant) {
    end(.stopped(at: max(.zero, elapsed(at: instant))))
  }

  /// Ends the workout where its last phase ended. Traps unless it runs or is paused.
  package mutating func finish() {
    end(.finished(at: max(.zero, start(of: timeline.count) ?? anchorTime)))
  }

  private mutating func end(_ stage: Stage) {
    guard state == .running || state == .paused else {
      fatalError("a workout that is \(state.rawValue) cannot be ended")
    }
    self.stage = stage
  }

  /// Workout time at `instant`; negative before a start in the future.
  package func elapsed(at instant: BootInstant) -> Duration {
    switch stage {
    case .ready: .zero
    case .running: started.duration(to: instant) - pauses
    case .paused(let since): started.duration(to: min(instant, since)) - pauses
    case .stopped(let time), .finished(let time): time
    }
  }

  /// The workout time at which phase `index` begins or began since the last move (`count`: the
  /// end). Nil for a phase after one without a longest length, or before the one last moved to.
  package func start(of index: Int) -> Duration? {
    guard index >= anchorPhase else { return nil }
    if index > anchorPhase, let anchorLength, let settled {
      guard index >= settled.phase else { return anchorTime + anchorLength }
      return timeline.distance(from: settled.phase, to: index).map { settled.start + $0 }
    }
    return timeline.distance(from: anchorPhase, to: index).map { anchorTime + $0 }
  }

  /// The instant of a workout time, without further commands. Nil unless running.
  package func instant(of workoutTime: Duration) -> BootInstant? {
    state == .running ? started + pauses + workoutTime : nil
  }

  /// The instant of a workout time with the pauses so far: when it was, or would be if resumed now.
  package func nominalInstant(of workoutTime: Duration) -> BootInstant {
    started + pauses + workoutTime
  }

  /// The position at the start of phase `index`, which began at `instant`, wherever the workout is
  /// now. Traps if the timeline has no such phase.
  package func position(atStartOf index: Int, _ instant: BootInstant) -> Position {
    let elapsed = max(.zero, (started + pauses).duration(to: instant))
    return Position(
      phase: index, elapsed: elapsed, phaseStart: elapsed,
      phaseLeft: length(of: index),
      workoutLeft: index >= anchorPhase
        ? start(of: timeline.count).flatMap { end in start(of: index).map { end - $0 } }
        : timeline.distance(from: index, to: timeline.count))
  }

  /// Where the workout is at `instant` without further commands: its beginning before the start, and where it
  /// ended after the end. `instant` is not before the last command.
  package func position(at instant: BootInstant) -> Position {
    let elapsed = max(.zero, elapsed(at: instant))
    let phase = phase(at: elapsed)
    guard let phaseStart = start(of: phase) else {
      fatalError("phase \(phase) runs but has no start")
    }
    let phaseEnd = phase < timeline.count ? start(of: phase + 1) : phaseStart
    return Position(
      phase: phase, elapsed: elapsed, phaseStart: phaseStart,
      phaseLeft: phaseEnd.map { max(.zero, $0 - elapsed) },
      workoutLeft: start(of: timeline.count).map { max(.zero, $0 - elapsed) })
  }

  /// The entry that runs at `instant`; nil at the end.
  package func entry(at instant: BootInstant) -> Timeline.Entry? {
    timeline.entry(position(at: instant).phase)
  }

  /// The phase that runs at a workout time, without further commands.
  private func phase(at elapsed: Duration) -> Int {
    let passed = elapsed - anchorTime
    guard let anchorLength else { return timeline.entry(at: passed, from: anchorPhase) }
    guard passed >= anchorLength, let settled else { return anchorPhase }
    guard elapsed >= settled.start else { return anchorPhase + 1 }
    return timeline.entry(at: elapsed - settled.start, from: settled.phase)
  }
}

extension Transport: CustomStringConvertible {
  /// One line for a log, in English: the timeline and what the workout does: "Rows: 16 phases, 4:00, running".
  public var description: String { "\(timeline), \(state.rawValue)" }
}
