// A class of twenty, each with a workout of their own, on one speaker: they begin 200 ms apart, every sound is
// heard, and no two announcements overlap; those without room are left out. Prints the ledger.
//
//   swift run ClassOfTwenty          or another device: swift run ClassOfTwenty plughw:CARD=Headphones
import ALSAOutput
import CueEngine
import EspeakSpeech
import IntervalTimeline
import SoundFiles

let names = [
  "Anna", "Ben", "Carla", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jan",
  "Karin", "Leo", "Mia", "Noah", "Olga", "Paul", "Rosa", "Sam", "Tina", "Uwe",
]
let words = SpeechLibrary(EspeakSynthesizer(), converter: SampleRateLibrary())
let engine = CueEngine(
  output: ALSAOutput(device: CommandLine.arguments.dropFirst().first ?? "default"),
  sounds: SoundPack(), speech: words, ledger: { print($0.line) })
let lanes = try names.enumerated().map { index, name in
  let effort = Block.Step(Phase(.work, .fixed(.milliseconds(4_000 + 100 * index))))
  let rest = Block.Step(Phase(.rest, .fixed(.seconds(2))))
  let workout = Workout(name: "Circuit", blocks: [Block(sets: 2, steps: [effort, rest])])
  // Only what counts: one speaker has no time for more.
  return try engine.addLane(
    name, timeline: Timeline(workout), style: LaneStyle(density: .counts))
}
engine.prepare()
let first = BootClock.now() + .milliseconds(500)
for (index, lane) in lanes.enumerated() {
  engine.start([lane], at: first + .milliseconds(200 * index))
}
while !engine.statuses().isEmpty { try await Task.sleep(for: .milliseconds(100)) }
engine.shutDown()
