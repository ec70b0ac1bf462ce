import ArgumentParser
import CueEngine
import CueSound
import Glibc
import InstalledFiles
import IntervalTimeline
import Presets
import RecordedSpeech
import SoundFiles
import Synchronization
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
      guard NameRule.voice.allows(pack), !pack.hasPrefix("."),
        !pack.contains(where: { "/:".contains($0) })
      else {
        throw ValidationError(
          "--pack \(pack.singleLine): expected a name on one line, of at most \(NameRule.voice.maximum) characters, "
            + "without a \"/\" and a \":\"")
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
    // Every wording that there may be room for is asked for, and measured.
    let asked = AskedTexts()
    guard
      let library = SpeechEngine.library(
        installed.configuration, isHeard: false, warn: { context.complain($0) }, asked: asked.add)
    else { throw ExitCode(1) }
    var uses: [String: Int] = [:]
    let presets = names.isEmpty ? installed.presets.all().map(\.name) : names
    try context.patiently("rehearsing \(WorkoutProfile.count(presets.count, "preset"))") {
      for name in presets {
        let lanes = try LaneArgument.parse([name], style, installed)
        let people = try RehearsedPeople(lanes, installed, warn: { _ in })
        for cue in people.heard(library).cues.values.joined() where !cue.isSound {
          for part in cue.parts { uses[part.text, default: 0] += 1 }
        }
      }
    }
    // They are said by a voice that is slower or faster than the usual one.
    for text in asked.all where !text.isEmpty { uses[text, default: 0] += 0 }
    context.write(VoiceScript(uses).csv)
  }

  private final class AskedTexts: Sendable {
    private let texts = Mutex<Set<String>>([])
    var all: Set<String> { texts.withLock { $0 } }

    @Sendable func add(_ text: String) { texts.withLock { _ = $0.insert(text) } }
  }

  // MARK: Takes

  private func takes(in folder: String) throws -> TakeFolder {
    guard InstalledFolders.isFolder(folder) else {
      throw UserError.usage("there is no folder \(folder.singleLine), expected one with recordings")
    }
    do throws(FileError) {
      return try TakeFolder(folder)
    } catch {
      throw UserError.file(error.description)
    }
  }

  func checkTakes(in folder: String) throws {
    let takes = try takes(in: folder)
    let faults = takes.faults()
    for fault in faults { context.complain(.file(fault.singleLine)) }
    context.print(
      "\(folder.singleLine): \(WorkoutProfile.count(takes.count, "recording")), "
        + WorkoutProfile.count(faults.count, "fault"))
    if !faults.isEmpty { throw ExitCode(1) }
  }

  func importTakes(from folder: String) throws {
    let takes = try takes(in: folder)
    let manifest = try newManifest(folder)
    guard let pack = recording.pack, let own = context.folders.ownVoices else {
      throw UserError.failed("there is no folder for voices: HOME is not set")
    }
    let target = "\(own)/\(pack)"
    // A new one of that name would hide it.
    if access(target, F_OK) != 0, let other = try? context.voicePacks.pack(named: pack) {
      throw UserError.usage(
        "--pack \(pack): \(other.path) has that name, expected another name, or a copy of it as "
          + "\(target)".singleLine)
    }
    let (from, to) = (realpath(folder, nil), realpath(target, nil))
    defer {
      free(from)
      free(to)
    }
    if let from, let to, strcmp(from, to) == 0 {
      throw UserError.usage("\(folder.singleLine) is the pack itself, expected a folder with takes")
    }
    let addition = takes.add(to: target, manifest, isReplacing: recording.force)
    for note in addition.notes { context.complain(note.singleLine) }
    for refusal in addition.refusals { context.complain(.file(refusal.singleLine)) }
    let written = WorkoutProfile.count(addition.written, "recording")
    let refused = takes.count - addition.written
    context.print(
      "\(VoicePacks.engine):\(pack): \(written) in \(target)".singleLine
        + (refused > 0 ? "; \(refused) refused" : ""))
    if !addition.refusals.isEmpty { throw ExitCode(1) }
  }

  /// That of a new pack; of takes that are a pack themselves, theirs as far as no option says otherwise.
  private func newManifest(_ folder: String) throws(UserError) -> VoiceManifest {
    let former = try? VoiceManifest.read(path: "\(folder)/\(VoiceManifest.fileName)")
    if former?.onsets.isEmpty == false || former?.phrases.isEmpty == false {
      context.complain(
        "\(folder)/\(VoiceManifest.fileName): its onsets and phrases are left out, for the takes are trimmed and named anew"
          .singleLine)
    }
    let manifest = VoiceManifest(
      language: speech.language ?? former?.language ?? Catalogues.defaultLanguage,
      who: recording.who ?? former?.who ?? recording.pack ?? "",
      licence: recording.licence ?? former?.licence ?? "all rights reserved")
    do throws(FileError) {
      return try VoiceManifest.parse(Array(manifest.yaml.utf8), file: VoiceManifest.fileName)
    } catch {
      throw .usage("--language, --who or --licence: \(error.problem), expected \(error.expected)")
    }
  }
}

extension LedgerEvent.CueEntry {
  fileprivate var isSound: Bool { TextTally.sounds.contains(kind) }
}
