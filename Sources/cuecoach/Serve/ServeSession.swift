import ALSAOutput
import CoachHost
import CoachService
import ControlProtocol
import CueEngine
import CueSound
import Dispatch
import Glibc
import InstalledFiles
import IntervalTimeline
import Presets
import SessionStore
import Synchronization
import SystemIO
import SystemdLink

/// The coach as a service: a host without a terminal, idle until a client of the control socket asks.
final class ServeSession {
  private let output: OutputOptions
  private let hasSound: Bool
  private let signals: ServeSignals
  private var log: ServiceLog { signals.log }
  private let files: ServedFiles
  private let host: CoachHost
  private let repository: SessionRepository?
  private let handler: ControlHandler
  private let endpoint: ControlEndpoint
  /// Has claimed the ledger.
  private let outputs: OutputFiles
  private let outputsOfPage: ServedOutputs
  private var inhibition: SleepInhibition?
  private let alarm: BootAlarm
  /// Nil where the kernel has none.
  private var clockWatch: ClockWatch?
  /// The volume's ceiling, per cent of what the device can do.
  private let ceiling: Ceiling
  private var choice: OutputChoice
  private var sessions: SessionSettings

  private final class Ceiling: Sendable {
    let value: Atomic<Int>

    init(_ value: Int) { self.value = Atomic(value) }

    /// Half the number sounds about half as loud, as with `--volume`.
    func gain(_ volume: Int) -> Float {
      let whole = Float(value.load(ordering: .relaxed) * volume) / 10_000
      return whole * whole
    }
  }

  /// Opens everything; throws one line where the service cannot begin.
  init(
    _ installed: Installation, output: OutputOptions, hasSound: Bool, ledger: String?,
    force: Bool, _ signals: ServeSignals
  ) throws {
    let log = signals.log
    self.signals = signals
    let warn: @Sendable (String) -> Void = { log.log(.warning, $0.singleLine) }
    // The socket first: where another coach answers nothing else is touched.
    let endpoint = try ControlEndpoint(report: warn)
    self.endpoint = endpoint
    // Nothing more is taken from then on.
    signals.deadline.onRequest { endpoint.close() }
    self.output = output
    self.hasSound = hasSound
    choice = try output.choice(installed.configuration, hasSound: hasSound, warn: warn)
    let ceiling = Ceiling(hasSound ? choice.profile.volumeCeiling : 100)
    self.ceiling = ceiling
    repository = SessionFolder.openForRun(warn: warn)
    files = ServedFiles(installed, repository)
    for fault in installed.faultsOfOfferedVoices { warn(fault.text) }
    // The ceiling is the master volume's: it can be another one tomorrow.
    var played = choice
    played.volume = 100
    var settings = CueEngine.Settings()
    settings.startLead = choice.startLead
    sessions = installed.configuration.sessions
    if !sessions.pausesForSleep { settings.pausedBySleep = nil }
    let player = ALSAOutput(played)
    var configuration = CoachHost.Configuration(
      output: player, sounds: SoundPack(rate: SampleRate.standard),
      speech: SpeechEngine.library(
        installed.configuration, lanes: Self.speechLanes, warn: warn, report: warn))
    configuration.settings = settings
    configuration.repository = repository
    let outputs = OutputFiles(inputs: [])
    self.outputs = outputs
    configuration.ledger = try ledger.map { path throws(UserError) in
      try outputs.claim(path, for: "--ledger", as: .ledger, force: force, takesOutput: true)
      return try LedgerFile.forOption(path, appends: true, failed: warn)
    }
    host = CoachHost(configuration)
    inhibition = sessions.inhibitsSleep ? SleepInhibition(of: host, report: warn) : nil
    let alarm = BootAlarm { endpoint.handler?.alarm() }
    self.alarm = alarm
    var service = ControlHandler.Configuration(
      host: host, files: files, publish: { endpoint.publish($0) })
    service.checkPreset = { [files] text in CheckedPreset(files.installed).report(text) }
    service.convertFile = { bytes, name, format, language throws(ControlError) in
      try ConvertedFile().text(of: bytes, named: name, as: format, in: language)
    }
    let translations = Translations(in: context.folders)
    service.translations = { translations.patterns(of: $0) }
    service.publishSpeech = { endpoint.publish($0) }
    service.records = ServedRecords(files, repository)
    let selection = ServedOutputs(files, player, output, device: choice.device) {
      ceiling.value.store($0, ordering: .relaxed)
    }
    service.outputs = selection
    outputsOfPage = selection
    service.log = { log.log(.warning, $0) }
    service.advice = DeviceAdvice.line(about:)
    service.gain = { ceiling.gain($0) }
    let most = ceiling.value.load(ordering: .relaxed)
    if most > 0 { service.volume = choice.volume * 100 / most }
    service.becameIdle = { [host] in Self.releaseMemory(of: host) }
    service.setAlarm = { alarm.set($0) }
    handler = ControlHandler(service)
    resume(sessions, files)
    Self.restoreStarts(handler, files, signals.deadline)
    handler.restoreSchedules()
    clockWatch = ClockWatch { endpoint.handler?.wallClockWasSet() }
    endpoint.open(handler)
    // An alarm may have rung before there was a handler for it.
    handler.alarm()
  }

