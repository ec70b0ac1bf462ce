// Rests that last until the heart has calmed down, but at least 2 s and at most 6 s: the program watches a
// sensor, and a signal ends the rest. Here the sensor is simulated; in the third rest the heart stays fast.
// Prints the ledger.
//
//   swift run HeartRateRest          or another device: swift run HeartRateRest plughw:CARD=Headphones
import ALSAOutput
import CueEngine
import EspeakSpeech
import IntervalTimeline
import SoundFiles

let effort = Phase(.work, .fixed(.seconds(4)))
let rest = Phase(
  .rest,
  .open(.signal("heart-rate-low"), OpenBounds(atLeast: .seconds(2), atMost: .seconds(6))))
let workout = Workout(
  name: "Intervals", blocks: [Block(sets: 3, steps: [.init(effort), .init(rest)])])

/// Beats a minute: what a chest strap would report.
func heartRate(_ status: LaneStatus) -> Double {
  let calming = [0, 40, 20, 5][status.set ?? 0]
  return status.kind == .rest ? 160 - Double(calming) * (status.phaseElapsed / .seconds(1)) : 160
}

let words = SpeechLibrary(EspeakSynthesizer(), converter: SampleRateLibrary())
let engine = CueEngine(
  output: ALSAOutput(device: CommandLine.arguments.dropFirst().first ?? "default"),
  sounds: SoundPack(), speech: words, ledger: { print($0.line) })
let lane = try engine.addLane("runner", timeline: Timeline(workout))
engine.send(.start, to: lane)
var calm: Int?
while let status = engine.status(of: lane) {
  // A signal before the shortest length is remembered: one is enough for each rest. One in a pause is not.
  if status.kind == .rest, status.phase != calm, heartRate(status) < 120,
    await engine.signal("heart-rate-low", to: lane) == .done
  {
    calm = status.phase
  }
  try await Task.sleep(for: .milliseconds(50))
}
engine.shutDown()
