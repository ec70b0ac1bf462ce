import CueSound
import CueTesting
import IntervalTimeline
import Synchronization
import TestSupport

@testable import CueEngine

/// A coach with its mixer on a test's clock: hours in milliseconds.
///
/// 8 kHz is enough for decisions in milliseconds; tests that examine samples use 48 kHz, where they are kept.
final class TestRun {
  let clock = ManualClock()
  let output: RecordingOutput
  let speech: ScriptedSpeech
  let begin: BootInstant
  var coach: Coach
  /// In the order of adding; lanes that have ended stay here.
  private(set) var lanes: [LaneID] = []
  private let library: SpeechLibrary
  private let rendered = Collected<Int>()

  private static let sounds = SoundPack(rate: 8_000)

  /// - Parameters:
  ///   - sounds: at `rate`; nil for the built-in ones.
  ///   - synthesizer: instead of `speech`.
  init(
    _ workouts: [(name: String, workout: Workout)], speech: ScriptedSpeech = ScriptedSpeech(),
    synthesizer: (any SpeechSynthesizer)? = nil,
    settings: CueEngine.Settings = .plain, style: LaneStyle = LaneStyle(),
    sounds: SoundPack? = nil, rate: Int = 8_000,
    keep: (@Sendable (LaneID, SessionRecord) -> Void)? = nil
  ) throws {
    begin = clock.now
    self.speech = speech
    output = RecordingOutput(origin: begin, rate: rate)
    output.keepsSamples = rate != 8_000
    let link = MixerLink(voices: settings.voices)
    // The closures outlive the initialiser through references to what they fill.
    let ledger = LedgerLog()
    log = ledger
    library = SpeechLibrary(
      synthesizer ?? speech, converter: RepeatedSamples(), rate: rate, level: { _ in 1 })
    coach = Coach(
      link: link, sounds: sounds ?? (rate == 8_000 ? Self.sounds : SoundPack(rate: rate)),
      speech: library, settings: settings,
      write: { ledger.append($0) }, emit: { ledger.append($0) }, keep: keep)
    output.start(link) { _ in }
    for (name, workout) in workouts {
      lanes.append(try coach.addLane(name, timeline: try Timeline(workout), style: style))
    }
  }

  func add(_ name: String, _ workout: Workout, density: Density = .normal) {
    guard let timeline = try? Timeline(workout) else {
      preconditionFailure("the workout \(workout.name) is none")
    }
    do throws(LaneError) {
      lanes.append(
        try coach.addLane(name, timeline: timeline, style: LaneStyle(density: density)))
    } catch {
      preconditionFailure("\(name): \(error)")
    }
  }

  /// Adds a workout that has run before.
  func restore(_ name: String, _ workout: Workout, _ kept: SessionRecord) throws {
    lanes.append(
      try coach.addLane(
        name, timeline: try Timeline(workout), style: LaneStyle(), restoring: kept))
  }

  convenience init(
    _ workout: Workout, speech: ScriptedSpeech = ScriptedSpeech(),
    settings: CueEngine.Settings = .plain, style: LaneStyle = LaneStyle(), rate: Int = 8_000
  ) throws {
    try self.init([("anna", workout)], speech: speech, settings: settings, style: style, rate: rate)
  }

  /// The length of a text in milliseconds at normal speed.
  func length(_ text: String) -> Int { speech.milliseconds(of: text) }

  private let log: LedgerLog

  /// From now on the coach does not wait for rendering, as in an engine.
  ///
  /// - Parameter isInNoTime: whether the clock waits for what is requested.
  func waitForWords(isInNoTime: Bool = true) {
    let rendered = rendered
    rendersInNoTime = isInNoTime
    coach.withPerformer { $0.waitForWords { rendered.append($0) } }
  }

  private var rendersInNoTime = true

  /// Waits until all that was requested is rendered, also ahead of its time, and announces it.
  func finishRendering() {
    var ids: [Int] = []
    repeat {
      library.finishAllRendering()
      ids = rendered.take()
      for id in ids { coach.withPerformer { $0.announceWaiting(id, at: clock.now) } }
    } while !ids.isEmpty
  }

