import CueEngine
import Glibc
import IntervalTimeline
import SessionStore
import WorkoutFiles

/// Finds sessions whose program has ended, and decides how they go on: by the person, the option or
/// the configuration.
struct Resumption {
  /// What a run is asked to do under a name.
  struct Wish {
    let timeline: Timeline
    let options: SpeechOptions
  }

  /// Where a session is to end; done by `endSessions` once it is known that the run can begin.
  private struct Ending {
    let session: StoredSession
    let outcome: HistoryEntry.Outcome
    var at: BootInstant?
    /// As it was at that instant, on this boot's clock; nil: as it was kept.
    var record: SessionRecord?
  }

  private let shelf: SessionShelf
  private let settings: SessionSettings
  /// What was asked for; nil: as the situation has it.
  private let policy: ResumePolicy?
  /// The person asked for it by name: how often it has crashed does not matter.
  private let isWanted: Bool
  private let choose: (SpeechOptions) throws -> SpeechChoice
  private let warn: (String) -> Void
  private var endings: [Ending] = []

  /// - Parameter choose: makes of options what they mean for a lane.
  init(
    _ shelf: SessionShelf, _ settings: SessionSettings, policy: ResumePolicy?,
    isWanted: Bool = false, choose: @escaping (SpeechOptions) throws -> SpeechChoice,
    warn: @escaping (String) -> Void
  ) {
    self.shelf = shelf
    self.settings = settings
    self.policy = policy
    self.isWanted = isWanted
    self.choose = choose
    self.warn = warn
  }

  /// The session of that lane that goes on; nil where none does. Takes the lane's name for this
  /// process; throws where another has it.
  ///
  /// - Parameter wish: the workout that is to run under the name; nil: the one that was interrupted.
  mutating func lane(_ name: String, for wish: Wish? = nil) throws -> RunLane? {
    if let process = try shelf.take(name) {
      throw UserError.failed(
        "\"\(name.singleLine)\" is being run by process \(process); give this workout a name of its "
          + "own, as in NAME=PRESET")
    }
    guard shelf.isOpen else { return nil }
    let sessions: [StoredSession]
    do throws(UserError) {
      sessions = try shelf.sessions().filter { $0.lane == name }
    } catch {
      warn("what was interrupted is not known: \(error.message)")
      return nil
    }
    // There is one, unless the disk did not take the end of one.
    endings += sessions.dropLast().map { Ending(session: $0, outcome: .abandoned) }
    guard let session = sessions.last else { return nil }
    guard let timeline = try? Timeline(session.workout), session.state.record.fits(timeline) else {
      try shelf.setAside(session.id, "its workout does not fit its state")
      warn("\(name.singleLine): the session that was not finished is damaged and cannot be resumed")
      return nil
    }
    if let wish, !wish.timeline.workout.hasSamePhases(as: session.workout) {
      return try replace(session, timeline, wish)
    }
    return try goOn(with: session, wish?.timeline ?? timeline, options: wish?.options)
  }

  /// The language in which a lane will speak; English where that is not known.
  private func phrases(of workout: Workout, _ options: SpeechOptions?) -> PhraseCatalogue {
    (try? options.flatMap { try choose($0).phrases(of: workout, warn: { _ in }) }) ?? .english
  }

  /// - Parameter asked: what was asked for now; it comes before what was asked for then, which
  ///   stays.
  private func options(
    of session: StoredSession, _ asked: SpeechOptions?
  ) throws -> SpeechOptions {
    try SpeechOptions.parse(session.options + (asked?.arguments ?? []))
  }

  // MARK: The same workout

  private mutating func goOn(
    with session: StoredSession, _ timeline: Timeline, options: SpeechOptions?
  ) throws -> RunLane? {
    let phrases = phrases(of: timeline.workout, try? self.options(of: session, options))
    var wish = policy ?? settings.resume
    let mayAsk = Terminal.canAsk && !isWanted
    if wish == .ask || (wish == nil && mayAsk) {
      wish = nil
      let question = ResumeQuestion(
        session, in: timeline, at: MachineClocks.now(), instead: nil, phrases: phrases)
      if mayAsk, isOffered(decide(session, timeline, nil)) { wish = try question.ask().policy }
    }
    // The person may have taken some time.
    let decision = decide(session, timeline, wish)
    return try carryOut(decision, session, timeline, options, phrases)
  }

