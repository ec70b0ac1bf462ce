import ALSAOutput
import CoachHost
import CueEngine
import CueSound
import Dispatch
import Glibc
import InstalledFiles
import IntervalTimeline
import SoundFiles
import SystemIO

/// A run from its first sound to its last: chooses the adapters, then handles events.
final class RunSession {
  indirect enum Event: Sendable {
    case host(HostEvent)
    /// The device is open and the first words are rendered, or that takes too long.
    case prepared
    case signal(Int32)
    case key(Character)
    /// The job has moved to the foreground or the background.
    case moved
    case fileFailed(String)
  }

  private let options: RunOptions
  private let mailbox = Mailbox<Event>.made()
  private let host: CoachHost
  private let subscription: Subscription
  /// Nil where the configuration switches it off.
  private let inhibition: SleepInhibition?
  /// Nil without `--control`.
  private let endpoint: ControlEndpoint?
  /// By the lane's name; empty without `--with`.
  private let sensors: [String: RecordedSensor]
  /// In the order of the options' lanes.
  private var lanes: [LaneID] = []
  /// The last known status of each lane.
  private var statuses: [LaneStatus] = []
  private let files: OutputFiles
  private let display: any RunDisplay
  /// Messages about no particular lane are in the language of the first lane.
  private let phrases: PhraseCatalogue
  private let signals: Signals
  private var keyboard: Keyboard?
  /// The lane that the keys act on; nil: all.
  private var chosen: Int?
  private var running: Set<String>
  private var ending: RunEnding
  private var exitCode: Int32 = 0
  private var isStarted = false
  private var isSuspended = false
  /// A line about each workout that was stored for later.
  private var suspended: [String] = []
  /// The keys pressed before the start.
  private var earlyKeys: [Character] = []
  private var stopQuestion = StopQuestion()
  private var busyNotice = BusyNotice()

  /// - Parameter warnings: shown once there is a display.
  init(_ options: RunOptions, warnings: [String]) throws(UserError) {
    context.patience = 1000
    let mailbox = mailbox
    var warnings = warnings
    let warn = { (message: String) in warnings.append(message) }
    files = OutputFiles(
      inputs: options.inputs,
      sounds: options.lanes.flatMap {
        [$0.identity.order.style.sounds, $0.timeline.workout.style.sounds]
      })
    let tap = options.files.record == nil ? nil : RecordingTap(rate: SampleRate.standard)
    var options = options
    for lane in options.lanes.indices {
      do throws(InstallationError) {
        try options.lanes[lane].announce(by: options.installed) { warn($0.text) }
      } catch {
        throw UserError(error)
      }
    }
    // Where others give commands, they can end such a phase.
    if !context.hasKeyboard, !options.hasControl {
      for lane in options.lanes {
        guard let open = lane.timeline.entries.first(where: { $0.phase.length.duration == nil })
        else { continue }
        let phase = lane.style.phrases.name(of: open.phase).shownName
        warn(
          "\(lane.name): \(lane.style.phrases.screen(.openWithoutKeys, ["phase": phase]))")
      }
    }
    let isResumed = options.lanes.contains { $0.resumed != nil }
    if isResumed {
      let wanted = options.files.record
      options.files.keepRecording()
      if let path = options.files.record, path != wanted {
        warn("the recording continues in \(path.singleLine)")
      }
    }
    endpoint = try options.hasControl ? ControlEndpoint() : nil
    try options.files.claim(by: files)
    let ledger = try options.files.ledger.map { path throws(UserError) in
      try LedgerFile.forOption(path, appends: isResumed) { mailbox.send(.fileFailed($0)) }
    }
    // Allows for pauses: twice the length of the workout.
    let longest =
      2 * Int(options.lanes.map { $0.timeline.fixedLength.components.seconds }.max() ?? 0)
    let recorder: Recorder?
    do throws(SoundFileError) {
      recorder = try options.files.record.map { path throws(SoundFileError) in
        try Recorder(path, tap: tap!, seconds: longest) { error in
          mailbox.send(
            .fileFailed("the recording \(error.path) ends here: \(error.detail.singleLine)"))
        }
      }
    } catch {
      throw .failed("\(error.path.singleLine) cannot be written: \(error.detail.singleLine)")
    }
    self.options = options
    running = Set(options.lanes.map(\.name))
    ending = RunEnding(lanes: options.lanes.count)
    phrases = options.lanes[0].style.phrases
    signals = Signals([SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGWINCH, SIGCONT]) {
      mailbox.send(.signal($0))
    }
    let report: @Sendable (String) -> Void = { mailbox.send(.host(.warning($0))) }
    var settings = CueEngine.Settings()
    settings.startLead = options.output.startLead
    if !options.sessions.pausesForSleep { settings.pausedBySleep = nil }
    var configuration = CoachHost.Configuration(
      output: ALSAOutput(options.output, tap: tap), sounds: options.lanes[0].sounds ?? SoundPack(),
      speech: SpeechEngine.library(
        options.installed.configuration, lanes: options.lanes.count, warn: warn, report: report))
    configuration.settings = settings
    configuration.repository = options.repository
    configuration.ledger = ledger
    configuration.recording = recorder
    host = CoachHost(configuration)
    sensors = Dictionary(
      uniqueKeysWithValues: zip(options.lanes, options.readings).map { [host] in
        ($0.name, RecordedSensor($1, for: host))
      })
    subscription = host.subscribe { mailbox.send(.host($0)) }
    inhibition =
      options.sessions.inhibitsSleep ? SleepInhibition(of: host, report: report) : nil
    endpoint?.serve(host, options.installed, options.repository)
    for workout in options.lanes {
      lanes.append(try UserError.wrapping { [host] in try host.add(workout) })
    }
    statuses = host.statuses()
    display = context.isInteractive ? Screen() : PlainProgress(lanes: options.lanes.count)
    for warning in warnings { display.warn(warning) }
  }

