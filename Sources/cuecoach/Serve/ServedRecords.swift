import CoachHost
import CoachService
import ControlProtocol
import InstalledFiles
import IntervalTimeline
import SessionStore

/// The history as surfaces see it, and what people like, from the store and from what is installed.
final class ServedRecords: CoachRecords {
  let files: ServedFiles
  private let repository: SessionRepository?
  private let favourites: KeptFile<Favourites>
  private let repeated: KeptFile<[RepeatedStart]>
  /// Nanoseconds since 1970.
  private let wall: @Sendable () -> Int64
  private let zone: @Sendable (Int64) -> Int64

  init(
    _ files: ServedFiles, _ repository: SessionRepository?,
    wall: @escaping @Sendable () -> Int64 = { MachineClocks.wall },
    zone: @escaping @Sendable (Int64) -> Int64 = { context.zone($0) }
  ) {
    (self.files, self.repository, self.wall, self.zone) = (files, repository, wall, zone)
    let folder = files.installed.folders.state
    favourites = KeptFile("favourites.json", in: folder, empty: [:])
    repeated = KeptFile("schedules.json", in: folder, empty: [])
  }

  func obey(
    _ action: DeskRequest.Action, _ reply: inout ControlAnswer
  ) throws(ControlError) {
    switch action {
    case .history(let query): reply.history = try history(query)
    case .summary(let query, let year): try summary(query, year: year, &reply)
    case .phases(let session): reply.phases = try phases(of: session)
    case .delete(let session):
      let now = wall()
      try change(session, "there is no session \(session.quotedName) in the history") {
        history throws(StoreError) in try history.remove(session, at: now)
      }
    case .restore(let session):
      let now = wall()
      try change(session, "no session \(session.quotedName) was deleted in the last 30 days") {
        history throws(StoreError) in try history.restore(session, at: now)
      }
    case .discard(let lane): try discard(lane)
    case .people:
      let uses = try read([]) { history throws(StoreError) in try history.uses(limit: 2000) }
      reply.people = People(uses, try favourites.value()).entries
    case .favourite(let preset, let person, let isOn):
      if isOn { _ = try files.presets(preset, outline: false) }
      try favourites.change { favourites throws(ControlError) in
        try favourites.set(preset, of: person, isOn)
      }
    default: throw ControlError(.failed, "this coach does not do that")
    }
  }

  // MARK: Starts that repeat

  func schedules() throws(ControlError) -> [RepeatedStart] { try repeated.value() }

  func keep(_ schedules: [RepeatedStart]) throws(ControlError) {
    try repeated.change { $0 = schedules }
  }

  func rename(_ preset: String, to name: String) throws(ControlError) {
    guard try favourites.value().values.contains(where: { $0.contains(preset) }) else { return }
    try favourites.change { favourites in
      favourites = favourites.mapValues { list in
        list.contains(preset) ? list.filter { $0 != name }.map { $0 == preset ? name : $0 } : list
      }
    }
  }

  func miss(_ order: ScheduleOrder, at instant: Int64) throws(ControlError) {
    // Of a preset that cannot be read any more the name is left.
    var missed =
      (try? files.workout(order.order).identity)
      ?? SessionIdentity(
        lane: NameRule.lane.fitted(order.preset), workout: Workout(name: order.preset, blocks: []),
        order: order.order, startedAt: instant)
    missed.workout.preset = order.preset
    if let lane = order.lane { missed.lane = lane }
    missed.startedAt = instant
    do throws(HostError) {
      try repository?.miss(missed)
    } catch {
      throw ControlError(error)
    }
  }

  // MARK: The history

  /// What is asked of the history; `none` where there is no folder for it.
  private func read<Value: Sendable>(
    _ none: Value, _ body: (EndedSessions) throws(StoreError) -> Value
  ) throws(ControlError) -> Value {
    guard let repository else { return none }
    do throws(HostError) {
      return try repository.withHistory(body)
    } catch {
      throw ControlError(error)
    }
  }

  private func change(
    _ session: String, _ refusal: Sentence, _ body: (EndedSessions) throws(StoreError) -> Bool
  ) throws(ControlError) {
    guard try read(false, body) else { throw ControlError(.noEffect, refusal) }
  }

