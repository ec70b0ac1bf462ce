import ArgumentParser
import CueEngine
import CueSound
import FoundationEssentials
import Glibc
import InstalledFiles
import SoundFiles

struct SoundsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sounds", abstract: "List the sound packs, or write the built-in sounds to files.",
    discussion: """
      A pack is a folder of .wav, .flac or .ogg files named after the sounds:
      \(SoundRole.allCases.map(\.rawValue).joined(separator: ", ")). \
      Sounds that it lacks come from the default pack.
      """)

  @Option(help: "Write to this folder; it is created if it is missing.") var output: String?
  @Option(help: "The built-in pack to write.") var pack: TonePack?
  @Flag(help: "Replace existing files.") var force = false
  @Flag(help: "Print one JSON object per pack.") var json = false

  func validate() throws {
    if output == nil, pack != nil { throw ValidationError("--pack needs --output") }
    if output == nil, force { throw ValidationError("--force needs --output") }
    if output != nil, json { throw ValidationError("--json cannot be combined with --output") }
  }

  func run() throws {
    if let output { try write(pack ?? .standard, to: output) } else { list() }
  }

  private func list() {
    let packs = SoundLibrary(in: context.folders).all()
    let width = packs.map(\.name.count).max() ?? 0
    for pack in packs {
      if json {
        context.print(Self.object(pack).text)
      } else {
        let padding = String(repeating: " ", count: width - pack.name.count)
        context.print("\(pack.name)\(padding)  \(pack.path)  \(Self.words(pack))".singleLine)
      }
    }
    if !json { for pack in packs { reportUnusable(pack) } }
    if packs.isEmpty, !json {
      context.complain("no sound packs found; the built-in sounds are played")
    }
  }

  /// Reports files that a run would replace by another sound.
  private func reportUnusable(_ pack: SoundFolder) {
    for file in pack.files {
      do throws(SoundFileError) {
        _ = try SoundFile.read(file.path, rate: SampleRate.standard)
      } catch {
        context.complain("\(error.path.singleLine) is not used: \(error.detail.singleLine)")
      }
    }
  }

  private static func words(_ pack: SoundFolder) -> String {
    let own = pack.files.map(\.meaning.rawValue)
    if own.count == SoundRole.allCases.count { return "(all sounds)" }
    return own.isEmpty ? "(no sounds)" : "(\(own.joined(separator: ", ")))"
  }

  private static func object(_ pack: SoundFolder) -> JSONObject {
    var object = JSONObject()
    object.add("pack", pack.name)
    object.add("path", pack.path)
    object.add(
      "sounds",
      pack.files.map { file in
        var sound = JSONObject()
        sound.add("meaning", file.meaning.rawValue)
        sound.add("file", file.path)
        return sound
      })
    return object
  }

  private func write(_ tones: TonePack, to folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      let isThere = access(folder, F_OK) == 0
      throw UserError.failed(
        "--output \(folder.singleLine): "
          + (isThere
            ? "that is no folder; expected the name of one"
            : "it cannot be made (\(TextOutput.reason(error))); expected another place"))
    }
    let there = SoundRole.allCases.map { "\($0.rawValue).wav" }.filter {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)")
    }
    guard force || there.isEmpty else {
      throw UserError.failed(
        "\(folder.singleLine) already has \(there.joined(separator: ", ")); --force replaces them")
    }
    // Through a pack, so that their loudness is already adjusted.
    let pack = SoundPack(rate: SampleRate.standard, tones: tones)
    for meaning in SoundRole.allCases {
      do throws(SoundFileError) {
        let path = "\(folder)/\(meaning.rawValue).wav"
        // A link is replaced, not the file that it leads to.
        unlink(path)
        let writer = try WAVWriter(path, rate: SampleRate.standard)
        let clip = pack[meaning]
        // The samples are a pointer into the clip.
        defer { withExtendedLifetime(clip) {} }
        try writer.write(clip.memory.baseAddress!, count: clip.count)
      } catch {
        throw UserError.failed("\(error.path.singleLine) cannot be written: \(error.detail)")
      }
    }
  }
}

extension TonePack: ExpressibleByArgument {}
