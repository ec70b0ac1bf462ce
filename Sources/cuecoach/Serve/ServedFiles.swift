import CoachHost
import CoachService
import ControlProtocol
import CueEngine
import InstalledFiles
import IntervalTimeline
import Phrases
import Presets
import SessionStore
import Synchronization

/// What a handler needs of the disk, from what is installed and from the store.
final class ServedFiles: ControlFiles {
  private struct State {
    var installed: Installation
    /// How often the configuration has been read anew.
    var generation = 0
    var presets = PresetCache()
    /// Sound packs by name or folder, the latest last: workouts share them. "" is the default pack.
    var packs: [(name: String, sounds: SoundPack)] = []
  }

  private static let maxPacks = 4

  private let repository: SessionRepository?
  /// Protects everything; never held during disk access.
  private let state: Mutex<State>
  private let list: @Sendable (inout PresetCache, Installation) -> [PresetEntry]

  /// - Parameter list: reads all presets.
  init(
    _ installed: Installation, _ repository: SessionRepository?,
    list: @escaping @Sendable (inout PresetCache, Installation) -> [PresetEntry] = {
      $0.entries($1)
    }
  ) {
    self.repository = repository
    self.list = list
    state = Mutex(State(installed: installed))
  }

  var installed: Installation { state.withLock { $0.installed } }

  /// The configuration has been read anew.
  func replace(_ installed: Installation) {
    state.withLock { $0 = State(installed: installed, generation: $0.generation + 1) }
  }

  // MARK: Starting

  func workout(_ order: StartOrder) throws(ControlError) -> OpenedWorkout {
    try Self.checkPath(order.style.sounds, "style.sounds")
    try Self.checkPath(order.preset, "preset")
    let installed = installed
    var variant = WorkoutVariant.today(seed: order.seed.map { UInt64($0) }, group: order.group)
    variant.athlete = order.athlete
    variant = installed.variant(variant, of: order.lane)
    var workout =
      if let text = order.workout {
        try Self.inline(text, order.style, variant)
      } else if let quick = order.quick {
        try Self.opened(quick.workout, order.style)
      } else {
        try Self.preset(order.preset ?? "", order.style, variant, installed)
      }
    workout.identity.order.lane = order.lane
    do throws(InstallationError) {
      var notices: [Sentence] = []
      (workout.style, workout.sounds) = try announcement(
        of: workout.timeline.workout, order.style, installed
      ) { notices.append($0) }
      if let repository, !repository.isOpen, let failure = repository.openingFailure {
        notices.append("where it stands is not kept: \(failure)")
      }
      installed.applyAthlete(of: order.lane, to: &workout.style)
      workout.remarks = notices
      return workout
    } catch {
      throw ControlError(.invalid, error.sentence)
    }
  }

  private func announcement(
    of workout: Workout, _ style: AnnouncementStyle, _ installed: Installation,
    report: (Sentence) -> Void
  ) throws(InstallationError) -> (LaneStyle, SoundPack) {
    let name = installed.soundPackName(of: workout, style) ?? ""
    if let known = state.withLock({ $0.packs.first { $0.name == name } }) {
      return (try installed.style(of: workout, style, report: report), known.sounds)
    }
    let (style, sounds) = try installed.announcement(workout, style, report: report)
    state.withLock { $0.packs = ($0.packs + [(name, sounds)]).suffix(Self.maxPacks) }
    return (style, sounds)
  }

  /// A service has a folder of its own, which its clients do not know.
  private static func checkPath(_ path: String?, _ field: String) throws(ControlError) {
    guard let path, path.contains("/"), !path.hasPrefix("/") else { return }
    throw ControlError(.invalid, "\(field): expected a name or an absolute path")
  }

  private static func preset(
    _ preset: String, _ style: AnnouncementStyle, _ variant: WorkoutVariant,
    _ installed: Installation
  ) throws(ControlError) -> OpenedWorkout {
    let (path, requested): (String, RequestedWorkout)
    do throws(InstallationError) {
      // A name is never taken for a path in that folder.
      path = try Self.path(of: preset, installed)
      requested = try installed.requested(
        path, style, variant: variant, isNamed: !preset.hasPrefix("/"))
    } catch {
      throw Self.refusal(error, of: preset)
    }
    // Whoever has the page's link may have written it, and chooses among the voices that are offered there too.
    if let own = installed.folders.surfacePresets, path.hasPrefix("\(own)/"),
      let refusal = ControlRights.refusal(
        ofVoice: requested.timeline.workout.style.voice.name, besides: installed.offeredVoices)
    {
      throw ControlError(.notAllowed, "\(preset.shownShort): voice: \(refusal)")
    }
    return OpenedWorkout(requested.name, requested.timeline, order: requested.order)
  }