  /// Shows a warning.
  func warn(_ message: String) { display.warn(message) }

  /// Runs to the end. Returns the exit code.
  func run() -> Int32 {
    if context.hasKeys {
      keyboard = Keyboard { [mailbox] in
        mailbox.send(.key($0))
      } moved: { [mailbox] in
        mailbox.send(.moved)
      }
      followTerminal()
    }
    // The reading of arguments, the largest part of the code, is not needed any more.
    Footprint.releaseCode()
    // Not on this thread: it may take long on a slow machine, and keys and signals must not wait.
    DispatchQueue.global().async { [host, mailbox] in
      host.prepare()
      mailbox.send(.prepared)
    }
    waitForStart()
    while !running.isEmpty || isToldHowFar, !ending.isGivenUp {
      let question = stopQuestion.timeLeft(at: .now)
      updateStatuses()
      let end = running.isEmpty ? RunEnding.check : nil
      let wait = [
        display.show(statuses.map(ShownLane.init), chosen: chosen), ending.timeLeft, question, end,
      ].compactMap { $0 }.min()
      if let event = mailbox.next(within: wait) { handle(event) }
      if stopQuestion.timeLeft(at: .now) == .zero { withdrawStopQuestion() }
    }
    inhibition?.end()
    endpoint?.closeAnswering()
    let isKept = host.shutDown()
    // Failures of files may have come last.
    while let event = mailbox.next(within: .zero) { handle(event) }
    Terminal.leave()
    display.end(statuses.map(ShownLane.init), areKept: isSuspended)
    if isKept {
      for line in suspended { context.complain(line) }
    } else if let repository = options.repository, repository.isOpen {
      exitCode = max(1, exitCode)
      context.complain(
        repository.hasNotes
          ? "the end of this workout is not on the disk yet: the next command of cuecoach puts it there, if it comes before a restart of the machine"
          : "the end of this workout could not be saved")
    }
    return exitCode
  }

