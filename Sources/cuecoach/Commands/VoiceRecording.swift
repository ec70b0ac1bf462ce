import ArgumentParser
import CueEngine
import CueSound
import Glibc
import InstalledFiles
import IntervalTimeline
import Presets
import RecordedSpeech
import SoundFiles
import SystemIO

/// The options of `cuecoach voices` by which a person's voice is recorded.
struct RecordingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Print what to record for a voice in this language, as CSV: of all presets, or of those named.",
      valueName: "language"))
  var script: String?
  @Option(
    help: ArgumentHelp(
      "Report what is wrong with the takes, or with the pack, in this folder.", valueName: "folder"),
    completion: .directory)
  var check: String?
  @Option(
    help: ArgumentHelp(
      "Trim and level the takes in this folder, named as in its script.csv or 001.wav, 002.wav, … in that order.",
      valueName: "folder"), completion: .directory)
  var `import`: String?
  @Option(help: "The pack to which takes are added, in ~/.config/cuecoach/voices.")
  var pack: String?
  @Option(help: "Whose voice a new pack is.") var who: String?
  @Option(help: "Its licence.") var licence: String?
  @Flag(help: "Replace recordings that the pack has.") var force = false

  func validate() throws {
    if self.import != nil {
      guard let pack else { throw ValidationError("--import needs --pack") }
      guard !pack.isEmpty, !pack.hasPrefix("."), !pack.contains(where: { "/:".contains($0) }) else {
        throw ValidationError(
          "--pack \(pack.singleLine): expected a name without a \"/\" and a \":\"")
      }
    } else if pack != nil || who != nil || licence != nil || force {
      throw ValidationError("--pack, --who, --licence and --force go with --import")
    }
  }
}

extension VoicesCommand {
  // MARK: What to record

  func printScript(in language: String, _ installed: Installation) throws {
    var style = try speech.style()
    style.language = language
    guard
      let library = SpeechEngine.library(
        installed.configuration, isHeard: false, warn: { Console.complain($0) })
    else { throw ExitCode(1) }
    var uses: [String: Int] = [:]
    for name in names.isEmpty ? installed.presets.all().map(\.name) : names {
      let lanes = try LaneArgument.parse([name], style, installed)
      let people = try RehearsedPeople(lanes, installed, warn: { _ in })
      for cue in people.heard(library).cues.values.joined() where !cue.isSound {
        for part in cue.parts { uses[part.text, default: 0] += 1 }
      }
    }
    Console.write(VoiceScript(uses).csv)
  }

  // MARK: Takes

  /// A sound file of a folder with takes or of a pack.
  private struct FoundTake {
    let folder: String
    /// Within the folder.
    let path: String
    /// Its path in a pack, without an ending; nil for a take that has no place there.
    let name: String?

    var file: String { "\(folder)/\(path)" }
    var isNumber: Bool { name?.hasPrefix("\(RecordingName.numbers)/") == true }
  }

  /// Takes in the folders of a pack, and those that have the numbers of the script's lines.
  private func takes(in folder: String) throws -> [FoundTake] {
    guard InstalledFolders.isFolder(folder) else {
      throw UserError.usage("there is no folder \(folder.singleLine), expected one with recordings")
    }
    let named = RecordingName.folders.flatMap { part in
      Folder.names(in: "\(folder)/\(part)").filter(isSound).sorted().map { "\(part)/\($0)" }
    }
    var takes = named.map {
      FoundTake(folder: folder, path: $0, name: RecordingName.withoutEnding($0))
    }
    let numbered = Folder.names(in: folder).filter(isSound).sorted()
    guard !numbered.isEmpty else { return takes }
    var lines: [String] = []
    let script = "\(folder)/\(Self.scriptName)"
    if access(script, F_OK) == 0 {
      do throws(FileError) {
        lines = try VoiceScript.paths(ofFile: script)
      } catch {
        throw UserError.file(error.description)
      }
    }
    for file in numbered {
      let line = (Int(RecordingName.withoutEnding(file)) ?? 0) - 1
      let name = lines.indices.contains(line) ? RecordingName.withoutEnding(lines[line]) : nil
      takes.append(FoundTake(folder: folder, path: file, name: name))
    }
    return takes
  }

  private static let scriptName = "script.csv"

  private func isSound(_ file: String) -> Bool { SoundFormat(path: file) != nil }

  func checkTakes(in folder: String) throws {
    let takes = try takes(in: folder)
    var faults = 0
    func complain(_ place: String, _ fault: String) {
      faults += 1
      Console.complain(.file("\(place.singleLine): \(fault.singleLine)"))
    }
    var manifest: VoiceManifest?
    let file = "\(folder)/\(VoiceManifest.fileName)"
    // Takes have none yet.
    if access(file, F_OK) == 0 || access("\(folder)/\(Self.scriptName)", F_OK) != 0 {
      do throws(FileError) {
        manifest = try VoiceManifest.read(path: file)
      } catch {
        faults += 1
        Console.complain(.file(error.description))
      }
    }
    for take in takes {
      guard let name = take.name else {
        complain(take.file, Self.nameless)
        continue
      }
      do throws(SoundFileError) {
        if manifest != nil {
          try VoicePack.check(take.path, in: folder)
        }
        let clip = try SoundFile.read(take.file, atMost: VoicePack.maxLength)
        let known = manifest?.onsets[name] != nil
        for fault in Take(clip, isNumber: take.isNumber).faults {
          if known, case .onset = fault { continue }
          complain(take.file, fault.description)
        }
      } catch {
        complain(error.path, error.whatIsWrong)
      }
    }
    if takes.isEmpty {
      complain(folder, "no recordings, expected \(RecordingName.folders.joined(separator: ", "))")
    }
    Console.print(
      "\(folder.singleLine): \(WorkoutProfile.count(takes.count, "recording")), \(WorkoutProfile.count(faults, "fault"))"
    )
    if faults > 0 { throw ExitCode(1) }
  }

