import CoachHost
import CueEngine
import CueSound
import CueTesting
import Foundation
import IntervalTimeline
import SessionStore
import TestSupport

/// A host on a test's clock and output.
final class HostRun {
  let clock: ManualClock
  let host: CoachHost
  let output: RecordingOutput
  private let library: SpeechLibrary?
  private let received = Collected<HostEvent>()
  private let subscription: Subscription

  /// - Parameters:
  ///   - clock: the boot clock; sessions are stored with its instants.
  ///   - keepsSamples: of everything played, 8 000 a second.
  init(
    _ clock: ManualClock = ManualClock(), repository: SessionRepository? = nil,
    speech: ScriptedSpeech? = nil, ledger: LedgerFile? = nil, keepsSamples: Bool = false
  ) {
    self.clock = clock
    output = RecordingOutput(origin: clock.now, rate: 8_000)
    output.keepsSamples = keepsSamples
    library = speech.map {
      SpeechLibrary($0, converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    }
    var configuration = CoachHost.Configuration(
      output: output, sounds: SoundPack(rate: 8_000), speech: library)
    configuration.ledger = ledger
    configuration.clock = { clock.now }
    configuration.sleepClock = { .zero }
    configuration.repository = repository
    host = CoachHost(configuration)
    subscription = host.subscribe { [received] event in received.append(event) }
  }

  /// What was played since the run was made.
  var samples: [Int16] { output.samples }

  var events: [HostEvent] { received.all }

  var ends: [(LaneStatus, SessionRecord)] {
    events.compactMap {
      if case .engine(.ended(let status, let record)) = $0 { (status, record) } else { nil }
    }
  }

  func add(_ name: String, _ workout: Workout) throws -> LaneID {
    try host.add(OpenedWorkout(name, try Timeline(workout)))
  }

  /// Lets time pass with a check each half second; speech is rendered in no time.
  func run(_ duration: Duration) {
    // A command that was sent before is handled before time passes.
    _ = host.statuses()
    let end = clock.now + duration
    while clock.now < end {
      clock.advance(to: min(end, clock.now + .milliseconds(500)))
      output.advance(to: clock.now)
      host.checkNow()
      finishRendering()
    }
  }

  /// Waits for the words that were requested, and for what the engine does with them.
  private func finishRendering() {
    guard let library else { return }
    // Words that are there may turn out to need others.
    for _ in 0..<4 {
      library.finishRendering()
      _ = host.statuses()
    }
  }

  /// The answer to a command.
  func send(_ command: Command, to lane: LaneID? = nil) -> CommandAnswer? {
    answer { host.send(command, to: lane, answer: $0) }
  }

  /// The answer to the start of lanes.
  func begin(_ lanes: [LaneID]) -> CommandAnswer? {
    answer { host.begin(lanes, answer: $0) }
  }

  /// The answer to a new volume.
  func setVolume(_ gain: Float) -> CommandAnswer? {
    answer { host.setVolume(gain, answer: $0) }
  }

  private func answer(_ request: (@escaping @Sendable (CommandAnswer) -> Void) -> Void)
    -> CommandAnswer?
  {
    let answers = Collected<CommandAnswer>()
    request { answers.append($0) }
    // The check queue is serial: this comes after the command.
    _ = host.statuses()
    return answers.all.last
  }
}

extension Workout {
  /// One set of phases of these lengths in seconds.
  static func phases(_ name: String, _ seconds: Int...) -> Workout {
    Workout(name, sets: 1, seconds.map { Phase(.work, .fixed(.seconds($0))) })
  }
}

/// A state folder of one test.
final class StateFolder {
  let path = FileManager.default.temporaryDirectory.path + "/cuecoach-host-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func repository() throws -> SessionRepository {
    try SessionRepository(folder: path, runtimeFolder: "\(path)/run")
  }

  func history() throws -> [HistoryEntry] {
    try SessionStore(folder: path, date: "2026-11-22").past.entries().entries
  }
}