  /// While it is said how far stopped workouts came.
  private var isToldHowFar: Bool { !ending.stopped.isEmpty && !host.statuses().isEmpty }

  /// Updates the status of every lane.
  private func updateStatuses() {
    for status in host.statuses() { note(status) }
  }

  private func note(_ status: LaneStatus) {
    if let lane = lanes.firstIndex(of: status.id) { statuses[lane] = status }
  }

  private func handle(_ event: Event) {
    switch event {
    case .host(.engine(let event)): handle(event)
    case .host(.warning(let line)): display.warn(line)
    case .host(.leftOut(let message)): display.warn(message.line)
    case .fileFailed(let message):
      // The workout continues; the exit code reports the incomplete file.
      if exitCode == 0 { exitCode = 1 }
      display.warn(message)
    case .prepared: if ending.timeLeft == nil { start() }
    case .key(let key): press(key)
    case .signal(SIGWINCH): display.resized()
    case .signal(SIGCONT), .moved: followTerminal()
    case .signal(let number):
      exitCode = 128 + number
      suspend()
      stop(lane: nil, isTold: false)
    }
  }

  private func handle(_ event: EngineEvent) {
    switch event {
    case .phaseBegan(let status):
      sensors[status.name]?.begin(at: status.at - status.elapsed, in: status.id)
      display.phaseBegan(ShownLane(status))
    case .obeyed(let command, let status):
      // Another surface may have stopped it.
      if command == .stop, let lane = lanes.firstIndex(of: status.id) { ending.stop([lane]) }
      display.obeyed(command, ShownLane(status))
    case .finished(let status): display.finished(ShownLane(status))
    case .ended(let status, _):
      running.remove(status.name)
      note(status)
    case .asked(let end):
      stopQuestion.willBeHeard(by: .now + BootClock.now().duration(to: end))
    case .speechFailed(let error): display.warn(error.detail.singleLine)
    case .deviceLost(let error):
      let isServed = error.kind == .busy && ControlEndpoint.deviceIsServed
      display.warn(DeviceAdvice.line(for: error, phrases, isServed: isServed))
    case .slept(let sleep):
      display.warn(phrases.screen(.slept, ["time": sleep.passedText]))
    case .stalled(let time):
      display.warn(phrases.screen(.stalled, ["time": time.passedText]))
    case .notRealtime: busyNotice.isRealtime = false
    case .xrun: for line in busyNotice.lines(phrases) { display.warn(line) }
    case .deviceRecovered: display.warn(phrases.screen(.soundBack))
    case .restored(let status, _):
      sensors[status.name]?.begin(at: status.at - status.elapsed, in: status.id)
    case .added, .volumeChanged, .signalled, .targetChanged, .omitted: break
    }
  }

  /// Takes the terminal in the foreground, and leaves it to the shell in the background.
  private func followTerminal() {
    guard let keyboard else { return }
    Terminal.enter()
    keyboard.follow(isForeground: Terminal.isForeground)
    display.resized()
  }

  /// Stores what runs for later, before it is stopped.
  private func suspend() {
    guard options.repository != nil else { return }
    isSuspended = true
    for status in host.suspend() { note(status) }
    for (lane, options) in options.lanes.enumerated() {
      let status = statuses[lane]
      let isUnderWay =
        running.contains(options.name) && (status.state == .running || status.state == .paused)
      if isStarted, isUnderWay {
        let text = status.phrases.screen(
          .kept, ["place": ShownLane(status).placeText, "command": "cuecoach resume"])
        suspended.append("\(options.name): \(text)")
      } else if !isStarted, options.resumed != nil {
        let text = status.phrases.screen(.keptUnchanged, ["command": "cuecoach resume"])
        suspended.append("\(options.name): \(text)")
      }
    }
  }

  /// Waits for the start before anything is shown, for at most a second.
  private func waitForStart() {
    let end = ContinuousClock.now + .seconds(1)
    while !isStarted, !running.isEmpty {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero, let event = mailbox.next(within: left) else { return }
      handle(event)
    }
  }

