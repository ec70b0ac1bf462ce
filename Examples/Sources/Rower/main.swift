// A rowing computer: its strokes end the pieces, and each piece says the pace as it is when it is heard. The
// strokes are simulated: each moves the boat by 10 m, and a piece is 100 m long. Prints the ledger.
//
//   swift run Rower                  or another device: swift run Rower plughw:CARD=Headphones
import ALSAOutput
import CueEngine
import EspeakSpeech
import IntervalTimeline
import SoundFiles

let pace = Remark([try Template("{pace}", values: ["pace"])], at: .fromStart(.seconds(4)))
let piece = Phase(
  .work, .open(.signal("piece-rowed")), name: "Row 100 metres", remarks: [pace])
let rest = Phase(.rest, .fixed(.seconds(4)))
let workout = Workout(
  name: "2 × 100 m", blocks: [Block(sets: 2, steps: [.init(piece), .init(rest)])])

let words = SpeechLibrary(EspeakSynthesizer(), converter: SampleRateLibrary())
let engine = CueEngine(
  output: ALSAOutput(device: CommandLine.arguments.dropFirst().first ?? "default"),
  sounds: SoundPack(), speech: words, ledger: { print($0.line) })
let lane = try engine.addLane("rower", timeline: Timeline(workout))
engine.send(.start, to: lane)
var metres = 0
while let status = engine.status(of: lane) {
  if status.kind == .work, status.state == .running {
    // A stroke. The second piece is faster: 500 m in 2:03.
    metres += 10
    let pace = LiveValue(
      .duration(.seconds(127 - 2 * (status.set ?? 0))), validUntil: BootClock.now() + .seconds(9))
    engine.setValue("pace", to: pace, in: lane)
    if metres % 100 == 0 { engine.signal("piece-rowed", to: lane) }
  }
  try await Task.sleep(for: .milliseconds(900))
}
engine.shutDown()
