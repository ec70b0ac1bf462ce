import ArgumentParser
import CoachHost
import CueEngine
import CueSound
import InstalledFiles
import IntervalTimeline
import SoundFiles
import Synchronization

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Write the sound of a whole workout to a WAV file.",
    discussion: """
      Uses the timeline and the mixer of a run, but faster than real time. Writes 48 kHz, 16 bit,
      mono. No key ends an open phase: it lasts at-most; without that 5 s, or at-least where that is
      longer.

      Example:
        cuecoach render tabata --output tabata.wav
      """)

  @Argument(help: "The path or name of the preset.", completion: Completions.presets)
  var preset: String
  @Option(help: "The file to write; an existing file is replaced.") var output: String
  @Option(
    help:
      "Write when each cue is heard to this file, from the start of the workout; - for standard output."
  )
  var ledger: String?
  @OptionGroup var speech: SpeechOptions

  func run() throws {
    let warn = { (message: String) in Console.complain(message) }
    let workout = try ThisUser.installation().prepared(preset, speech.style(), warn: warn)
    let (requested, timeline) = (workout.requested, workout.timeline)
    let files = OutputFiles(
      inputs: [requested.path],
      sounds: [requested.request.style.sounds, timeline.workout.style.sounds])
    defer { withExtendedLifetime(files) {} }
    try files.claim(output, for: "--output")
    if let ledger { try files.claim(ledger, for: "--ledger", takesOutput: true) }
    let isTorn = Mutex(false)
    let ledger = try ledger.map { path throws(UserError) in
      try LedgerFile.forOption(path, waits: true) { message in
        isTorn.withLock { $0 = true }
        Console.complain(message)
      }
    }
    defer { ledger?.close() }
    let library = Speech.library(warn: warn)
    defer { library?.saveCache() }
    var offline = OfflineRun(
      timeline, sounds: workout.sounds, speech: library, style: workout.style,
      ledger: { ledger?.write($0) })
    do throws(SoundFileError) {
      let writer = try WAVWriter(
        output, rate: SampleRate.standard, seconds: Int(timeline.fixedLength.components.seconds))
      // Some seconds at a time, because each write also updates the file's header.
      var sound: [Int16] = []
      sound.reserveCapacity(Self.piece)
      func flush() throws(SoundFileError) {
        try writer.write(sound, count: sound.count)
        sound.removeAll(keepingCapacity: true)
      }
      while let next = offline.next() {
        switch next {
        case .sound(let samples):
          if sound.count + samples.count > Self.piece { try flush() }
          sound += samples
        case .silence(let count):
          try flush()
          try writer.writeSilence(count: count)
        }
      }
      try flush()
    } catch {
      throw UserError.failed(
        "\(error.path.singleLine) cannot be written: \(error.detail.singleLine)")
    }
    if isTorn.withLock({ $0 }) { throw ExitCode(1) }
  }

  /// The number of samples per write: half a mebibyte.
  private static let piece = 1 << 18
}