  private static func path(
    of preset: String, _ installed: Installation
  ) throws(InstallationError) -> String {
    if preset.hasPrefix("/") { return preset }
    return try installed.presets.path(ofName: preset, listedBy: "cuecoach ctl presets")
  }

  private static func refusal(_ error: InstallationError, of preset: String) -> ControlError {
    guard error.kind != .preset else {
      return ControlError(.unknownPreset, error.sentence)
    }
    return ControlError(.invalid, message(error, of: preset))
  }

  /// A client may not be allowed to read every file that the coach can: of one that it names by its path
  /// nothing is quoted.
  private static func message(_ error: InstallationError, of preset: String) -> Sentence {
    guard preset.hasPrefix("/"), let place = error.place else {
      return error.sentence
    }
    return "\(place): it is no preset, or has a mistake there; cuecoach check says which"
  }

  private static func inline(
    _ text: String, _ style: AnnouncementStyle, _ variant: WorkoutVariant
  ) throws(ControlError) -> OpenedWorkout {
    let workout: Workout
    do throws(FileError) {
      workout = try PresetFile.parse(Array(text.utf8), file: "workout", variant: variant)
    } catch {
      throw ControlError(.invalid, error.sentence)
    }
    return try opened(workout, style)
  }

  private static func opened(
    _ workout: Workout, _ style: AnnouncementStyle
  ) throws(ControlError) -> OpenedWorkout {
    guard let timeline = try? Timeline(workout) else {
      throw ControlError(.invalid, "workout: it cannot be laid out")
    }
    // Room for a number, should the name be taken.
    let name = String(String.UnicodeScalarView(workout.name.singleLine.unicodeScalars.prefix(32)))
    return OpenedWorkout(name, timeline, order: StartOrder(style: style))
  }

  func claim(_ workout: inout OpenedWorkout) throws(ControlError) {
    guard let repository else { return }
    let name = workout.name
    var rules = Resumption.Rules()
    rules.policy = .discard
    var resumption = Resumption(repository, rules) { _ in }
    do {
      let old = try? repository.interrupted().last { $0.lane == name }
      _ = try resumption.lane(name, for: workout)
      // The saver records its end later where the disk does not take it now.
      _ = resumption.endSessions()
      if let old {
        workout.remarks.append(
          "\(old.workout.name) was interrupted under this name; it has ended there")
      }
    } catch let error as HostError {
      throw ControlError(error)
    } catch {
      throw ControlError(.failed, "\(error)")
    }
  }

  func interrupted(_ name: String) throws(ControlError) -> OpenedWorkout? {
    guard let repository else { return nil }
    var rules = Resumption.Rules()
    rules.maximumAge = .seconds(366 * 86_400)
    rules.isExplicit = true
    var notices: [Sentence] = []
    let installed = installed
    do {
      // A name that nothing was interrupted under is not claimed.
      guard try repository.sessions().contains(where: { $0.lane == name }) else { return nil }
      var resumption = Resumption(repository, rules) { notice in
        notices += notice.lines(
          installed, canEndPause: rules.canEndPause, command: "cuecoach ctl resume"
        ).map { Sentence(verbatim: $0) }
      }
      let found = try resumption.lane(name)
      notices += resumption.endSessions().map { Sentence(verbatim: $0) }
      guard var workout = found else {
        repository.release(name)
        throw ControlError(.noEffect, notices.last ?? "\"\(name)\" is over")
      }
      try workout.announce(by: installed) { notices.append($0) }
      workout.remarks = notices
      return workout
    } catch let error as ControlError {
      throw error
    } catch let error as HostError {
      throw ControlError(error)
    } catch {
      repository.release(name)
      throw ControlError(.failed, "\(name): not resumed: \(error)")
    }
  }

  // MARK: Later

