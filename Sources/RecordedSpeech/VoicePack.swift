import CueSound
import Glibc
import IntervalTimeline
import Presets
import SoundFiles
import SystemIO

/// Recordings of one person's voice: a folder with a manifest, and with the folders `numbers`, `phrases` and `names`.
package struct VoicePack: Sendable {
  /// The folder's name, by which the voice is chosen.
  package let name: String
  package let path: String
  package let manifest: VoiceManifest
  /// The files of its folders, such as "numbers/3.wav", by their paths without endings.
  package let files: [String: String]

  /// Its files' names end in one of these; the first counts where there are several.
  private static let endings = ["wav", "flac", "opus", "ogg", "oga"]

  /// Reads the manifest and lists the files. Blocks on the disk.
  package init(name: String, path: String) throws(FileError) {
    (self.name, self.path) = (name, path)
    manifest = try VoiceManifest.read(path: "\(path)/\(VoiceManifest.fileName)")
    var files: [String: String] = [:]
    for folder in RecordingName.folders {
      for file in Folder.names(in: "\(path)/\(folder)") {
        let path = "\(folder)/\(file)"
        guard let rank = Self.rank(path) else { continue }
        let name = RecordingName.withoutEnding(path)
        if let other = files[name].flatMap(Self.rank), other <= rank { continue }
        files[name] = path
      }
    }
    self.files = files
  }

  private static func rank(_ file: String) -> Int? {
    SoundFormat.ending(of: file).flatMap { endings.firstIndex(of: $0.lowercased()) }
  }

  /// The files that together say a text; nil where one is missing. More than one only where names of people come before
  /// something else: "Anna, Ben: Rest".
  package func files(for text: String) -> [String]? {
    if let file = file(for: text) { return [file] }
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = text[text.index(after: colon)...]
    guard rest.first == " ", let last = file(for: String(rest.dropFirst())) else { return nil }
    var found: [String] = []
    for (index, name) in text[..<colon].split(separator: ",").enumerated() {
      let name = index > 0 && name.first == " " ? name.dropFirst() : name
      guard let file = files["\(RecordingName.names)/\(name)"] else { return nil }
      found.append(file)
    }
    return found + [last]
  }

  private func file(for text: String) -> String? {
    manifest.phrases[text] ?? files[RecordingName.of(text)]
      ?? files["\(RecordingName.names)/\(text)"]
  }

  /// The sound of a file from where the manifest says that it begins. Blocks on the disk.
  package func clip(_ file: String) throws(SoundFileError) -> PCMClip {
    try Self.check(file, in: path)
    let clip = try SoundFile.read("\(path)/\(file)", atMost: SpeechVoice.maxSeconds).withoutOffset
    guard let onset = manifest.onsets[RecordingName.withoutEnding(file)] else { return clip }
    let from = Int(SampleRate.frames(in: onset, at: clip.rate))
    guard from < clip.count else {
      throw SoundFileError(path: "\(path)/\(file)", detail: "it ends before its onset")
    }
    return withExtendedLifetime(clip) {
      PCMClip(rate: clip.rate, unwritten: clip.count - from) { kept in
        _ = kept.update(fromContentsOf: clip.memory[from...])
      }
    }
  }

  /// Throws where links lead from a file out of the pack's folder.
  package static func check(_ file: String, in path: String) throws(SoundFileError) {
    let (folder, place) = (realpath(path, nil), realpath("\(path)/\(file)", nil))
    defer {
      free(folder)
      free(place)
    }
    // That there is no file is reported by who reads it.
    guard let folder, let place else { return }
    guard String(cString: place).hasPrefix("\(String(cString: folder))/") else {
      throw SoundFileError(
        path: "\(path)/\(file)",
        detail: "a link that leads out of the voice's folder, expected a file in it")
    }
  }
}

/// The packs that are installed.
package struct VoicePacks: Sendable {
  /// What their voices' names begin with: "pack" of "pack:anna".
  package static let engine = Configuration.packName

  private let places: [String]

  /// - Parameter places: the folders in which packs lie, in the order of precedence. They are looked through on each call.
  package init(in places: [String]) { self.places = places }

  /// The names of all packs, with or without faults, sorted.
  package var names: [String] {
    Set(
      places.flatMap { place in
        Folder.names(in: place).filter { Folder.isThere("\(place)/\($0)") }
      }
    ).sorted()
  }

  /// Nil where there is none of that name. Blocks on the disk.
  package func pack(named name: String) throws(FileError) -> VoicePack? {
    // Never a path: clients may name voices.
    guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")),
      !name.utf8.contains(0),
      let path = places.lazy.map({ "\($0)/\(name)" }).first(where: Folder.isThere)
    else { return nil }
    return try VoicePack(name: name, path: path)
  }
}
