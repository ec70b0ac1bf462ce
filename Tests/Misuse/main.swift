// Does one thing that no program should do with the libraries, by its name: a test reads how it ends.

import ALSAOutput
import CoachHost
import CueEngine
import CueSound
import CueTesting
import Dispatch
import Foundation
import IntervalTimeline
import Synchronization

/// An engine that its own closures can find.
final class Holder: Sendable {
  /// Protects the engine.
  private let held = Mutex<CueEngine?>(nil)
  var engine: CueEngine? { held.withLock { $0 } }
  func hold(_ engine: CueEngine) { held.withLock { $0 = engine } }
}

struct Words: SpeechSynthesizer {
  func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    PCMClip(rate: 8_000, samples: [1])
  }
}

final class LateOutput: SoundOutput {
  let latency: Duration
  init(latency: Duration) { self.latency = latency }
  func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {}
  func setActivity(_ activity: OutputActivity) {}
  func wake() {}
  func stop() {}
}

func output(rate: Int = SampleRate.standard) -> RecordingOutput {
  RecordingOutput(origin: BootClock.now(), rate: rate)
}

func engine(
  _ output: any SoundOutput, sounds: SoundPack = SoundPack(), speech: SpeechLibrary? = nil,
  change: (inout CueEngine.Settings) -> Void = { _ in }
) -> CueEngine {
  var settings = CueEngine.Settings()
  change(&settings)
  return CueEngine(output: output, sounds: sounds, speech: speech, settings: settings)
}

func timeline() throws -> Timeline {
  let step = Block.Step(Phase(.work, .fixed(.seconds(60))))
  return try Timeline(Workout(name: "Misuse", blocks: [Block(sets: 1, steps: [step])]))
}

/// Plans a run with other settings.
func plan(_ change: (inout CueEngine.Settings) -> Void) throws {
  var settings = CueEngine.Settings()
  change(&settings)
  _ = PlannedRun(try timeline(), settings: settings)
}

/// Calls `method` from the closure that receives the engine's events.
func fromClosure(_ method: @escaping @Sendable (CueEngine, LaneID) -> Void) throws {
  let holder = Holder()
  let engine = CueEngine(
    output: output(), sounds: SoundPack(), speech: nil,
    events: { event in
      guard case .obeyed(_, let status) = event, let engine = holder.engine else { return }
      method(engine, status.id)
    })
  holder.hold(engine)
  let lane = try engine.addLane("anna", timeline: timeline())
  engine.send(.start, to: lane)
  _ = engine.statuses()
}

/// Calls `method` from a subscriber of a host whose sessions cannot be stored: the warning comes on the
/// store's queue.
func fromSubscriber(_ method: @escaping @Sendable (CoachHost) -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.path + "/misuse-\(UUID().uuidString)"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  var configuration = CoachHost.Configuration(output: output(), sounds: SoundPack(), speech: nil)
  configuration.repository = try SessionRepository(folder: folder, runtimeFolder: nil)
  let host = CoachHost(configuration)
  let subscription = host.subscribe { event in
    if case .warning = event { method(host) }
  }
  try FileManager.default.removeItem(atPath: folder)
  try Data().write(to: URL(fileURLWithPath: folder))
  let lane = try host.add(OpenedWorkout("anna", timeline()))
  host.begin([lane])
  _ = host.statuses()
  _ = host.flush()
  withExtendedLifetime(subscription) {}
}

