import CoachHost
import ControlProtocol
import CueEngine
import CueSound
import CueTesting
import IntervalTimeline
import Synchronization

@testable import CoachService

/// A handler and its host on a test's clock and output. Used by one thread.
final class ControlRun {
  let clock: ManualClock
  let disk: StartDisk
  let output: RecordingOutput
  let outputs = ListedOutputs()
  let host: CoachHost
  let handler: ControlHandler
  private let log = Log()
  private let library: SpeechLibrary?
  private var requests: Int64 = 0
  private var questions = 0

  /// What the handler gives away.
  private final class Log: Sendable {
    struct State {
      var events: [ControlEvent] = []
      var answers: [ControlAnswer] = []
      var lines: [String] = []
      var speech: [SpeechEvent] = []
      var ledger: [LedgerEvent] = []
      var alarm: BootInstant?
    }

    /// Protects everything.
    let state = Mutex(State())
  }

  /// What the coach says in German.
  private static let german = [
    "\"{}\" did not begin: {}": "„{}“ begann nicht: {}",
    "the machine slept through its time": "die Maschine schlief",
    "a wrong {}": "falsch: {}",
    "no workout is running": "es läuft kein Training",
  ]

  /// - Parameters:
  ///   - clock: of this boot.
  ///   - disk: where starts are kept.
  init(
    takesStarts: Bool = true, speech: ScriptedSpeech? = nil, clock: ManualClock = ManualClock(),
    disk: StartDisk = StartDisk(),
    checkPreset: (@Sendable (String) throws(ControlError) -> PresetReport)? = nil,
    convertFile: FileConversion? = nil
  ) {
    self.clock = clock
    self.disk = disk
    let log = log
    output = RecordingOutput(origin: clock.now, rate: 8_000)
    library = speech.map {
      SpeechLibrary($0, converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    }
    var configuration = CoachHost.Configuration(
      output: output, sounds: SoundPack(rate: 8_000), speech: library)
    configuration.clock = { clock.now }
    configuration.sleepClock = { .zero }
    configuration.observeLedger = { event in log.state.withLock { $0.ledger.append(event) } }
    host = CoachHost(configuration)
    var handlerConfiguration = ControlHandler.Configuration(
      host: host, files: ListedWorkouts(disk: disk),
      publish: { event in log.state.withLock { $0.events.append(event) } })
    handlerConfiguration.publishSpeech = { event in log.state.withLock { $0.speech.append(event) } }
    handlerConfiguration.log = { line in log.state.withLock { $0.lines.append(line) } }
    handlerConfiguration.wall = { disk.wall(at: clock.now) }
    handlerConfiguration.takesStarts = takesStarts
    if let checkPreset { handlerConfiguration.checkPreset = checkPreset }
    if let convertFile { handlerConfiguration.convertFile = convertFile }
    handlerConfiguration.setAlarm = { instant in log.state.withLock { $0.alarm = instant } }
    handlerConfiguration.clock = { clock.now }
    handlerConfiguration.records = KeptSchedules(disk: disk)
    handlerConfiguration.outputs = outputs
    handlerConfiguration.translations = { $0 == "de" ? Self.german : [:] }
    handlerConfiguration.zone = { _ in 3600 }
    handler = ControlHandler(handlerConfiguration)
  }

  /// What a coach does first: it takes up what was to begin later.
  func restore() {
    let (now, wall) = (clock.now, disk.wall(at: clock.now))
    handler.restore(
      disk.state.withLock { $0.kept }.values.sorted { $0.wall < $1.wall }.map { start in
        var start = start
        start.at = now + .nanoseconds(start.wall - wall)
        start.followsWallClock = true
        return start
      })
    settle()
  }

  /// Waits for the alarm that is set, and lets it ring.
  func ring() {
    if let alarm, alarm > clock.now { clock.advance(to: alarm) }
    handler.alarm()
    settle()
  }

  var events: [ControlEvent] { log.state.withLock { $0.events } }
  var lines: [String] { log.state.withLock { $0.lines } }
  var speech: [SpeechEvent] { log.state.withLock { $0.speech } }
  /// The announcements that are over.
  var announced: [LedgerEvent.CueEntry] {
    log.state.withLock { $0.ledger }.compactMap { event in
      guard case .cue(let cue) = event, cue.parts.contains(where: { !$0.text.isEmpty }) else {
        return nil
      }
      return cue
    }
  }
  var alarm: BootInstant? { log.state.withLock { $0.alarm } }

  /// Everything that was asked for has been done.
  func settle() {
    // A start goes to and fro between four queues.
    for _ in 0..<6 {
      handler.settle()
      _ = host.statuses()
    }
    handler.settle()
  }

  /// The words that were asked for have been rendered, and the check has decided about them.
  func finishRendering() {
    // A text that is rendered may have to wait for others.
    for _ in 0..<10 {
      settle()
      questions += 1
      // Its queue is serial; a question that was never asked before is answered last.
      _ = library?.length(of: "question \(questions)", voice: SpeechVoice())
    }
    settle()
  }

  /// The answer to a request.
  @discardableResult
  func send(
    _ action: ControlRequest.Action, sentAt: Int64? = nil, language: String? = nil,
    rights: ControlRights = .control
  ) -> ControlAnswer {
    requests += 1
    let id = RequestID.number(requests)
    var request = ControlRequest(id, action, sentAt: sentAt)
    request.language = language
    handler.handle(request, rights: rights) { [log] answer in
      log.state.withLock { $0.answers.append(answer) }
    }
    settle()
    let answers = log.state.withLock { $0.answers.filter { $0.id == id } }
    precondition(answers.count == 1, "\(answers.count) answers to \(action)")
    return answers[0]
  }

  @discardableResult
  func start(_ preset: String, lane: String? = nil, in wait: Duration? = nil) -> ControlAnswer {
    send(
      .start(
        StartOrder(preset: preset, lane: lane, at: wait.map { clock.now + $0 })))
  }

  var snapshot: CoachSnapshot { send(.status(outline: false)).snapshot! }

  func lane(_ name: String) -> WorkoutStatus? { snapshot.lanes.first { $0.name == name } }

  /// The same where words are rendered as fast as they are wanted.
  func speak(_ duration: Duration) {
    let end = clock.now + duration
    while clock.now < end {
      finishRendering()
      run(min(.milliseconds(500), clock.now.duration(to: end)))
    }
    finishRendering()
  }

  /// Lets time pass with a check each half second.
  func run(_ duration: Duration) {
    settle()
    let end = clock.now + duration
    while clock.now < end {
      clock.advance(to: min(end, clock.now + .milliseconds(500)))
      output.advance(to: clock.now)
      host.checkNow()
    }
    settle()
  }
}

/// Starts that are kept, and the wall clock, which may be set.
final class StartDisk: Sendable {
  struct State {
    var kept: [String: ScheduledStart] = [:]
    /// By name.
    var missed: [String] = []
    var fails = false
    var wallOfZero: Int64 = 1_790_000_000_000_000_000
    var schedules: [RepeatedStart] = []
    var keepsPresets = false
    var deleted: Set<String> = []
    var renamed: [String] = []
    var presets = [PresetEntry(name: "all")]
    /// Nanoseconds since 1970.
    var missedAt: [Int64] = []
  }

