import CueEngine
import Glibc
import IntervalTimeline
import SessionStore
import WorkoutFiles

/// Finds sessions whose program has ended, and decides how they go on: by the person, the option or
/// the configuration.
struct Resumption {
  private let shelf: SessionShelf
  private let settings: SessionSettings
  /// What was asked for; nil: as the situation has it.
  private let policy: ResumePolicy?
  /// The person asked for it by name: how often it has crashed does not matter.
  private let isWanted: Bool
  private let warn: (String) -> Void

  init(
    _ shelf: SessionShelf, _ settings: SessionSettings, policy: ResumePolicy?,
    isWanted: Bool = false, warn: @escaping (String) -> Void
  ) {
    self.shelf = shelf
    self.settings = settings
    self.policy = policy
    self.isWanted = isWanted
    self.warn = warn
  }

  /// The session of that lane that goes on; nil where none does. Takes the lane's name for this
  /// process; throws where another has it.
  func lane(_ name: String, speech: (StoredSession) throws -> SpeechChoice) throws -> RunLane? {
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
    for session in sessions.dropLast() { record(session, .abandoned) }
    guard let session = sessions.last else { return nil }
    guard let timeline = try? Timeline(session.workout), session.state.record.fits(timeline) else {
      try shelf.setAside(session.id, "its workout does not fit its state")
      warn("\(name.singleLine): the session that was not finished is damaged and cannot be resumed")
      return nil
    }
    return try goOn(with: session, timeline, speech)
  }

  private func goOn(
    with session: StoredSession, _ timeline: Timeline,
    _ speech: (StoredSession) throws -> SpeechChoice
  ) throws -> RunLane? {
    var now = MachineClocks.now()
    let state = session.state
    let crashes = state.isSuspended || isWanted ? 0 : state.crashes + 1
    func decide(_ policy: ResumePolicy?) -> Recovery.Decision {
      Recovery(policy: policy, greatestAge: settings.greatestAge).decide(
        state.record, of: timeline, saved: state.clocks, now: now, crashes: crashes)
    }
    var wish = policy ?? settings.resume
    let mayAsk = Terminal.isInteractive && !isWanted
    if wish == .ask || (wish == nil && mayAsk) {
      wish = nil
      switch decide(nil) {
      case .goOn, .hold: if mayAsk, !ask(session, timeline, now: now) { wish = .discard }
      default: break
      }
      // The person may have taken some time.
      now = MachineClocks.now()
    }
    let place = session.place(in: timeline)
    let name = session.lane.singleLine
    func resumed(_ record: SessionRecord, isHeld: Bool) throws -> RunLane {
      var kept = session.kept
      kept.record = record
      let alive = Installation.runtime.flatMap { LifeSign.last(folder: $0, session: session.id) }
      return RunLane(
        session, timeline, try speech(session), crashes: crashes,
        resumed: .init(kept: kept, isHeld: isHeld, alive: alive))
    }
    switch decide(wish) {
    case .goOn(let record):
      let gap = now.since(state.clocks) ?? .zero
      let how = record.anchors.state == .paused ? "is still paused in" : "goes on with"
      warn(
        "\(name) \(how) \(session.workout.name.singleLine); \(gap.wholeText) ago it was at \(place)"
      )
      return try resumed(record, isHeld: false)
    case .hold(let record, let reason):
      let why =
        switch reason {
        case nil: ""
        case .crashes: ": its program ended \(Recovery.greatestCrashes) times in a row"
        case .unknownTime: ": nobody knows how long this machine was off"
        }
      warn("\(name) is paused where it was, \(place)\(why)")
      return try resumed(record, isHeld: true)
    case .discard:
      self.record(session, .abandoned)
      return nil
    case .tooOld:
      let age = now.since(state.clocks)?.wholeText ?? "long"
      warn("\(name) was interrupted \(age) ago, at \(place), and is not resumed")
      self.record(session, .abandoned)
      return nil
    case .ended(let record, let instant):
      warn("\(name) came to its end while cuecoach was not running; it was last at \(place)")
      self.record(session, .unattended, at: instant, from: record)
      return nil
    case .over(let record):
      self.record(session, record.anchors.state == .finished ? .finished : .stopped)
      return nil
    }
  }

  /// True when the person wants to go on. Enter, and the end of input, do.
  private func ask(_ session: StoredSession, _ timeline: Timeline, now: ClockReading) -> Bool {
    let ago = now.since(session.state.clocks).map { ", \($0.wholeText) ago" } ?? ""
    while true {
      Console.write(
        "\(session.lane.singleLine) was interrupted at \(session.place(in: timeline))\(ago). "
          + "Resume or discard? [R/d] ", to: STDOUT_FILENO)
      switch readLine()?.lowercased() {
      case nil, "", "r", "resume": return true
      case "d", "discard": return false
      default: continue
      }
    }
  }

  /// Ends a session; where the disk does not take that it is told, and the new workout begins.
  private func record(
    _ session: StoredSession, _ outcome: HistoryEntry.Outcome, at instant: BootInstant? = nil,
    from record: SessionRecord? = nil
  ) {
    do throws(UserError) {
      try end(session, outcome, at: instant, from: record)
    } catch {
      warn("how \(session.lane.singleLine) ended is not recorded yet: \(error.message)")
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
      let effects = rest.takeUp(at: instant, from: record.at, isHeld: false)
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

  /// Where it was when it was kept: "set 3 of 8, Low, 0:12 left".
  func place(in timeline: Timeline) -> String {
    guard let transport = Transport(timeline, state.record.anchors) else { return "?" }
    let here = transport.position(at: state.record.at)
    guard here.phase < timeline.count else { return "its end" }
    let entry = timeline.entries[here.phase]
    let set = entry.set.map { "set \($0)" + (entry.sets.map { " of \($0)" } ?? "") }
    let left = here.phaseLeft.map { "\($0.wholeText) left" }
    return [set, PhraseCatalogue.english.name(of: entry.phase).singleLine, left]
      .compactMap { $0 }.joined(separator: ", ")
  }
}

extension Duration {
  /// Whole seconds as a clock shows them: "1:02:03".
  var wholeText: String { Duration.seconds(components.seconds).clockText }
}