  private func history(_ query: HistoryQuery) throws(ControlError) -> [HistoryItem] {
    guard let repository else { return [] }
    guard let found = try repository.items(query, in: zone) else {
      throw Self.noSession(query.before ?? "", field: "before")
    }
    return found
  }

  private static func noSession(_ id: String, field: String) -> ControlError {
    ControlError(.invalid, "\(field): there is no session \(id.quotedName) in the history")
  }

  private func summary(
    _ query: HistoryQuery, year: Int?, _ reply: inout ControlAnswer
  ) throws(ControlError) {
    let figures = try read([]) { history throws(StoreError) in
      try history.figures(EndedSessions.Filter(lane: query.lane, tag: query.tag))
    }
    HistorySummary(figures, year: year, now: wall(), in: zone).write(to: &reply)
  }

  private func phases(of session: String) throws(ControlError) -> [DonePhase] {
    let entry: HistoryEntry? = try read(nil) { history throws(StoreError) in
      try history.entry(session)
    }
    guard let entry else { throw Self.noSession(session, field: "session") }
    let phrases = files.installed.phrases(of: Workout(name: "", blocks: []), AnnouncementStyle())
    return (entry.course?.phases ?? []).map { phase in
      let label = phase.label.isEmpty ? phrases.phases[phase.kind] ?? "" : phase.label
      return DonePhase(
        label: label, kind: phase.kind, set: phase.set,
        planned: phase.planned.map { Double($0) / 1000 }, done: Double(phase.done) / 1000,
        skipped: phase.outcome == .skipped)
    }
  }

  /// Ends what was interrupted, as a start under its name does.
  private func discard(_ lane: String) throws(ControlError) {
    let nothing = ControlError(
      .unknownLane, "nothing was interrupted under the name \(lane.quotedName)")
    guard let repository else { throw nothing }
    do {
      guard try repository.interrupted().contains(where: { $0.lane == lane }) else {
        throw nothing
      }
      var rules = Resumption.Rules()
      rules.policy = .discard
      var resumption = Resumption(repository, rules) { _ in }
      // Claims the name, so that no other process takes the session up meanwhile.
      _ = try resumption.lane(lane)
      let failures = resumption.endSessions()
      repository.release(lane)
      if let line = failures.first { throw ControlError(.failed, message: line.singleLine) }
    } catch let error as ControlError {
      throw error
    } catch let error as HostError {
      throw ControlError(error)
    } catch {
      throw ControlError(.failed, "\(error)")
    }
  }
}

extension SessionRepository {
  /// What a request asks of the history; nil where there is no session `before`.
  func items(
    _ query: HistoryQuery, in zone: WallTime.Zone
  ) throws(ControlError) -> [HistoryItem]? {
    do throws(HostError) {
      return try withHistory { history throws(StoreError) in
        try history.entries(
          EndedSessions.Filter(lane: query.lane, tag: query.tag), before: query.before,
          limit: query.limit)
      }?.map { HistoryItem($0, in: zone) }
    } catch {
      throw ControlError(error)
    }
  }
}

extension HistoryItem {
  /// A session that is over, as surfaces see it.
  init(_ entry: HistoryEntry, in zone: WallTime.Zone) {
    let summary = entry.summary
    self.init(
      id: entry.id, lane: entry.lane.shownShort, workout: entry.workout.shownShort,
      outcome: entry.outcome.rawValue, startedAt: WallTime(entry.startedAt, in: zone).offsetText,
      seconds: summary.elapsed.inSeconds)
    let origin = entry.origin
    person = origin.isPersons ? true : nil
    preset = origin.preset.isEmpty ? nil : origin.preset.shownShort
    tags = origin.tags.isEmpty ? nil : origin.tags
    complete = summary.phases > 0 ? Double(summary.phasesDone) / Double(summary.phases) : 0
    (work, rest) = (entry.course?.work.inSeconds, entry.course?.rest.inSeconds)
    if summary.sets > 0 { (sets, setsDone) = (summary.sets, summary.setsDone) }
  }
}
