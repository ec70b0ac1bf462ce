import ArgumentParser
import CueEngine
import CueSound
import FoundationEssentials
import IntervalTimeline
import SoundFiles
import Synchronization

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Write a whole workout's sound to a WAV file.",
    discussion: """
      The same timeline and mixer as a run, faster than real time: 48 kHz, 16 bit, mono. An open
      phase lasts 5 s, since nobody is there to say next.

      Example:
        cuecoach render tabata --output tabata.wav
      """)

  @Argument(help: "A preset's path or name.") var preset: String
  @Option(help: "The file to write; one that is there is replaced.") var output: String
  @Option(help: "Write what is heard and when to this file, times from the workout's start.")
  var ledger: String?
  @OptionGroup var speech: SpeechOptions

  func run() throws {
    let timeline = try PresetLibrary.load(preset)
    let warn = { (message: String) in Console.complain(message) }
    let choice = try SpeechChoice(speech, OutputChoice.configuration())
    let workout = timeline.workout
    if let ledger, Self.isOneFile(ledger, output) {
      throw UserError.usage("--output and --ledger are the same file: expected two")
    }
    let isTorn = Mutex(false)
    let ledger = try ledger.map { path throws(UserError) in
      try LedgerFile(path) { message in
        isTorn.withLock { $0 = true }
        Console.complain(message)
      }
    }
    defer { ledger?.close() }
    var offline = OfflineRun(
      timeline, sounds: try choice.sounds(of: workout, warn: warn),
      speech: Speech.library(warn: warn), manner: try choice.manner(of: workout, warn: warn),
      ledger: { ledger?.write($0) })
    do throws(SoundFileError) {
      let writer = try WAVWriter(
        output, rate: Sounds.rate, seconds: Int(timeline.fixedLength.components.seconds))
      while let sound = offline.next() {
        try writer.write(sound.baseAddress!, count: sound.count)
      }
    } catch {
      throw UserError.failed(
        "\(error.path.singleLine) cannot be written: \(error.detail.singleLine)")
    }
    if isTorn.withLock({ $0 }) { throw ExitCode(1) }
  }

  private static func isOneFile(_ first: String, _ second: String) -> Bool {
    func place(_ path: String) -> String {
      URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
    return place(first) == place(second)
  }
}
