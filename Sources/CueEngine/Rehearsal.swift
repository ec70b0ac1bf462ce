import CueSound
import IntervalTimeline
import Synchronization

/// A run at full speed without its sound, step by step: the same coach as an engine's, on a clock of its own
/// that begins at zero.
package final class Rehearsal {
  /// What becomes of a phase that lasts until something ends it.
  enum OpenPhases {
    /// `next` ends it after that time. Whatever was handed off by then is heard all the same.
    case end(after: Duration)
    /// It lasts until the script ends it.
    case wait
  }

  private(set) var coach: Coach
  private var speaker: SilentSpeaker
  private var script: PendingScript
  private let written: Written
  private let interval: Duration
  private let openPhases: OpenPhases
  /// The instant of the last check or step.
  private(set) var now = PlannedRun.start
  /// The last check that was on the grid of whole intervals.
  private var gridCheck = PlannedRun.start
  private let cueLimit: Int
  private var cueCount = 0
  private var lastDue = PlannedRun.start
  /// The time at which the last cue that is laid out is due, if `cueLimit` left out others.
  package private(set) var limitTime: Duration?

  /// Each protects what has come from the coach, since it was last taken.
  private final class Written: Sendable {
    let events = Mutex<[LedgerEvent]>([])
    let ended = Mutex<[LaneStatus]>([])
    /// By the index of the step; not taken.
    let reports = Mutex<[Int: MessageReport]>([:])
  }

  /// A workout of which nobody knows when its open phases end, as `timeline` shows it.
  ///
  /// - Parameters:
  ///   - openLength: how long an open phase lasts until `next` ends it.
  ///   - cueLimit: `nextCues` ends once it has returned so many. A limit in cues, not in seconds, gives the
  ///     same result on every machine; a workout of 24 hours with a set a minute has 8642.
  package convenience init(
    _ timeline: Timeline, sounds: SoundPack, speech: SpeechLibrary?,
    settings: CueEngine.Settings = .init(), style: LaneStyle = LaneStyle(),
    openLength: Duration = .seconds(5), cueLimit: Int = 10_000
  ) {
    self.init(
      [
        PlannedRun.Entrant(NameRule.workout.fitted(timeline.workout.name), timeline, style: style)
      ], sounds: sounds, speech: speech, settings: settings, openLength: openLength,
      cueLimit: cueLimit)
  }

  /// The same of workouts that start at one instant.
  ///
  /// - Precondition: their names are allowed and differ, and the settings allow so many.
  package convenience init(
    _ entrants: [PlannedRun.Entrant], sounds: SoundPack, speech: SpeechLibrary?,
    settings: CueEngine.Settings = .init(), openLength: Duration = .seconds(5),
    cueLimit: Int = 10_000
  ) {
    do throws(LaneError) {
      try self.init(
        entrants, script: [], sounds: sounds, speech: speech, settings: settings,
        openPhases: .end(after: openLength), cueLimit: cueLimit)
    } catch {
      preconditionFailure("a lane was refused: \(error)")
    }
  }

  init(
    _ entrants: [PlannedRun.Entrant], script: [ScriptStep], sounds: SoundPack,
    speech: SpeechLibrary?, settings: CueEngine.Settings, openPhases: OpenPhases,
    cueLimit: Int = .max
  ) throws(LaneError) {
    let link = MixerLink(voices: settings.voices)
    let written = Written()
    self.written = written
    var settings = settings
    settings.wallClock = { PlannedRun.wallClock }
    var coach = Coach(
      link: link, sounds: sounds, speech: speech, settings: settings,
      write: { event in written.events.withLock { $0.append(event) } },
      emit: { event in
        if case .ended(let status, _) = event { written.ended.withLock { $0.append(status) } }
      })
    var ids: [LaneID] = []
    for entrant in entrants {
      ids.append(
        try coach.addLane(entrant.name, timeline: entrant.timeline, style: entrant.style))
    }
    self.script = PendingScript(script, lanes: ids, names: entrants.map(\.name))
    interval = settings.checkInterval
    self.openPhases = openPhases
    self.cueLimit = cueLimit
    var hearsAtOnce = false
    if case .end = openPhases { hearsAtOnce = true }
    speaker = SilentSpeaker(link, rate: sounds.rate, hearsAtOnce: hearsAtOnce)
    coach.handle(.start, lanes: self.script.lanesStartedByItself, at: PlannedRun.start)
    self.coach = coach
  }

  /// What became of each step of the script; nil for those whose time has not come.
  var answers: [CommandAnswer?] { script.answers }

  /// What became of each text of the script, as far as it is known; nil for other steps.
  var reports: [MessageReport?] {
    written.reports.withLock { reports in script.answers.indices.map { reports[$0] } }
  }

  /// The cues of the next step, each with what is decided of it. Nil after the last and where the limit is
  /// passed.
  package func nextCues() -> [LedgerEvent.CueEntry]? {
    guard limitTime == nil, let events = next() else { return nil }
    let cues = events.compactMap { if case .cue(let cue) = $0 { cue } else { nil } }
    if cueCount >= cueLimit, !cues.isEmpty {
      limitTime = .nanoseconds(lastDue.nanoseconds)
      return nil
    }
    cueCount += cues.count
    lastDue = cues.last?.due ?? lastDue
    return cues
  }

  /// What the next check or the next step of the script leads to. Nil when nothing more can happen.
  func next() -> [LedgerEvent]? {
    if case .end(let length) = openPhases {
      guard coach.isRunning else { return nil }
      coach.endOpenPhase(after: length, at: now)
    }
    speaker.takeCommands(at: now)
    let check = nextCheck
    if let step = script.next(by: check, in: coach.lanes, at: now) {
      pass(to: step.instant)
      let answer = step.perform(&coach) { [written] index, report in
        written.reports.withLock { $0[index] = report }
      }
      script.note(answer, of: step)
    } else if let check {
      pass(to: check)
      let sinceGrid = gridCheck.duration(to: now)
      if sinceGrid >= interval { gridCheck = gridCheck + interval * Int(sinceGrid / interval) }
      coach.check(at: now)
    } else {
      return nil
    }
    speaker.takeCommands(at: now)
    coach.withPerformer { $0.takeReports() }
    return Self.take(written.events)
  }

  /// The last statuses of the lanes that have ended since the last call.
  func takeEnded() -> [LaneStatus] { Self.take(written.ended) }

  private static func take<Element: Sendable>(_ list: borrowing Mutex<[Element]>) -> [Element] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }

  private func pass(to instant: BootInstant) {
    now = max(now, instant)
    speaker.advance(to: now)
  }

  /// When something happens next without a step of the script; nil if nothing does.
  private var nextCheck: BootInstant? {
    var ahead = BootInstant.never
    var phaseEnd = BootInstant.never
    for lane in coach.lanes.ids(in: .running) {
      let session = coach.lanes[lane].session
      let here = session.transport.position(at: now)
      switch openPhases {
      // At one of the next checks it has to be ended.
      case .end: ahead = here.phaseLeft == nil ? now : min(ahead, session.nextEvent)
      case .wait:
        ahead = min(ahead, session.nextEvent)
        // Each phase is followed at its end, so that the status is right at any instant.
        if let left = here.phaseLeft, left > .zero { phaseEnd = min(phaseEnd, now + left) }
      }
    }
    ahead = min(ahead, coach.nextMessage ?? .never)
    if ahead == .never { ahead = speaker.lastEnd ?? .never }
    if ahead == .never {
      guard coach.isRunning, case .end = openPhases else { return nil }
    }
    // Nothing happens before the next event.
    let steps = max(1, gridCheck.duration(to: min(ahead, gridCheck + .seconds(3600))) / interval)
    return min(gridCheck + interval * Int(steps.rounded(.up)), phaseEnd)
  }
}
