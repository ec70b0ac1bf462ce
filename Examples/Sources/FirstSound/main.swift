// The first sound: a short workout, aloud on the default ALSA device, with its ledger on standard output.
//
//   swift run FirstSound             or another device: swift run FirstSound plughw:CARD=Headphones
import ALSAOutput
import CueEngine
import EspeakSpeech
import IntervalTimeline
import SoundFiles

let row = Block.Step(Phase(.work, .fixed(.seconds(5))))
let rest = Block.Step(Phase(.rest, .fixed(.seconds(6))))
let workout = Workout(name: "Rows", blocks: [Block(sets: 2, steps: [row, rest])])
let words = SpeechLibrary(EspeakSynthesizer(), converter: SampleRateLibrary())
let engine = CueEngine(
  output: ALSAOutput(device: CommandLine.arguments.dropFirst().first ?? "default"),
  sounds: SoundPack(), speech: words, ledger: { print($0.line) })
let lane = try engine.addLane("rower", timeline: Timeline(workout))
engine.send(.start, to: lane)
while engine.status(of: lane) != nil { try await Task.sleep(for: .milliseconds(100)) }
engine.shutDown()