  /// Protects everything.
  let state = Mutex(State())

  var kept: [String] { state.withLock { $0.kept.values.map(\.name).sorted() } }
  var missed: [String] { state.withLock { $0.missed } }

  func wall(at now: BootInstant) -> Int64 { state.withLock { $0.wallOfZero } + now.nanoseconds }

  func setWall(by duration: Duration) {
    state.withLock { $0.wallOfZero += Int64(duration / .nanoseconds(1)) }
  }

  func write(_ body: (inout State) -> Void) throws(ControlError) {
    let fails = state.withLock { state in
      if !state.fails { body(&state) }
      return state.fails
    }
    if fails { throw ControlError(.failed, "the disk is full") }
  }
}

/// Workouts that are there without a disk.
struct ListedWorkouts: ControlFiles {
  let disk: StartDisk

  static let workouts: [String: [(PhaseKind, Int)]] = [
    "sprint": [(.work, 10), (.rest, 5), (.work, 10)],
    "long": Array(repeating: (.work, 1), count: ControlLimits.segments + 1),
    // Announcements leave no gap of many seconds.
    "busy": [(.low, 6), (.high, 6)],
    "lifts": [],
    // The last phase comes by surprise.
    "fartlek": [(.low, 20), (.high, 10)],
  ]

  /// Two repetitions, and a rest until a signal. After a while the first says how hard they are.
  private static let lifts = [
    Block.Step(
      Phase(
        .work, .open(.reps(2)),
        remarks: [
          Remark(
            (try? Template("At {watts}", values: ["watts"])) ?? "none", at: .fromStart(.seconds(8)))
        ])), Block.Step(Phase(.rest, .open(.signal("ready")))),
  ]

