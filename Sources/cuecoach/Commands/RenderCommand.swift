import ArgumentParser
import CoachHost
import CueEngine
import ForeignWorkouts
import InstalledFiles
import IntervalTimeline
import SoundFiles
import Synchronization

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Write the sound of a whole workout to a file.",
    discussion: """
      Uses the timeline and the mixer of a run, but faster than real time. Writes 48 kHz, 16 bit, \
      mono: WAV, or by the ending of the name FLAC (.flac), Ogg Vorbis (.ogg) or Opus (.opus). No key \
      ends an open phase: it lasts at-most; without that 5 s, or at-least where that is longer.

      Examples:
        cuecoach render tabata --output tabata.opus
        cuecoach render tabata --output tabata.flac --split --cue-sheet tabata.cue
      """)

  @Argument(help: "The path or name of the preset.", completion: Completions.presets)
  var preset: String
  @Option(
    help:
      "The file to write: .wav, .flac, .ogg or .opus; an existing file of its kind is replaced.",
    completion: .file(extensions: SoundFormat.allCases.flatMap(\.endings)))
  var output: String
  @Flag(help: "Write a file for each set: tabata-01.flac, tabata-02.flac and so on.")
  var split = false
  @Flag(help: "Replace files of another kind, too; with --split: replace existing files.")
  var force = false
  @Option(
    help: "Write the phases to this file, as chapters for players.",
    completion: .file(extensions: ["cue"]))
  var cueSheet: String?
  @Option(
    help: "Play this sound file under the cues, again and again; 10 dB lower around each of them.",
    completion: .file())
  var music: String?
  @Option(
    help:
      "Write when each cue is heard to this file, from the start of the workout; - for standard output."
  )
  var ledger: String?
  @OptionGroup var sensors: ReadingsOptions
  @OptionGroup var variant: VariantOptions
  @OptionGroup var speech: SpeechOptions

  func run() throws {
    let warn = { (message: String) in context.complain(message) }
    let readings = try sensors.readings(of: 1, warn: warn).first
    let format = try RenderedFiles.format(of: output)
    let installed = try context.installation(asksPrograms: true)
    let workout = try installed.prepared(
      preset, speech.style(), variant: variant.variant(), warn: warn)
    let (requested, timeline) = (workout.requested, workout.timeline)
    sensors.unused(readings.map { [$0] } ?? [], in: [timeline]).forEach(warn)
    let files = OutputFiles(
      inputs: [requested.path] + sensors.with + [music].compactMap { $0 },
      sounds: [requested.order.style.sounds, timeline.workout.style.sounds])
    let signals = files.signals()
    defer { withExtendedLifetime((files, signals)) {} }
    let parts = WorkoutPart.all(of: timeline, workout.style.phrases)
    let pieces =
      split
      ? try RenderedFiles.pieces(parts, of: timeline.workout, output, replaces: force)
      : [.init(path: output, tags: .init(title: timeline.workout.name), phase: 0)]
    if let cueSheet {
      guard min(timeline.count, parts.count) <= CueSheet.maxCount else {
        throw UserError.usage(
          "--cue-sheet: \(parts.count) sets, expected at most \(CueSheet.maxCount)")
      }
      try files.claim(cueSheet, for: "--cue-sheet", as: .cueSheet, force: force)
    }
    if !split { try files.claim(output, for: "--output", as: .sound(format), force: force) }
    if format == .wav, let line = WrittenKind.unsaidWAV(output, for: "--output") { warn(line) }
    if let ledger {
      try files.claim(ledger, for: "--ledger", as: .ledger, force: force, takesOutput: true)
    }
    let isTorn = Mutex(false)
    let ledger = try ledger.map { path throws(UserError) in
      try LedgerFile.forOption(path, waits: true) { [context] message in
        isTorn.withLock { $0 = true }
        context.complain(message)
      }
    }
    defer { ledger?.close() }
    let library = SpeechEngine.library(installed.configuration, warn: warn)
    defer { library?.saveCache() }
    let marks = PhaseMarks()
    let offline = OfflineRun(
      [
        PlannedRun.Entrant(
          NameRule.workout.fitted(timeline.workout.name), timeline, style: workout.style)
      ], script: readings?.script() ?? [], sounds: workout.sounds, speech: library, sink: .mixer)
    func nextSound() -> OfflineRun.Piece? {
      let piece = offline.nextSound()
      for event in offline.takeLedger() {
        marks.note(event)
        ledger?.write(event)
      }
      return piece
    }
    do {
      let target = RenderedFiles(
        pieces, marks: marks, format: format,
        seconds: Int(timeline.fixedLength.components.seconds)
      ) { if split { try files.claim($0, for: "--output") } }
      if let music {
        try mix(nextSound, MusicFile(music, rate: SampleRate.standard), marks, target)
      } else {
        while let next = nextSound() {
          switch next {
          case .sound(let samples): try target.write(samples)
          case .silence(let count): try target.writeSilence(count: count)
          }
        }
      }
      try target.finish()
      if split, force {
        let removed = RenderedFiles.removeLeftOver(
          after: pieces.count, of: output, as: format, files)
        if !removed.isEmpty {
          context.complain(
            "removed, as tracks of a longer workout: \(removed.joined(separator: ", "))")
        }
      }
      if let cueSheet {
        let sheet = CueSheet(
          timeline, workout.style.phrases, parts: parts,
          pieces: pieces.map { (CueSheet.name(of: $0.path, from: cueSheet), $0.phase) },
          marks: marks)
        try TextOutput(cueSheet).write(sheet.text)
      }
    } catch let error as SoundFileError {
      files.removeEmpty()
      throw error.path == music
        ? UserError.usage("--music \(error.path.singleLine): \(error.detail.singleLine)")
        : UserError.failed(
          "\(error.path.singleLine) cannot be written: \(error.detail.singleLine)")
    }
    if isTorn.withLock({ $0 }) { throw ExitCode(1) }
  }

  /// Mixes the cues with the music while they are made.
  private func mix(
    _ nextSound: () -> OfflineRun.Piece?, _ music: MusicFile, _ marks: PhaseMarks,
    _ target: RenderedFiles
  ) throws {
    let mix = MusicMix(music, rate: SampleRate.standard)
    target.channels = mix.channels
    while let next = nextSound() {
      mix.fadesFrom = marks.finish
      switch next {
      case .sound(let samples): try mix.mix(samples) { try target.write($0) }
      case .silence(let count): try mix.mixSilence(count) { try target.write($0) }
      }
    }
    mix.fadesFrom = marks.finish
    try mix.finish { try target.write($0) }
  }
}