  /// Words are kept for so many workouts; more take turns.
  private static let speechLanes = 4

  /// When the device has been closed, what the workouts needed is given back.
  ///
  /// On a queue of its own: while Dispatch's global queues are used, it wakes up once a second.
  private static func releaseMemory(of host: CoachHost) {
    DispatchQueue(label: "cuecoach.footprint").asyncAfter(
      deadline: .now() + .seconds(7)
    ) {
      guard host.statuses().isEmpty else { return }
      Footprint.releaseHeap()
      Footprint.releaseCode()
    }
  }

  // MARK: What was interrupted

  private func resume(_ settings: SessionSettings, _ files: ServedFiles) {
    guard let repository else { return }
    let installed = files.installed
    var rules = Resumption.Rules()
    rules.configured = settings.resume
    rules.maximumAge = settings.maximumAge
    var resumption = Resumption(repository, rules) { notice in
      let command = "cuecoach ctl resume"
      for line in notice.lines(installed, canEndPause: rules.canEndPause, command: command) {
        self.log.log(.notice, line.singleLine)
      }
      if case .held = notice.kind {
        self.log.log(.notice, "to continue: \(command) \(notice.session.lane.shellArgument)")
      }
    }
    var ids: [LaneID] = []
    var over: [String] = []
    do {
      var names: [String] = []
      for session in try repository.sessions() where !names.contains(session.lane) {
        names.append(session.lane)
      }
      names = Array(names.prefix(ControlLimits.lanes))
      try resumption.readAhead(names)
      for name in names where try repository.holder(of: name) == nil {
        // Those that have not begun again stay as they are stored.
        guard !signals.deadline.isRequested else { return }
        // One that cannot be announced keeps no other from being resumed, nor its name from a terminal.
        do {
          guard var workout = try resumption.lane(name) else {
            over.append(name)
            continue
          }
          try workout.announce(by: installed) { handler.warn(saying: $0) }
          ids.append(try host.add(workout))
        } catch {
          handler.warn(saying: "\(name): not resumed: \(error)")
          repository.release(name)
        }
      }
    } catch {
      handler.warn(saying: "what was interrupted is not resumed: \(error)")
    }
    for warning in resumption.endSessions() { handler.warn(warning) }
    for name in over { repository.release(name) }
    guard !ids.isEmpty, !signals.deadline.isRequested else { return }
    host.prepare(ids)
    host.begin(ids)
  }

  /// What was to begin, and has not. While the disk fails it is tried again each minute.
  private static func restoreStarts(
    _ handler: ControlHandler, _ files: ServedFiles, _ deadline: EndDeadline
  ) {
    guard !deadline.isRequested else { return }
    do throws(HostError) {
      handler.restore(
        try files.laterStarts(at: BootClock.now(), wall: MachineClocks.wall) {
          handler.warn(saying: $0)
        })
    } catch {
      handler.warn(saying: "what was to begin later is not known yet: \(error)")
      DispatchQueue(label: "cuecoach.starts").asyncAfter(deadline: .now() + .seconds(60)) {
        restoreStarts(handler, files, deadline)
      }
    }
  }