  func keep(_ later: ScheduledStart) throws(ControlError) {
    guard let repository else {
      throw ControlError(.failed, "there is no folder for sessions; set HOME or XDG_STATE_HOME")
    }
    try Self.refusing { () throws(HostError) in try repository.save(later.workout.identity) }
  }

  func withdraw(_ later: ScheduledStart) throws(ControlError) {
    try Self.refusing { () throws(HostError) in
      try repository?.withdrawStart(later.workout.identity.id)
    }
  }

  func miss(_ later: ScheduledStart) throws(ControlError) {
    try Self.refusing { () throws(HostError) in try repository?.miss(later.workout.identity) }
  }

  private static func refusing(_ body: () throws(HostError) -> Void) throws(ControlError) {
    do throws(HostError) {
      try body()
    } catch {
      throw ControlError(error)
    }
  }

  /// What earlier runs of the coach were to begin, the earliest first.
  ///
  /// - Parameter warn: called with a line about each that has lost something.
  func laterStarts(
    at now: BootInstant, wall: Int64, warn: (Sentence) -> Void
  ) throws(HostError) -> [ScheduledStart] {
    guard let repository else { return [] }
    let (stored, damaged) = try repository.starts()
    if damaged > 0 {
      warn("\(damaged) workouts that were to begin later are damaged and do not")
      try repository.removeDamagedStarts()
    }
    let installed = installed
    var starts: [ScheduledStart] = []
    for start in stored {
      do {
        var workout = OpenedWorkout(start, try Timeline(start.workout))
        (workout.style, workout.sounds) = try installed.restoredAnnouncement(
          of: start.workout, start.order.style, session: start.lane, report: warn)
        installed.applyAthlete(of: start.lane, to: &workout.style)
        starts.append(
          ScheduledStart(
            workout, at: now + .nanoseconds(start.startedAt - wall), followsWallClock: true))
      } catch {
        warn("\(start.lane): it was to begin later, and cannot: \(error)")
        // Until its time the user may mend what is wrong.
        if start.startedAt < wall { try repository.miss(start) }
      }
    }
    return starts
  }

  // MARK: Lists

  var offeredVoices: [String] { installed.offeredVoices }

  func presets(
    _ name: String?, outline: Bool
  ) throws(ControlError) -> (entries: [PresetEntry], omitted: Int) {
    guard let name else { return (allPresets(), 0) }
    let installed = installed
    try Self.checkPath(name, "preset")
    do throws(InstallationError) {
      let path = try Self.path(of: name, installed)
      let entry = PresetCache.read(name, path: path, installed, outline: outline) {
        Self.message($0, of: name)
      }
      return ([entry], 0)
    } catch {
      throw ControlError(.unknownPreset, error.sentence)
    }
  }

  private func allPresets() -> [PresetEntry] {
    let (installed, generation) = state.withLock { ($0.installed, $0.generation) }
    var presets = state.withLock { $0.presets }
    let entries = list(&presets, installed)
    state.withLock { if $0.generation == generation { $0.presets = presets } }
    return entries
  }

  func sessions(besides running: Set<String>) throws(ControlError) -> [SessionEntry] {
    guard let repository else { return [] }
    let installed = installed
    let sessions: [StoredSession]
    do throws(HostError) {
      sessions = try repository.sessions()
    } catch {
      throw ControlError(error)
    }
    let now = MachineClocks.now()
    var catalogues: [String?: PhraseCatalogue] = [:]
    return sessions.filter { !running.contains($0.lane) }.prefix(ControlLimits.rows).map {
      session in
      let language = session.identity.order.style.language ?? session.workout.style.language
      // A catalogue is a file.
      let phrases =
        catalogues[language] ?? installed.phrases(of: session.workout, session.identity.order.style)
      catalogues[language] = phrases
      let place = (try? Timeline(session.workout)).map { session.place(in: $0, phrases) } ?? "?"
      var entry = SessionEntry(
        lane: session.lane.shownShort, workout: session.workout.name.shownShort,
        place: place.shownShort, age: (now.since(session.clocks) ?? .zero) / .seconds(1))
      entry.language = phrases.language
      return entry
    }
  }

  func history(limit: Int) throws(ControlError) -> [HistoryItem] {
    try repository?.items(HistoryQuery(limit: limit), in: context.zone) ?? []
  }
}