let misuses: [String: () throws -> Void] = [
  "check-interval": { _ = engine(output()) { $0.checkInterval = .zero } },
  "voices": { _ = engine(output()) { $0.voices = 0 } },
  "countdown": { _ = engine(output()) { $0.plan.countdown = .max } },
  "start-lead": { _ = engine(output()) { $0.startLead = .seconds(-1) } },
  "link": { _ = MixerLink(voices: -1) },
  "message": { _ = Message([Template]()) },
  "pack-rate": { _ = SoundPack(rate: 0) },
  "clip-rate": {
    _ = SoundPack(replacing: [.count: PCMClip(rate: 44_100, samples: [1, 2, 3])])
  },
  "clip-without-rate": { _ = PCMClip(rate: 0, samples: []) },
  "output-rate": { _ = engine(output(rate: 44_100)) },
  "alsa-rate": {
    let engine = engine(ALSAOutput(device: nil, rate: 44_100))
    // The output's own thread finds out.
    engine.prepare()
    sleep(600)
  },
  "speech-rate": {
    let library = SpeechLibrary(Words(), converter: RepeatedSamples(), rate: 16_000)
    _ = engine(output(), speech: library)
  },
  "output-of-two": {
    let output = ALSAOutput(device: nil)
    let first = engine(output)
    let second = engine(output)
    _ = (first, second)
  },
  "recording-of-two": {
    let output = output()
    let first = engine(output)
    let second = engine(output)
    _ = (first, second)
  },
  "second-mixer": {
    let link = MixerLink()
    let first = Mixer(link: link)
    let second = Mixer(link: link)
    _ = (first.rate, second.rate)
  },
  "plan-interval": { try plan { $0.checkInterval = .seconds(-1) } },
  "plan-countdown": { try plan { $0.plan.countdown = 1000 } },
  "plan-speech": {
    let library = SpeechLibrary(Words(), converter: RepeatedSamples(), rate: 16_000)
    _ = PlannedRun(try timeline(), speech: library)
  },
  "plan-style": {
    var style = LaneStyle()
    style.voice.gain = 2
    _ = PlannedRun(try timeline(), style: style)
  },
  "script-time": {
    _ = PlannedRun(
      try timeline(), script: [.command(.pause, at: .seconds(-1))])
  },
  "clock-back": {
    let clock = ManualClock()
    clock.advance(to: clock.now + .seconds(-1))
  },
  "scripted-rate": {
    _ = RepeatedSamples().convert(PCMClip(rate: 8_000, samples: [1]), to: 44_100)
  },
  "script-say-time": {
    let step = ScriptStep(.say(Message("Now"), for: .seconds(-1)), at: .sinceStart(.zero))
    _ = PlannedRun(try timeline(), script: [step])
  },
  "map-rate": { _ = FrameMap(frame: 0, instant: .boot, rate: 0) },
  "map-no-rate": { _ = FrameMap(frame: 0, instant: .boot, rate: .nan) },
  "map-frame": { _ = FrameMap(frame: .max, instant: .boot, rate: 48_000) },
  "map-instant": { _ = FrameMap(frame: 0, instant: .never, rate: 48_000) },
  "mixer-late": { _ = Mixer(link: MixerLink(), late: .unlimited).rate },
  "mixer-fade": { _ = Mixer(link: MixerLink(), fade: .seconds(-1)).rate },
  "mixer-skip": {
    var mixer = Mixer(link: MixerLink())
    mixer.skip(to: .max)
  },
  "ring": { _ = Ring<Int16>.allocate(atLeast: .max) },
  "latency": { _ = engine(LateOutput(latency: .seconds(3600))) },
  "negative-latency": { _ = engine(LateOutput(latency: .seconds(-1))) },
  "clock": {
    let engine = CueEngine(
      output: output(), sounds: SoundPack(), speech: nil, clock: { BootInstant(nanoseconds: .max) })
    let lane = try engine.addLane("anna", timeline: timeline())
    engine.send(.start, to: lane)
  },
  "remark": { _ = Remark([Template](), at: .fromStart(.zero)) },
  "sample": { _ = PCMClip(rate: 8_000, samples: [1]).samples[1] },
  "status": { try fromClosure { _ = $0.status(of: $1) } },
  "statuses": { try fromClosure { engine, _ in _ = engine.statuses() } },
  "record": { try fromClosure { _ = $0.record(of: $1) } },
  "volume": { try fromClosure { engine, _ in _ = engine.volume } },
  "add-lane": {
    try fromClosure { engine, _ in _ = try? engine.addLane("ben", timeline: timeline()) }
  },
  "prepare": { try fromClosure { engine, _ in engine.prepare() } },
  "shut-down": { try fromClosure { engine, _ in engine.shutDown() } },
  "host-flush": { try fromSubscriber { _ = $0.flush() } },
  "host-shut-down": { try fromSubscriber { _ = $0.shutDown() } },
]

guard let name = CommandLine.arguments.dropFirst().first, let misuse = misuses[name] else {
  print(misuses.keys.sorted().joined(separator: "\n"))
  exit(2)
}
try misuse()
print("nothing happened")
