import CueSound
import IntervalTimeline
import Synchronization

/// Workouts run at full speed on a clock of their own that begins at zero: the same coach as an engine's, for a
/// rendering, a plan and a test.
///
/// A holder asks either for what happens, by `next` or `nextCues`, or for the sound, by `nextSound`.
package final class OfflineRun {
  /// What becomes of the sounds that are handed off.
  package enum Sink {
    /// The mixer plays each on its frame.
    case mixer
    /// Each counts as heard and over at once, however far ahead it is due.
    case heardAtOnce
  }

  /// What becomes of a phase that lasts until something ends it.
  enum OpenPhases {
    /// `next` ends it after that time. Whatever was handed off by then is heard all the same.
    case end(after: Duration)
    /// It lasts until the script ends it.
    case wait
  }

  /// Sound, or no sound.
  package enum Piece {
    /// Valid until the next one is asked for.
    case sound(UnsafeBufferPointer<Int16>)
    /// This many silent samples.
    case silence(Int)
  }

  private enum Moment {
    case check(BootInstant)
    case step(PendingScript.Due)

    var instant: BootInstant {
      switch self {
      case .check(let instant): instant
      case .step(let step): step.instant
      }
    }
  }

  private(set) var coach: Coach
  private var sink: OfflineSink
  private var script: PendingScript
  private let written: Written
  private let interval: Duration
  private let openPhases: OpenPhases
  private var lastStep: BootInstant?
  /// For so long after the last reading it is still waited for: that a sensor is lost is said within this.
  private static let listening = Duration.seconds(30)
  /// The instant of the last check or step.
  private(set) var now = PlannedRun.start
  /// The last check that was on the grid of whole intervals.
  private var gridCheck = PlannedRun.start
  /// The check to which the sound that is asked for leads.
  private var soundsUntil: BootInstant?
  private let block: UnsafeMutableBufferPointer<Int16>
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

  /// A workout of which nobody knows when its open phases end.
  ///
  /// - Parameters:
  ///   - openLength: how long an open phase lasts until `next` ends it.
  ///   - cueLimit: `nextCues` ends once it has returned so many. A limit in cues, not in seconds, gives the
  ///     same result on every machine; a workout of 24 hours with a set a minute has 8642.
  package convenience init(
    _ timeline: Timeline, sounds: SoundPack, speech: SpeechLibrary?,
    settings: CueEngine.Settings = .init(), style: LaneStyle = LaneStyle(),
    openLength: Duration = .seconds(5), sink: Sink, cueLimit: Int = 10_000
  ) {
    self.init(
      [
        PlannedRun.Entrant(NameRule.workout.fitted(timeline.workout.name), timeline, style: style)
      ], sounds: sounds, speech: speech, settings: settings, openLength: openLength, sink: sink,
      cueLimit: cueLimit)
  }

  /// The same of workouts that start at one instant.
  ///
  /// - Precondition: their names are allowed and differ, and the settings allow so many.
  package convenience init(
    _ entrants: [PlannedRun.Entrant], script: [ScriptStep] = [], sounds: SoundPack,
    speech: SpeechLibrary?, settings: CueEngine.Settings = .init(),
    openLength: Duration = .seconds(5), sink: Sink,
    cueLimit: Int = 10_000
  ) {
    do throws(LaneError) {
      try self.init(
        entrants, script: script, sounds: sounds, speech: speech, settings: settings,
        openPhases: .end(after: openLength), sink: sink, cueLimit: cueLimit)
    } catch {
      fatalError("a lane of an offline run was refused: \(error)")
    }
  }

  init(
    _ entrants: [PlannedRun.Entrant], script: [ScriptStep], sounds: SoundPack,
    speech: SpeechLibrary?, settings: CueEngine.Settings, openPhases: OpenPhases, sink: Sink,
    cueLimit: Int = .max
  ) throws(LaneError) {
    let link = MixerLink(voices: settings.voices)
    let written = Written()
    self.written = written
    var coach = Coach(
      link: link, sounds: sounds, speech: speech, settings: settings,
      write: { event in written.events.withLock { $0.append(event) } },
      emit: { event in
        if case .ended(let status, _) = event { written.ended.withLock { $0.append(status) } }
      })
    coach.withPerformer { $0.metronomes.areHeard = sink == .mixer }
    var ids: [LaneID] = []
    for entrant in entrants {
      ids.append(
        try coach.addLane(entrant.name, timeline: entrant.timeline, style: entrant.style))
    }
    self.script = PendingScript(script, lanes: ids, names: entrants.map(\.name))
    interval = settings.checkInterval
    self.openPhases = openPhases
    self.cueLimit = cueLimit
    self.sink = OfflineSink(link, rate: sounds.rate, countsAsHeard: sink == .heardAtOnce)
    // An interval begins and ends on whole frames, so it may have one more than its length.
    block = .allocate(capacity: Int(SampleRate.frames(in: interval, at: sounds.rate)) + 1)
    coach.handle(.start, lanes: self.script.lanesStartedByItself, at: PlannedRun.start)
    self.coach = coach
  }

  deinit { block.deallocate() }

  /// What became of each step of the script; nil for those whose time has not come.
  var answers: [CommandAnswer?] { script.answers }

  /// What became of each text of the script, as far as it is known; nil for other steps.
  var reports: [MessageReport?] {
    written.reports.withLock { reports in script.answers.indices.map { reports[$0] } }
  }

  /// The last statuses of the lanes that have ended since the last call.
  func takeEnded() -> [LaneStatus] { Self.take(written.ended) }

  /// What has been written to the ledger since it was last taken, by this or by `next`.
  package func takeLedger() -> [LedgerEvent] { Self.take(written.events) }

  private static func take<Element: Sendable>(_ list: borrowing Mutex<[Element]>) -> [Element] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }

  // MARK: What happens

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
    guard prepare() else { return nil }
    let check = nextCheck
    if let step = script.next(by: check, in: coach.lanes, at: now) {
      pass(to: .step(step))
    } else if let check {
      pass(to: .check(check))
    } else {
      return nil
    }
    return takeLedger()
  }

  /// The next piece of sound, or nil after the last cue has ended. There is a check at each interval.
  package func nextSound() -> Piece? {
    var silence = 0
    while let until = soundsUntil ?? (prepare() ? gridCheck + interval : nil) {
      soundsUntil = until
      let count = sink.frames(until: until)
      let isSilent = sink.skipSilence(count)
      if !isSilent {
        guard silence == 0 else { break }
        sink.render(into: block.baseAddress!, count: count)
      }
      while let step = script.next(by: until, in: coach.lanes, at: now) { pass(to: .step(step)) }
      pass(to: .check(until))
      soundsUntil = nil
      guard isSilent else { return .sound(UnsafeBufferPointer(rebasing: block[..<count])) }
      silence += count
    }
    return silence > 0 ? .silence(silence) : nil
  }

  /// False when nothing more can happen.
  private func prepare() -> Bool {
    if case .end(let length) = openPhases {
      guard coach.isRunning else { return false }
      endOpenPhase(after: length)
    }
    sink.takeCommands()
    return true
  }

  /// Gives the command `next` where a lane's open phase has lasted `length`, or its shortest length if that is
  /// longer: no person does. One that is coached, or that a heart rate ends, goes on while there are readings.
  private func endOpenPhase(after length: Duration) {
    let isListening = script.hasMore || lastStep.map { now < $0 + Self.listening } ?? false
    for lane in coach.lanes.ids(in: .running) {
      let transport = coach.lanes[lane].transport
      let here = transport.position(at: now)
      // A step at the very end comes before the check that ends the workout.
      guard let phase = transport.entry(at: now)?.phase,
        here.phaseLeft == nil, case .open(_, let bounds) = phase.length,
        !(isListening && (phase.restLimit != nil || coach.lanes[lane].coaching.target != nil)),
        here.elapsed - here.phaseStart >= max(length, bounds.atLeast ?? .zero)
      else { continue }
      coach.handle(.next, lane: lane, at: now)
    }
  }

  private func pass(to moment: Moment) {
    now = max(now, moment.instant)
    sink.pass(to: now)
    switch moment {
    case .step(let step):
      lastStep = now
      let answer = step.perform(&coach) { [written] index, report in
        written.reports.withLock { $0[index] = report }
      }
      script.note(answer, of: step)
    case .check:
      let sinceGrid = gridCheck.duration(to: now)
      if sinceGrid >= interval { gridCheck = gridCheck + interval * Int(sinceGrid / interval) }
      coach.check(at: now)
    }
    sink.takeCommands()
    coach.withPerformer { $0.takeReports() }
  }

  /// When something happens next without a step of the script; nil if nothing does.
  private var nextCheck: BootInstant? {
    var ahead = BootInstant.never
    var phaseEnd = BootInstant.never
    for lane in coach.lanes.ids(in: .running) {
      let lane = coach.lanes[lane]
      let here = lane.transport.position(at: now)
      switch openPhases {
      // At one of the next checks it has to be ended.
      case .end: ahead = here.phaseLeft == nil ? now : min(ahead, lane.session.nextEvent)
      case .wait:
        ahead = min(ahead, lane.session.nextEvent)
        // Each phase is followed at its end, so that the status is right at any instant.
        if let left = here.phaseLeft, left > .zero { phaseEnd = min(phaseEnd, now + left) }
      }
    }
    let performer = coach.performer
    ahead = min(ahead, performer.messages.firstInstant.map { $0 - performer.horizon } ?? .never)
    if performer.needsEachCheck { ahead = now }
    if ahead == .never { ahead = sink.lastEnd ?? .never }
    if ahead == .never {
      guard coach.isRunning, case .end = openPhases else { return nil }
    }
    // Nothing happens before the next event.
    let steps = max(1, gridCheck.duration(to: min(ahead, gridCheck + .seconds(3600))) / interval)
    return min(gridCheck + interval * Int(steps.rounded(.up)), phaseEnd)
  }
}