  /// Heard from its first sample on.
  private static let sounds = SoundPack(
    rate: 8_000,
    replacing: [.highBegins: PCMClip(rate: 8_000, samples: Array(repeating: 1_000, count: 800))])

  func workout(_ order: StartOrder) throws(ControlError) -> OpenedWorkout {
    guard let name = order.preset ?? order.workout, let phases = Self.workouts[name] else {
      throw ControlError(.unknownPreset, "there is no such preset")
    }
    var steps = phases.map { Block.Step(Phase($0.0, .fixed(.seconds($0.1)))) }
    if name == "lifts" { steps = Self.lifts }
    if name == "fartlek" { steps[steps.count - 1].phase.isSurprise = true }
    let laidOut = Workout(
      name: "Workout \(name)", blocks: [Block(sets: name == "busy" ? 20 : nil, steps: steps)])
    guard let timeline = try? Timeline(laidOut) else {
      preconditionFailure("\(name) is no workout")
    }
    var workout = OpenedWorkout(name, timeline)
    workout.style.density = name == "busy" ? .full : .normal
    workout.sounds = Self.sounds
    if name == "long" { workout.notices = ["it is long"] }
    return workout
  }

  func claim(_ workout: inout OpenedWorkout) throws(ControlError) {
    // What the first save of its session does.
    let id = workout.identity.id
    disk.state.withLock { $0.kept[id] = nil }
  }

  let offeredVoices = ["flite:slt"]

  func interrupted(_ name: String) throws(ControlError) -> OpenedWorkout? {
    guard name == "interrupted" else { return nil }
    var workout = try workout(StartOrder(preset: "sprint"))
    workout.name = name
    return workout
  }

  func keep(_ later: ScheduledStart) throws(ControlError) {
    try disk.write { $0.kept[later.workout.identity.id] = later }
  }

  func withdraw(_ later: ScheduledStart) throws(ControlError) {
    try disk.write { $0.kept[later.workout.identity.id] = nil }
  }

  func miss(_ later: ScheduledStart) throws(ControlError) {
    try disk.write { state in
      state.kept[later.workout.identity.id] = nil
      state.missed.append(later.name)
    }
  }

  func presets(
    _ name: String?, outline: Bool
  ) throws(ControlError) -> (entries: [PresetEntry], omitted: Int) {
    guard let name else { return (disk.state.withLock { $0.presets }, 0) }
    guard disk.state.withLock({ !$0.deleted.contains(name) }) else {
      throw ControlError(.unknownPreset, "there is no such preset")
    }
    return ([PresetEntry(name: name)], 0)
  }

  var isEditable: Bool { disk.state.withLock { $0.keepsPresets } }

  func save(_ change: PresetChange) throws(ControlError) -> PresetText {
    guard isEditable else { throw .noOwnPresets }
    return PresetText(name: change.preset, workout: change.workout, tag: "1")
  }

  func delete(_ preset: String, tag: String) throws(ControlError) {
    guard isEditable else { throw .noOwnPresets }
    // Behind a preset of one's own there may be another one.
    if tag == "1" { disk.state.withLock { _ = $0.deleted.insert(preset) } }
  }

  func sessions(besides running: Set<String>) throws(ControlError) -> [SessionEntry] {
    running.sorted().map { SessionEntry(lane: $0, workout: "", place: "", age: 0) }
  }

  func history(limit: Int) throws(ControlError) -> [HistoryItem] {
    throw ControlError(.failed, "the disk is gone, \(limit)")
  }
}

extension ControlHandler {
  /// Waits until everything has been done that was asked for before.
  func settle() {
    trials.hearing.sync {}
    trials.conversions.reading.sync {}
    starts.starting.sync {}
    filing.sync {}
    queue.sync {}
    _ = host.statuses()
    queue.sync {}
  }
}