  private static let nameless =
    "no line of script.csv has this number, expected 001.wav for its first line, or a name such as numbers/3.wav"

  func importTakes(from folder: String) throws {
    let takes = try takes(in: folder)
    let manifest = try newManifest()
    guard let pack = recording.pack, let own = UserPaths.folders.ownVoices else {
      throw UserError.failed("there is no folder for voices: HOME is not set")
    }
    let target = "\(own)/\(pack)"
    let (from, to) = (realpath(folder, nil), realpath(target, nil))
    defer {
      free(from)
      free(to)
    }
    if let from, let to, strcmp(from, to) == 0 {
      throw UserError.usage("\(folder.singleLine) is the pack itself, expected a folder with takes")
    }
    var refused = 0
    var written = 0
    for take in takes {
      do throws(SoundFileError) {
        try add(take, to: target)
        written += 1
      } catch {
        refused += 1
        Console.complain(.file("\(error.path.singleLine): \(error.whatIsWrong.singleLine)"))
      }
    }
    if written > 0 { try write(manifest, in: target) }
    Console.print(
      "\(VoicePacks.engine):\(pack): \(WorkoutProfile.count(written, "recording")) in \(target)"
        .singleLine
        + (refused > 0 ? "; \(refused) refused" : ""))
    if refused > 0 || takes.isEmpty { throw ExitCode(1) }
  }

  private func add(_ take: FoundTake, to pack: String) throws(SoundFileError) {
    func refuse(_ why: String) -> SoundFileError { SoundFileError(path: take.file, detail: why) }
    guard let name = take.name else { throw refuse(Self.nameless) }
    let clip = try SoundFile.read(take.file, atMost: VoicePack.maxLength)
    let raw = Take(clip, isNumber: take.isNumber)
    var fault = raw.faults.first
    // What was before the word is cut off.
    if case .onset = fault { fault = nil }
    if let fault { throw refuse(fault.description) }
    let prepared = raw.prepared
    if let fault = Take(prepared.clip, isNumber: take.isNumber).faults.first {
      throw refuse(fault.description)
    }
    let path = "\(pack)/\(name).wav"
    let folder = Folder.of(path)
    let other = Folder.names(in: folder).first {
      isSound($0) && "\(folder)/\(RecordingName.withoutEnding($0))" == "\(pack)/\(name)"
    }
    if !recording.force, let other {
      throw refuse("\(folder)/\(other) is there, expected --force to replace it")
    }
    AtomicFile.makeFolders(for: path, mode: 0o777)
    // A link is replaced, not the file that it leads to.
    var info = stat()
    if lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFLNK { unlink(path) }
    let writer = try SoundFileWriter(path, as: .wav, rate: prepared.clip.rate)
    // The samples are a pointer into the clip.
    defer { withExtendedLifetime(prepared.clip) {} }
    if let start = prepared.clip.memory.baseAddress {
      try writer.write(start, count: prepared.clip.count)
    }
    try writer.finish()
    if let cut = prepared.cut {
      Console.complain(
        "\(take.file.singleLine): what was \(cut.wholeMilliseconds) ms before the word is cut off")
    }
  }

  /// What is written where a pack has no manifest yet.
  private func newManifest() throws(UserError) -> String {
    let manifest = VoiceManifest(
      language: speech.language ?? Catalogues.defaultLanguage,
      who: recording.who ?? recording.pack ?? "",
      licence: recording.licence ?? "all rights reserved")
    do throws(FileError) {
      _ = try VoiceManifest.parse(Array(manifest.yaml.utf8), file: VoiceManifest.fileName)
    } catch {
      throw .usage("--language, --who or --licence: \(error.problem), expected \(error.expected)")
    }
    return manifest.yaml
  }

  private func write(_ manifest: String, in pack: String) throws {
    let path = "\(pack)/\(VoiceManifest.fileName)"
    if access(path, F_OK) != 0 { try TextOutput(path).write(manifest) }
  }
}

extension LedgerEvent.CueEntry {
  fileprivate var isSound: Bool { TextTally.sounds.contains(kind) }
}

extension SoundFileError {
  /// With what was expected.
  fileprivate var whatIsWrong: String {
    guard !detail.contains("expected") else { return detail }
    let detail = detail.hasSuffix(".") ? String(detail.dropLast()) : detail
    return "\(detail), expected a WAV, FLAC, Ogg or Opus file"
  }
}
