import CoachHost
import CueEngine
import CueSound
import IntervalTimeline
import Synchronization

/// The surroundings of an engine or a host for tests: a clock that only moves when the test advances it, an output
/// that plays into memory, and a voice whose words have known lengths. Hours pass in moments, and the ledger is the
/// same on every machine.
///
/// ```swift
/// let bench = TestBench()
/// let engine = bench.makeEngine()
/// let lane = try engine.addLane("anna", timeline: Timeline(workout))
/// engine.send(.start, to: lane)
/// bench.advance(engine, by: .seconds(30))
/// engine.signal("heart-rate-low", to: lane)
/// bench.advance(engine, by: .seconds(5))
/// #expect(bench.cues.map(\.text).contains("Next: Work"))
/// engine.shutDown()
/// ```
///
/// Where the whole course is known from the start, `PlannedRun` is shorter. Any thread, one at a time.
public final class TestBench: Sendable {
  /// The clock of its engine.
  public let clock = ManualClock()
  /// The output of its engine.
  public let output: RecordingOutput
  /// What the words are made of.
  public let voice: ScriptedSpeech
  /// The words of `voice`.
  public let speech: SpeechLibrary
  /// The built-in sounds, at the rate of the output.
  public let sounds: SoundPack
  /// When it was made: the clock's first instant.
  public let start: BootInstant

  /// Each protects what its engines have reported.
  private let lines = Mutex<[LedgerEvent]>([])
  private let reported = Mutex<[EngineEvent]>([])
  /// To what its hosts report.
  private let subscriptions = Mutex<[Subscription]>([])

  /// Surroundings for one engine or host.
  ///
  /// - Parameters:
  ///   - rate: frames a second of output and sounds, a multiple of 8000.
  ///   - voice: by default 60 ms for each character.
  public init(rate: Int = 8_000, voice: ScriptedSpeech = ScriptedSpeech()) {
    start = clock.now
    output = RecordingOutput(origin: start, rate: rate)
    self.voice = voice
    speech = SpeechLibrary(voice, converter: RepeatedSamples(), rate: rate, level: { _ in 1 })
    sounds = SoundPack(rate: rate)
  }

  /// An engine in these surroundings, without a timer: `advance` lets it check. Once for each bench: an output
  /// belongs to one engine.
  ///
  /// - Parameters:
  ///   - settings: everything but `checksByItself` is taken from here.
  ///   - events: called for each event, after it has been added to `events`.
  ///   - keep: as in `CueEngine`.
  public func makeEngine(
    settings: CueEngine.Settings = CueEngine.Settings(),
    events: @escaping @Sendable (EngineEvent) -> Void = { _ in },
    keep: (@Sendable (LaneID, SessionRecord) -> Void)? = nil
  ) -> CueEngine {
    var settings = settings
    settings.checksByItself = false
    settings.waitsForWords = false
    return CueEngine(
      output: output, sounds: sounds, speech: speech, settings: settings,
      clock: { [clock] in clock.now }, sleepClock: { .zero },
      ledger: { [weak self] event in self?.lines.withLock { $0.append(event) } },
      events: { [weak self] event in
        self?.reported.withLock { $0.append(event) }
        events(event)
      }, keep: keep)
  }

  /// A host in these surroundings, in place of an engine: `advance` lets it check.
  ///
  /// - Parameters:
  ///   - repository: where its sessions are stored; nil: nowhere.
  ///   - settings: everything but `checksByItself` is taken from here.
  ///   - ledger: a file for its ledger, which is in `ledger` too.
  public func makeHost(
    repository: SessionRepository? = nil, settings: CueEngine.Settings = CueEngine.Settings(),
    ledger: LedgerFile? = nil
  ) -> CoachHost {
    var configuration = CoachHost.Configuration(output: output, sounds: sounds, speech: speech)
    configuration.settings = settings
    configuration.settings.checksByItself = false
    configuration.settings.waitsForWords = false
    configuration.repository = repository
    configuration.ledger = ledger
    configuration.observeLedger = { [weak self] event in self?.lines.withLock { $0.append(event) } }
    configuration.clock = { [clock] in clock.now }
    configuration.sleepClock = { .zero }
    let host = CoachHost(configuration)
    let subscription = host.subscribe { [weak self] event in
      if case .engine(let event) = event { self?.reported.withLock { $0.append(event) } }
    }
    subscriptions.withLock { $0.append(subscription) }
    return host
  }

  /// Lets time pass, with a check each half second. Words are rendered in no time. Blocks until that is done.
  /// Not from the closures given to an engine.
  public func advance(_ engine: CueEngine, by duration: Duration) {
    advance(by: duration, wait: { _ = engine.statuses() }, check: engine.checkNow)
  }

  /// The same with a host.
  public func advance(_ host: CoachHost, by duration: Duration) {
    advance(by: duration, wait: { _ = host.statuses() }, check: host.checkNow)
  }

  private func advance(by duration: Duration, wait: () -> Void, check: () -> Void) {
    settle(wait)
    let end = clock.now + duration
    while clock.now < end {
      let next = min(end, clock.now + CueEngine.Settings().checkInterval)
      output.advance(to: next)
      clock.advance(to: next)
      check()
      settle(wait)
    }
  }

  /// Waits until what was sent has been handled and all words have been rendered.
  private func settle(_ wait: () -> Void) {
    // Words that have been rendered may turn out to need others.
    for _ in 0..<Self.maxTries {
      wait()
      speech.finishAllRendering()
    }
    wait()
  }

  /// As often as an engine tries.
  private static let maxTries = 4

  /// The ledger so far.
  public var ledger: [LedgerEvent] { lines.withLock { $0 } }

  /// The cues of the ledger so far, in the order in which they became known.
  public var cues: [LedgerEvent.CueEntry] {
    ledger.compactMap { if case .cue(let cue) = $0 { cue } else { nil } }
  }

  /// What the engine has reported so far.
  public var events: [EngineEvent] { reported.withLock { $0 } }
}
