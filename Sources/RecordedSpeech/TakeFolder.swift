import CueSound
import Glibc
import Presets
import SoundFiles
import SystemIO

/// A folder with recordings: takes that somebody has made, or a pack.
package struct TakeFolder {
  /// Of takes: what is to be recorded, a line for each.
  private static let scriptName = "script.csv"
  private static let nameless =
    "no line of script.csv has this number, expected 001.wav for its first line, or a name such as numbers/3.wav"

  /// One of its sound files.
  private struct Recording {
    let file: String
    /// Within the folder.
    let path: String
    /// Its path in a pack, without an ending; nil for a take that has no place there.
    let name: String?

    var isNumber: Bool { name?.hasPrefix("\(RecordingName.numbers)/") == true }
  }

  private let path: String
  private let recordings: [Recording]

  /// How many recordings it has.
  package var count: Int { recordings.count }

  /// Lists the recordings in the folders of a pack, and the takes that have the numbers of the script's lines. Blocks on
  /// the disk. Throws where the script cannot be read.
  package init(_ path: String) throws(FileError) {
    self.path = path
    func recording(_ file: String, _ name: String?) -> Recording {
      Recording(file: "\(path)/\(file)", path: file, name: name)
    }
    let named = RecordingName.folders.flatMap { part in
      Folder.names(in: "\(path)/\(part)").filter(Self.isSound).sorted().map { "\(part)/\($0)" }
    }
    let numbered = Folder.names(in: path).filter(Self.isSound).sorted()
    let script = "\(path)/\(Self.scriptName)"
    let lines =
      numbered.isEmpty || access(script, F_OK) != 0 ? [] : try VoiceScript.paths(ofFile: script)
    recordings =
      named.map { recording($0, RecordingName.withoutEnding($0)) }
      + numbered.map { file in
        let line = (Int(RecordingName.withoutEnding(file)) ?? 0) - 1
        let name = lines.indices.contains(line) ? RecordingName.withoutEnding(lines[line]) : nil
        return recording(file, name)
      }
  }

  private static func isSound(_ file: String) -> Bool { SoundFormat(path: file) != nil }

  // MARK: What is wrong

  /// A line for each fault: the place, what is wrong, what was expected. Blocks on the disk.
  package func faults() -> [String] {
    var faults: [String] = []
    var manifest: VoiceManifest?
    let file = "\(path)/\(VoiceManifest.fileName)"
    // Takes have none yet.
    if access(file, F_OK) == 0 || access("\(path)/\(Self.scriptName)", F_OK) != 0 {
      do throws(FileError) {
        manifest = try VoiceManifest.read(path: file)
      } catch {
        faults.append(error.description)
      }
    }
    for (text, phrase) in (manifest?.phrases ?? [:]).sorted(by: { $0.key < $1.key })
    where access("\(path)/\(phrase)", F_OK) != 0 {
      faults.append("\(file): \"\(text)\" is \(phrase), expected a recording that is there")
    }
    for recording in recordings {
      do throws(SoundFileError) {
        try checkPlace(of: recording, manifest)
        if manifest != nil { try VoicePack.check(recording.path, in: path) }
        let clip = try sound(of: recording)
        let onset = recording.name.flatMap { manifest?.onsets[$0] }
        if let onset, onset >= clip.length {
          faults.append(
            "\(recording.file): its onset of \(onset.wholeMilliseconds) ms in \(VoiceManifest.fileName) is behind its "
              + "end, expected less than \(clip.length.wholeMilliseconds) ms")
        }
        for fault in Take(clip, isNumber: recording.isNumber).faults {
          if onset != nil, case .onset = fault { continue }
          faults.append("\(recording.file): \(fault.description)")
        }
      } catch {
        faults.append("\(error.path): \(error.detail)")
      }
    }
    if recordings.isEmpty { faults.append(nothing) }
    return faults
  }

  private var nothing: String {
    "\(path): no recordings, expected \(RecordingName.folders.joined(separator: ", "))"
  }

  /// Throws for a recording that no text would use, and for one of two of the same text.
  private func checkPlace(
    of recording: Recording, _ manifest: VoiceManifest?
  ) throws(SoundFileError) {
    func refuse(_ why: String) -> SoundFileError {
      SoundFileError(path: recording.file, detail: why)
    }
    guard let name = recording.name else { throw refuse(Self.nameless) }
    if manifest?.phrases.values.contains(recording.path) != true,
      let fault = RecordingName.fault(of: name)
    {
      throw refuse(fault)
    }
    if let other = recordings.first(where: { $0.name == name && $0.path != recording.path }) {
      throw refuse("the same text as \(other.path), expected one recording of it")
    }
  }

  private func sound(of recording: Recording) throws(SoundFileError) -> PCMClip {
    do throws(SoundFileError) {
      return try SoundFile.read(recording.file, atMost: SpeechVoice.maxSeconds)
    } catch {
      guard !error.detail.contains("expected") else { throw error }
      let detail = error.detail.hasSuffix(".") ? String(error.detail.dropLast()) : error.detail
      throw SoundFileError(
        path: error.path, detail: "\(detail), expected a WAV, FLAC, Ogg or Opus file")
    }
  }

  // MARK: Adding to a pack

  /// What became of the takes that were added to a pack.
  package struct Addition {
    package var written = 0
    /// A line for each that was not.
    package var refusals: [String] = []
    /// A line for each that was cut.
    package var notes: [String] = []
  }

  /// Trims the takes and writes them to a pack, those without faults. Blocks on the disk.
  ///
  /// - Parameters:
  ///   - manifest: of a new pack; one that has a manifest keeps it.
  ///   - isReplacing: whether recordings that the pack has are replaced.
  package func add(
    to pack: String, _ manifest: VoiceManifest, isReplacing: Bool
  ) -> Addition {
    var addition = Addition()
    for recording in recordings {
      do throws(SoundFileError) {
        if let cut = try add(recording, to: pack, manifest, isReplacing) {
          addition.notes.append(
            "\(recording.file): what was \(cut.wholeMilliseconds) ms before the word is cut off")
        }
        addition.written += 1
      } catch {
        addition.refusals.append("\(error.path): \(error.detail)")
      }
    }
    if recordings.isEmpty { addition.refusals.append(nothing) }
    return addition
  }

  /// Returns how long what was cut off before the word was, if anything was.
  private func add(
    _ recording: Recording, to pack: String, _ manifest: VoiceManifest, _ isReplacing: Bool
  ) throws(SoundFileError) -> Duration? {
    func refuse(_ why: String) -> SoundFileError {
      SoundFileError(path: recording.file, detail: why)
    }
    try checkPlace(of: recording, nil)
    let raw = Take(try sound(of: recording), isNumber: recording.isNumber)
    var fault = raw.faults.first
    // What was before the word is cut off.
    if case .onset = fault { fault = nil }
    if let fault { throw refuse(fault.description) }
    let prepared = raw.prepared
    if let fault = Take(prepared.clip, isNumber: recording.isNumber).faults.first {
      throw refuse(fault.description)
    }
    let name = recording.name ?? ""
    let path = "\(pack)/\(name).wav"
    let folder = Folder.of(path)
    let other = Folder.names(in: folder).first {
      Self.isSound($0) && "\(folder)/\(RecordingName.withoutEnding($0))" == "\(pack)/\(name)"
    }
    if !isReplacing, let other {
      throw refuse("\(folder)/\(other) is there, expected --force to replace it")
    }
    AtomicFile.makeFolders(for: path, mode: 0o777)
    // Before the first recording: whenever the import ends, there is a pack that can be used.
    try write(manifest, to: pack)
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
    return prepared.cut
  }

  private func write(_ manifest: VoiceManifest, to pack: String) throws(SoundFileError) {
    let path = "\(pack)/\(VoiceManifest.fileName)"
    guard access(path, F_OK) != 0 else { return }
    guard let file = AtomicFile(path, mode: 0o666), file.write(manifest.yaml.utf8),
      file.commit(isReplacing: false) || errno == EEXIST
    else { throw SoundFileError(path: path, detail: String(cString: strerror(errno))) }
  }
}