  /// How many texts are still to be rendered ahead of their time.
  var requestedAhead: Int { library.held.waiting }

  /// Waits until all texts are rendered that will be needed.
  func finishRenderingAhead() { library.renderFirst([], lengthsOf: [], for: .seconds(600)) }

  var ledger: [LedgerEvent] { log.events }
  var events: [EngineEvent] { log.engineEvents }
  var cues: [LedgerEvent.CueEntry] {
    ledger.compactMap { if case .cue(let cue) = $0 { cue } else { nil } }
  }

  func send(_ command: Command, lane: Int = 0) { send(command, lane: lane, at: clock.now) }

  /// A command, and the time after it.
  func send(_ command: Command, lane: Int = 0, then duration: Duration) {
    send(command, lane: lane)
    run(duration)
  }

  /// Of the first lane, now.
  var status: LaneStatus { coach.lanes.status(of: lanes[0], at: clock.now) }

  /// Starts the first lanes at once, and lets `duration` pass with a check each half second.
  func play(_ duration: Duration, lanes: Int = 1) {
    for lane in 0..<lanes { send(.start, lane: lane) }
    run(duration)
  }

  /// A command at another instant than now.
  func send(_ command: Command, lane: Int = 0, at instant: BootInstant) {
    coach.handle(command, lane: lanes[lane], at: instant)
  }

  func session(_ lane: Int = 0) -> Session { coach.lanes[lanes[lane]].session }

  func lose(_ error: SoundOutputError) {
    coach.withPerformer { $0.note(.lost(error, at: clock.now)) }
  }

  /// Lets `duration` pass with a check each `interval`.
  func run(_ duration: Duration, every interval: Duration = .milliseconds(500)) {
    let end = clock.now + duration
    while clock.now < end {
      clock.advance(to: min(end, clock.now + interval))
      output.advance(to: clock.now)
      coach.check(at: clock.now)
      if rendersInNoTime { finishRendering() }
    }
  }

  /// Lets `duration` pass without a check: a stall. The sound continues as far as it was handed
  /// off.
  func stall(_ duration: Duration) {
    clock.advance(by: duration)
    output.advance(to: clock.now)
    coach.check(at: clock.now)
  }

  /// Seconds since the beginning of the test, with millisecond resolution.
  func seconds(_ instant: BootInstant) -> String {
    let milliseconds = begin.duration(to: instant).wholeMilliseconds
    let rest = "\(milliseconds % 1000)"
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// The cues as text, in the order in which they were due; at one instant sounds come first.
  var trace: [String] {
    let kinds = [
      "transition", "countdown", "set-completion", "next", "halfway", "finish", "position",
    ]
    func place(_ cue: LedgerEvent.CueEntry) -> (BootInstant, Int, String) {
      (cue.due, kinds.firstIndex(of: cue.kind) ?? kinds.count, cue.lane)
    }
    return cues.sorted { place($0) < place($1) }
      .map { cue in
        let parts =
          cue.parts.count > 1
          ? "  "
            + cue.parts.map { "\($0.text)@\(seconds($0.due))" }
            .joined(separator: " ") : ""
        let lane = lanes.count > 1 ? "\(cue.lane) " : ""
        return "\(seconds(cue.due)) \(lane)\(cue.kind) \"\(cue.text)\" \(cue.outcome)\(parts)"
      }
  }
}

extension CueEngine.Settings {
  /// With `CuePlan.plain`.
  static let plain: CueEngine.Settings = {
    var settings = CueEngine.Settings()
    settings.plan = .plain
    return settings
  }()
}

/// Collects a coach's ledger and events.
final class LedgerLog: Sendable {
  /// Each protects its list.
  private let lines = Mutex<[LedgerEvent]>([])
  private let told = Mutex<[EngineEvent]>([])

  var events: [LedgerEvent] { lines.withLock { $0 } }
  var engineEvents: [EngineEvent] { told.withLock { $0 } }

  func append(_ event: LedgerEvent) { lines.withLock { $0.append(event) } }
  func append(_ event: EngineEvent) { told.withLock { $0.append(event) } }
}