  private func decide(
    _ session: StoredSession, _ timeline: Timeline, _ policy: ResumePolicy?
  ) -> Recovery.Decision {
    let state = session.state
    let isExplicit = isWanted || self.policy == .continue
    return Recovery(
      policy: policy, greatestAge: settings.greatestAge,
      mustRun: isExplicit || !Terminal.hasKeyboard
    ).decide(
      state.record, of: timeline, saved: state.clocks, now: MachineClocks.now(),
      crashes: crashes(of: session))
  }

  private func crashes(of session: StoredSession) -> Int {
    session.state.isSuspended || isWanted ? 0 : session.state.crashes + 1
  }

  private func isOffered(_ decision: Recovery.Decision) -> Bool {
    switch decision {
    case .goOn, .goOnFromThere, .hold: true
    case .discard, .tooOld, .ended, .over: false
    }
  }

  private mutating func carryOut(
    _ decision: Recovery.Decision, _ session: StoredSession, _ timeline: Timeline,
    _ options: SpeechOptions?, _ phrases: PhraseCatalogue
  ) throws -> RunLane? {
    var values = session.values(in: timeline, phrases)
    let age = MachineClocks.now().since(session.state.clocks)
    values["time"] = (age ?? .zero).passedText
    func tell(_ key: ScreenKey) { warn(phrases.screen(key, values)) }
    switch decision {
    case .goOn(let record):
      tell(record.anchors.state == .paused ? .stillPaused : .resumes)
      return try lane(session, timeline, options, record, .running)
    case .goOnFromThere(let record):
      tell(.resumesThere)
      return try lane(session, timeline, options, record, .fromThere)
    case .hold(let record, let reason):
      values["count"] = "\(Recovery.greatestCrashes)"
      values["command"] = "cuecoach resume \(session.lane.singleLine)"
      switch reason {
      case nil: tell(.held)
      case .crashes: tell(.heldAfterCrashes)
      case .unknownTime: tell(.heldAfterUnknownTime)
      }
      if !Terminal.hasKeyboard { tell(.heldWithoutKeys) }
      return try lane(session, timeline, options, record, .held)
    case .discard:
      endings.append(Ending(session: session, outcome: .abandoned))
    case .tooOld:
      tell(.tooOld)
      endings.append(Ending(session: session, outcome: .abandoned))
    case .ended(let record, let instant):
      tell(.endedMeanwhile)
      endings.append(
        Ending(session: session, outcome: .unattended, at: instant, record: record))
    case .over(let record):
      let isFinished = record.anchors.state == .finished
      endings.append(Ending(session: session, outcome: isFinished ? .finished : .stopped))
    }
    return nil
  }

  private func lane(
    _ session: StoredSession, _ timeline: Timeline, _ asked: SpeechOptions?,
    _ record: SessionRecord, _ manner: TakeUpManner
  ) throws -> RunLane {
    let options = try options(of: session, asked)
    var kept = session.kept
    kept.record = record
    let alive = Installation.runtime.flatMap { LifeSign.last(folder: $0, session: session.id) }
    return RunLane(
      session, timeline, try choose(options), options: options, crashes: crashes(of: session),
      resumed: .init(kept: kept, manner: manner, alive: alive))
  }

  // MARK: Another workout