  // MARK: Running

  /// Serves until a signal ends it. Returns the exit code.
  func run() -> Int32 {
    Footprint.releaseCode()
    ServiceNotice.ready.send()
    while let number = signals.next() {
      guard number != SIGHUP else {
        reload()
        continue
      }
      end()
      break
    }
    // What asked it to end is no failure.
    return 0
  }

  /// Reads the configuration anew; where it has a mistake the old one stays. What came of it is always
  /// logged.
  private func reload() {
    ServiceNotice.reloading.send()
    defer { ServiceNotice.ready.send() }
    func warn(_ line: Sentence) {
      log.answer(.warning, line.text.singleLine)
      handler.warn(saying: line, isLogged: false)
    }
    do {
      let installed = try context.installation(remembersVoices: true)
      let new = try output.choice(installed.configuration, hasSound: hasSound) {
        warn(Sentence(verbatim: $0))
      }
      files.replace(installed)
      for fault in installed.faultsOfOfferedVoices { warn(fault) }
      if let device = outputsOfPage.current {
        let used = try output.choice(installed.configuration, device: device) { _ in }
        ceiling.value.store(used.profile.volumeCeiling, ordering: .relaxed)
        handler.refreshVolume()
      }
      var (old, same) = (choice, new)
      (old.volume, same.volume) = (0, 0)
      (old.profile.volumeCeiling, same.profile.volumeCeiling) = (0, 0)
      if old != same { warn("the new output in config.yaml is used after a restart") }
      take(installed.configuration.sessions, warn)
      log.answer(.notice, "config.yaml has been read anew")
    } catch let error as InstallationError {
      warn("\(error); the old configuration stays")
    } catch let error as UserError {
      warn("\(error.message); the old configuration stays")
    } catch {
      warn("config.yaml is not read: \(error)")
    }
  }

  private func take(_ new: SessionSettings, _ warn: (Sentence) -> Void) {
    if new.pausesForSleep != sessions.pausesForSleep {
      warn("what `sessions: sleep:` in config.yaml says now is used after a restart")
    }
    if new.inhibitsSleep != sessions.inhibitsSleep {
      inhibition?.end()
      inhibition =
        new.inhibitsSleep
        ? SleepInhibition(of: host) { [log] in log.log(.warning, $0.singleLine) } : nil
      sessions.inhibitsSleep = new.inhibitsSleep
    }
  }

  /// Keeps every session and lets go of everything, in less than two seconds.
  private func end() {
    ServiceNotice.stopping.send()
    endpoint.close()
    let isEnded = DispatchSemaphore(value: 0)
    let thread = DispatchQueue(label: "cuecoach.end")
    thread.async { [host, handler, inhibition, log = signals.log] in
      for (name, wall) in handler.stillToBegin {
        let time = WallTime(wall, in: context.zone).minuteText
        log.log(.notice, "\"\(name)\" begins at \(time) if the coach runs then")
      }
      let suspended = host.suspend().filter { $0.state == .running || $0.state == .paused }
      inhibition?.end()
      host.send(.stop)
      host.withdrawFarewells()
      if host.shutDown() {
        for status in suspended {
          let text = PhraseCatalogue.english.screen(
            .kept, ["place": ShownLane(status).placeText, "command": "cuecoach serve"])
          log.log(.notice, "\(status.name): \(text)")
        }
      } else {
        let names = suspended.map(\.name).joined(separator: ", ")
        let whose = names.isEmpty ? "the end of a workout" : "where \(names) stood"
        log.log(.error, "\(whose) could not be saved".singleLine)
      }
      isEnded.signal()
    }
    let left = Int((signals.deadline.timeLeft ?? .zero) / .milliseconds(1))
    if isEnded.wait(timeout: .now() + .milliseconds(left)) == .timedOut {
      log.log(.error, "the sound does not end in time and is left behind")
    }
  }
}