  private func start() {
    isStarted = true
    // Ignores lanes that a key has already ended.
    host.begin(lanes)
    chosen = nil
    for key in earlyKeys { obey(key) }
    if stopQuestion.isAsked { send(.askStop, to: voice(of: chosen)) }
  }

  private func send(_ command: Command, to lane: Int?) {
    host.send(command, to: lane.map { lanes[$0] })
  }

  /// Sends each chosen lane the signal that its phase waits for.
  private func signal(_ lane: Int?) {
    updateStatuses()
    for index in lane.map({ [$0] }) ?? Array(options.lanes.indices) {
      guard case .signal(let name) = statuses[index].length?.end else { continue }
      host.signal(name, to: lanes[index])
    }
  }

  /// - Parameter isTold: whether it is said how far it came.
  private func stop(lane: Int?, isTold: Bool = true) {
    // Workouts that have not begun end without an announcement.
    if !isStarted { running.subtract(lane.map { [options.lanes[$0].name] } ?? Array(running)) }
    send(.stop, to: lane)
    ending.stop(lane.map { [$0] } ?? Array(options.lanes.indices), isTold: isTold)
    if !isTold { host.withdrawFarewells() }
  }

  private func press(_ pressed: Character) {
    let key = Character(pressed.lowercased())
    host.withdrawFarewells()
    if key == "q" { return pressStop() }
    withdrawStopQuestion()
    guard isStarted else {
      // A stop key needs the chosen lane at once.
      if let lane = lane(of: key) { chosen = lane }
      return earlyKeys.append(key)
    }
    obey(key)
  }

  private func obey(_ key: Character) {
    switch key {
    case " ":
      let some = chosen.map { [$0] } ?? Array(options.lanes.indices)
      // With all lanes chosen, space brings them into the same state: it pauses if any is running.
      updateStatuses()
      let isRunning = some.contains { statuses[$0].state == .running }
      send(isRunning ? .pause : .resume, to: chosen)
    case "n": send(.next, to: chosen)
    case "b": send(.back, to: chosen)
    case "w": send(.whereAmI, to: chosen)
    case "r": send(.rep, to: chosen)
    case "s": signal(chosen)
    default: if let lane = lane(of: key) { choose(lane) }
    }
  }

  /// The lane that a key chooses: `.some(nil)` for all, nil if it chooses none.
  private func lane(of key: Character) -> Int?? {
    guard key.isASCII, let number = key.wholeNumberValue, number <= options.lanes.count else {
      return nil
    }
    return .some(number == 0 ? nil : number - 1)
  }

  /// The first press asks, the second stops the chosen workout, or all.
  private func pressStop() {
    let lane = options.lanes.count > 1 ? chosen : nil
    guard let voice = voice(of: lane) else { return }
    if stopQuestion.press(for: lane, at: .now) {
      display.ask(nil)
      return stop(lane: lane)
    }
    let name = lane.map { "\(options.lanes[$0].name): " } ?? ""
    display.ask(name + statuses[voice].phrases.screen(.stopQuestion))
    if isStarted { send(.askStop, to: voice) }
  }

  private func withdrawStopQuestion() {
    // A question that is not valid any more must not be asked.
    if stopQuestion.isAsked { host.withdrawQuestion() }
    stopQuestion.withdraw()
    display.ask(nil)
  }

  /// The running lane that speaks for `lane`, or for all; nil if nothing runs any more.
  private func voice(of lane: Int?) -> Int? {
    let some = lane.map { [$0] } ?? Array(options.lanes.indices)
    return some.first { running.contains(options.lanes[$0].name) && !ending.stopped.contains($0) }
  }

  /// Announces the chosen lane for those who cannot look.
  private func choose(_ lane: Int?) {
    chosen = lane
    if options.lanes.count > 1 { send(.sayName, to: lane) }
  }
}