  /// Another workout is to run under the name of one that was interrupted. Nil where that one ends.
  private mutating func replace(
    _ session: StoredSession, _ timeline: Timeline, _ wish: Wish
  ) throws -> RunLane? {
    let phrases = phrases(of: wish.timeline.workout, wish.options)
    let decision = decide(session, timeline, nil)
    guard isOffered(decision), policy != .discard else {
      return try carryOut(
        policy == .discard ? .discard : decision, session, timeline, nil, phrases)
    }
    let workout = wish.timeline.workout
    let name = workout.name.shownName
    let isEdited = workout.name == session.workout.name
    let new = isEdited ? phrases.screen(.asItIsNow, ["workout": name]) : name
    if Terminal.canAsk {
      let question = ResumeQuestion(
        session, in: timeline, at: MachineClocks.now(), instead: new, phrases: phrases)
      let answer = try question.ask()
      if answer != .end {
        let decision = decide(session, timeline, answer.policy)
        return try carryOut(decision, session, timeline, nil, phrases)
      }
    } else {
      var values = session.values(in: timeline, phrases)
      values["new"] = new
      warn(phrases.screen(.replaced, values))
    }
    endings.append(Ending(session: session, outcome: .abandoned))
    return nil
  }

  // MARK: Endings

  /// Ends the sessions that do not go on. Where the disk does not take that, the new workout begins
  /// all the same. Returns a line for each of those.
  mutating func endSessions() -> [String] {
    defer { endings = [] }
    return endings.compactMap { ending in
      do throws(UserError) {
        try end(ending.session, ending.outcome, at: ending.at, from: ending.record)
        return nil
      } catch {
        return "how \(ending.session.lane.singleLine) ended is not recorded yet: \(error.message)"
      }
    }
  }

  /// Gives a session its row in the history.
  ///
  /// - Parameter record: at `instant`, on this boot's clock; as it was kept when nil.
  private func end(
    _ session: StoredSession, _ outcome: HistoryEntry.Outcome, at instant: BootInstant? = nil,
    from record: SessionRecord? = nil
  ) throws(UserError) {
    guard let timeline = try? Timeline(session.workout) else {
      return try shelf.setAside(session.id, "its workout cannot be laid out")
    }
    var kept = session.kept
    var wall = session.state.clocks.wall
    if let instant, let record, var rest = Session(timeline, restoring: record) {
      // What would have been heard, and was not.
      let effects = rest.takeUp(at: instant, from: record.at, .running)
      // Nobody did the phases that passed.
      kept.cues.missed += effects.count { if case .silent = $0 { true } else { false } }
      wall = MachineClocks.reading(at: instant).wall
    }
    let identity = SessionKeeper.Identity(session)
    guard
      let entry = HistoryEntry(identity, kept, in: timeline, endedAt: wall, as: outcome)
    else { return try shelf.setAside(session.id, "its state does not fit its workout") }
    do throws(StoreError) {
      try shelf.end(entry)
    } catch {
      throw shelf.failure(error)
    }
  }

  /// Ends the session of a lane that nobody runs.
  func discard(_ session: StoredSession) throws(UserError) { try end(session, .abandoned) }
}

extension StoredSession {
  /// As an engine keeps it.
  var kept: KeptSession {
    KeptSession(
      record: state.record, cues: CueTally(played: state.cuesPlayed, missed: state.cuesMissed))
  }

  /// What the texts about it name.
  func values(in timeline: Timeline, _ phrases: PhraseCatalogue) -> [String: String] {
    [
      "lane": lane.singleLine, "workout": workout.name.shownName,
      "place": place(in: timeline, phrases),
    ]
  }

  /// Where it was when it was kept: "set 3 of 8, Low, 0:12 left".
  func place(in timeline: Timeline, _ phrases: PhraseCatalogue = .english) -> String {
    guard let transport = Transport(timeline, state.record.anchors) else { return "?" }
    let here = transport.position(at: state.record.at)
    guard here.phase < timeline.count else { return phrases.screen(.atEnd) }
    let entry = timeline.entries[here.phase]
    let set = entry.set.map {
      phrases.screen(.set, ["set": "\($0)", "sets": "\(entry.sets ?? $0)"])
    }
    let left = here.phaseLeft.map { phrases.screen(.left, ["time": $0.leftText]) }
    return [set, phrases.name(of: entry.phase).shownName, left]
      .compactMap { $0 }.joined(separator: ", ")
  }
}
