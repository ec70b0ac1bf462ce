// The cost of the pure targets and the engine within one process: medians of several runs.
// Benchmarks/process-bench measures the whole process.

import CueEngine
import CueSound
import Glibc
import IntervalTimeline

/// A voice that answers at once, so that the engine is measured rather than a synthesizer.
struct BenchSpeech: SpeechSynthesizer {
  func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    PCMClip(rate: 48_000, samples: Array(repeating: 8_000, count: 48 * 60 * text.count))
  }
}

func median(_ runs: Int, _ body: () -> Void) -> Duration {
  let clock = ContinuousClock()
  return (0..<runs).map { _ in clock.measure(body) }.sorted()[runs / 2]
}

func microseconds(_ duration: Duration) -> String {
  let value = duration / .microseconds(1)
  return value < 10 ? "\((value * 100).rounded() / 100) µs" : "\(Int(value.rounded())) µs"
}

func sets(_ count: Int, seconds: Int = 30) -> Workout {
  Workout(
    name: "Bench",
    blocks: [
      Block(
        sets: count,
        steps: [
          .init(Phase(.low, .fixed(.seconds(seconds)))),
          .init(Phase(.high, .fixed(.seconds(seconds)))),
        ])
    ])
}

func timeline(_ workout: Workout) -> Timeline {
  do { return try Timeline(workout) } catch { preconditionFailure("bench workout: \(error)") }
}

if CommandLine.arguments.dropFirst() == ["poll"] {
  PollBench.run()
  exit(0)
}

// Compiling.
let large = sets(5_000, seconds: 8)
print("compile a workout of 10 000 phases: \(microseconds(median(15) { _ = timeline(large) }))")

// A check of the session alone, then of the engine's whole check with many lanes.
let peakRush = timeline(sets(12))
let checks = 1_440
let perRun = median(15) {
  var session = Session(peakRush)
  _ = session.handle(.start, at: BootInstant(nanoseconds: 0))
  for check in 1...checks {
    _ = session.check(at: BootInstant(nanoseconds: Int64(check) * 500_000_000))
  }
}
print("a check of one session, mean over PeakRush 12 x 30/30: \(microseconds(perRun / checks))")

func checks(_ timeline: Timeline, lanes: Int, speech: SpeechLibrary?) -> String {
  var bench = CheckBench(timeline, lanes: lanes, speech: speech)
  let costs = (0..<120).map { _ in bench.check() }.sorted()
  return "median of 120 \(microseconds(costs[60])), worst \(microseconds(costs[119]))"
}

for lanes in [1, CueEngine.maxLanes] {
  print("a check with \(lanes) lanes of PeakRush: \(checks(peakRush, lanes: lanes, speech: nil))")
}
// Of many lanes, ten have something due at every check; the others are in a phase of two hours.
let eventful = timeline(sets(500, seconds: 1))
let quiet = timeline(sets(1, seconds: 7_200))
for lanes in [10, CueEngine.maxLanes - 1] {
  var bench = CheckBench(
    (0..<lanes).map { $0 < 10 ? eventful : quiet }, apart: .zero, speech: nil)
  for _ in 0..<4 { _ = bench.check() }
  let costs = (0..<120).map { _ in bench.check() }.sorted()
  let guests = (0..<120).map { _ in bench.comeAndGo(quiet) }.sorted()
  print(
    "a check with \(lanes) lanes of which ten have something due: median of 120 "
      + "\(microseconds(costs[60])), worst \(microseconds(costs[119])); "
      + "adding a lane and removing it: \(microseconds(guests[60]))")
}
// Phases of a second have something due, and something to say, at every check.
let speech = SpeechLibrary(BenchSpeech(), converter: nil, level: { _ in 1 })
let busy = timeline(sets(500, seconds: 1))
print("a check that always hands off, with speech: \(checks(busy, lanes: 1, speech: speech))")

// Rendering an hour of sound without writing it.
let hour = timeline(sets(60))
let rendering = median(3) {
  let run = OfflineRun(
    hour, sounds: SoundPack(),
    speech: SpeechLibrary(BenchSpeech(), converter: nil, level: { _ in 1 }), sink: .mixer)
  while run.nextSound() != nil {}
}
print("render an hour of sound into memory: \(Int(Duration.seconds(3600) / rendering)) x real time")

// A whole engine: what a lane costs, how many commands it handles, what a subscriber costs.
func text(_ count: Int) -> String { count < 10_000 ? "\(count)" : "\(count / 1_000) 000" }
// What the first engine of a process leaves behind is no lane's.
_ = EngineBench.memory(sets(12), lanes: 1, isShared: true)
for lanes in [1, CueEngine.maxLanes] {
  let shared = EngineBench.memory(sets(12), lanes: lanes, isShared: true)
  let own = EngineBench.memory(sets(12), lanes: lanes, isShared: false)
  print(
    "memory of a lane of PeakRush, of \(lanes): \(shared) bytes; "
      + "with a timeline of its own \(own) bytes")
}
for lanes in [1, CueEngine.maxLanes] {
  let bench = EngineBench(peakRush, lanes: lanes)
  let commands = (0..<5).map { _ in bench.commandsPerSecond(threads: 8, each: 500) }.sorted()
  print("commands a second from 8 threads, \(lanes) lanes: \(text(commands[2]))")
  bench.engine.shutDown()
}
do {
  let bench = EngineBench(peakRush, lanes: 1)
  func event(_ subscribers: Int) -> Duration {
    (0..<9).map { _ in bench.event(subscribers: subscribers, of: 1_000) }.sorted()[4]
  }
  let (none, one, hundred) = (event(0), event(1), event(100))
  print(
    "an event without a subscriber: \(microseconds(none)); with one that reads: "
      + "\(microseconds(one)); for each of 100: \(microseconds((hundred - none) / 100))")
  bench.engine.shutDown()
}

// The rule of targets: a minute of 100 lanes with four readings a second each, as a part of one core.
let coaching = median(9) {
  var coaches: [TargetCoach] = []
  for _ in 0..<100 {
    var coach = TargetCoach(alarmLimit: 190)
    coach.begin(CoachedPhase(Target(.watts, 190...210), length: .seconds(600)), at: .boot)
    coaches.append(coach)
  }
  for quarter in 1...240 {
    let now = BootInstant.boot + .milliseconds(250 * quarter)
    for lane in coaches.indices {
      let watts = Double(170 + (quarter * 7 + lane * 13) % 60)
      if let reading = Reading(.watts, watts) { coaches[lane].take(reading, at: now) }
      guard quarter.isMultiple(of: 2) else { continue }
      if let text = coaches[lane].check(at: now) { coaches[lane].said(text, at: now) }
      _ = coaches[lane].live(at: now)
    }
  }
}
let part = (coaching / .seconds(60) * 10_000).rounded() / 100
print("coach 100 lanes with four readings a second: \(part) % of a core")
