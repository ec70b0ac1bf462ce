import CueSound
import IntervalTimeline
import Presets

/// What a pack says of itself, in YAML:
///
///     language: en
///     who: Anna Example
///     licence: CC BY-SA 4.0
///     onsets: {3: 212}              # where a word begins in its file, in ms, where that is in doubt
///     phrases:                      # the files of texts that have other names
///       "Next: Hard": phrases/next-hard-2.flac
package struct VoiceManifest: Hashable, Sendable {
  package static let fileName = "voice.yaml"

  package var language: String
  package var who: String
  package var licence: String
  /// By the paths of files, without their endings.
  package var onsets: [String: Duration] = [:]
  /// Files by texts.
  package var phrases: [String: String] = [:]

  package init(language: String, who: String, licence: String) {
    (self.language, self.who, self.licence) = (language, who, licence)
  }

  /// A regular file of at most 1 MB. Blocks on the disk.
  package static func read(path: String) throws(FileError) -> VoiceManifest {
    try parse(
      FileBytes.contents(
        ofFile: path, expected: "a file with language, who and licence of the voice"), file: path)
  }

  /// - Parameter file: names it in errors.
  package static func parse(_ bytes: [UInt8], file: String) throws(FileError) -> VoiceManifest {
    try FileError.naming(file) { () throws(FileFault) in
      guard let root = try YamlTree.root(of: bytes) else {
        throw FileFault(line: 1, "an empty manifest", expected: needed)
      }
      return try manifest(root.map(of: "a manifest", expected: needed))
    }
  }

  /// As it is read, without onsets and phrases.
  package var yaml: String {
    let texts = [("language", language), ("who", who), ("licence", licence)]
    return texts.map { key, text in "\(key): \(PresetWriter.singleQuoted(text))\n" }.joined()
  }

  private static let needed: Sentence = "language, who and licence"

  private static func manifest(_ map: YamlMap) throws(FileFault) -> VoiceManifest {
    try map.checkKeys(["language", "who", "licence", "onsets", "phrases"], of: "a manifest")
    var manifest = VoiceManifest(
      language: try map.required("language", expected: needed).language(),
      who: try map.required("who", expected: needed).name(),
      licence: try map.required("licence", expected: needed).name())
    for entry in try map["onsets"]?.map(expected: "texts, each with its onset in ms").entries ?? []
    {
      let onset = Duration.milliseconds(try entry.count(in: 0...SpeechVoice.maxSeconds * 1000))
      manifest.onsets[RecordingName.of(entry.key)] = onset
      manifest.onsets["\(RecordingName.names)/\(entry.key)"] = onset
    }
    for entry in try map["phrases"]?.map(expected: "texts, each with its file").entries ?? [] {
      let path = try entry.name(expected: "the path of a file", atMost: 255)
      guard RecordingName.isInPack(path) else {
        throw entry.fault(
          expected: "a file in \(RecordingName.folders.joined(separator: ", ")) of its folder")
      }
      manifest.phrases[entry.key] = path
    }
    // The onset of a text counts wherever its recording lies.
    for (text, path) in manifest.phrases {
      if let onset = manifest.onsets[RecordingName.of(text)] {
        manifest.onsets[RecordingName.withoutEnding(path)] = onset
      }
    }
    return manifest
  }
}
