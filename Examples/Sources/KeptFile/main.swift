// Plays a workout file (.zwo, .erg, .mrc, .fit, or a preset) and keeps its session in a folder: killed and started
// again, it goes on where its timer is by then. The ledger is beside it.
//
//   swift run KeptFile ride.zwo kept          or another device: swift run KeptFile ride.zwo kept plughw:CARD=USB
import ALSAOutput
import CoachHost
import CueEngine
import EspeakSpeech
import ForeignWorkouts
import Glibc
import IntervalTimeline
import Presets
import SoundFiles

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first, let folder = arguments.dropFirst().first else {
  print("usage: KeptFile FILE FOLDER [DEVICE]")
  exit(2)
}
let file = try WorkoutFile.read(path: path)
let repository = try SessionRepository(folder: folder, runtimeFolder: nil)
var configuration = CoachHost.Configuration(
  output: ALSAOutput(device: arguments.dropFirst(2).first ?? "default"), sounds: SoundPack(),
  speech: SpeechLibrary(EspeakSynthesizer(), converter: SampleRateLibrary()))
configuration.repository = repository
configuration.ledger = try LedgerFile("\(folder)/ledger.jsonl", appends: true) { print($0) }
let host = CoachHost(configuration)

// What was interrupted under the name, or else the file.
let wanted = OpenedWorkout("rider", try Timeline(file.workout))
var resumption = Resumption(repository, .init()) { print("\($0.session.lane): \($0.kind)") }
let lane = try resumption.lane("rider", for: wanted) ?? wanted
for warning in resumption.endSessions() { print(warning) }
let rider = try host.add(lane)
host.prepare()
host.begin([rider])
for await status in host.statuses(of: rider) { print(status) }
guard host.shutDown() else {
  print("the session could not be stored")
  exit(1)
}
