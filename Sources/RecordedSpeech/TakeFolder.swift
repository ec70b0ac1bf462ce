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
  /// Whether it says of itself what it is.
  private let hasGuide: Bool

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
    let hasScript = access(script, F_OK) == 0
    hasGuide = hasScript || access("\(path)/\(VoiceManifest.fileName)", F_OK) == 0
    let lines = numbered.isEmpty || !hasScript ? [] : try VoiceScript.paths(ofFile: script)
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
    if access(file, F_OK) == 0 {
      do throws(FileError) {
        manifest = try VoiceManifest.read(path: file)
      } catch {
        faults.append(error.description)
      }
    } else if !hasGuide {
      faults.append(withoutGuide)
    }
    for (text, phrase) in (manifest?.phrases ?? [:]).sorted(by: { $0.key < $1.key })
    where access("\(path)/\(phrase)", F_OK) != 0 {
      faults.append("\(file): \"\(text)\" is \(phrase), expected a recording that is there")
    }
    for recording in judged(manifest) {
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

  private var withoutGuide: String {
    "\(path): neither \(Self.scriptName) nor \(VoiceManifest.fileName), expected the first beside takes, as cuecoach "
      + "voices --script writes it, or the second in a pack"
  }

  private var nothing: String {
    "\(path): no recordings, expected \(RecordingName.folders.joined(separator: ", "))"
  }

  /// Those that get a line where they are at fault: the first of several of one text, and none that a script would name
  /// where there is none.
  private func judged(_ manifest: VoiceManifest? = nil) -> [Recording] {
    recordings.filter { recording in
      recording.name == nil
        ? hasGuide : same(as: recording, manifest).first?.path == recording.path
    }
  }

  /// The recordings of the same text, itself among them.
  private func same(as recording: Recording, _ manifest: VoiceManifest?) -> [Recording] {
    func place(_ recording: Recording) -> String? {
      let isNamed = manifest?.phrases.values.contains(recording.path) == true
      return isNamed ? recording.name : recording.name.map(RecordingName.proper)
    }
    let own = place(recording)
    return recordings.filter { place($0) == own }
  }

  /// Throws for a recording that no text would use, and for several of the same text.
  private func checkPlace(
    of recording: Recording, _ manifest: VoiceManifest?
  ) throws(SoundFileError) {
    func refuse(_ why: String) -> SoundFileError {
      SoundFileError(path: recording.file, detail: why)
    }
    guard let name = recording.name else { throw refuse(Self.nameless) }
    let others = same(as: recording, manifest).map(\.path).filter { $0 != recording.path }
    guard others.isEmpty else {
      throw refuse(
        "the same text as \(others.joined(separator: ", ")), expected one recording of it")
    }
    if manifest?.phrases.values.contains(recording.path) != true,
      let fault = RecordingName.fault(of: name)
    {
      throw refuse(fault)
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
    for recording in judged() {
      let take: (clip: PCMClip, cut: Duration?)
      do throws(SoundFileError) {
        take = try prepared(recording, for: pack, isReplacing)
      } catch {
        addition.refusals.append("\(error.path): \(error.detail)")
        continue
      }
      do throws(SoundFileError) {
        try write(take.clip, to: "\(pack)/\(recording.name ?? "").wav", manifest, of: pack)
      } catch {
        // The disk is full, say: so it is for the others.
        addition.refusals.append("\(error.path): \(error.detail)")
        return addition
      }
      addition.written += 1
      // What was cut off before the word.
      if let cut = take.cut {
        addition.notes.append(
          "\(recording.file): what was \(cut.wholeMilliseconds) ms before the word is cut off")
      }
    }
    if recordings.isEmpty { addition.refusals.append(nothing) }
    if !hasGuide, recordings.contains(where: { $0.name == nil }) {
      addition.refusals.append(withoutGuide)
    }
    return addition
  }

  /// A take as it is to be in the pack, and how long what was cut off before the word was, if anything was. Throws where
  /// it is refused.
  private func prepared(
    _ recording: Recording, for pack: String, _ isReplacing: Bool
  ) throws(SoundFileError) -> (clip: PCMClip, cut: Duration?) {
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
    let path = "\(pack)/\(recording.name ?? "")"
    let folder = Folder.of(path)
    let other = Folder.names(in: folder).first {
      Self.isSound($0) && "\(folder)/\(RecordingName.withoutEnding($0))" == path
    }
    if !isReplacing, let other {
      throw refuse("\(folder)/\(other) is there, expected --force to replace it")
    }
    return prepared
  }

  private func write(
    _ clip: PCMClip, to path: String, _ manifest: VoiceManifest, of pack: String
  ) throws(SoundFileError) {
    AtomicFile.makeFolders(for: path, mode: 0o777)
    // Before the first recording: whenever the import ends, there is a pack that can be used.
    try write(manifest, to: pack)
    // A link is replaced, not the file that it leads to.
    var info = stat()
    if lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFLNK { unlink(path) }
    let writer = try SoundFileWriter(path, as: .wav, rate: clip.rate)
    // The samples are a pointer into the clip.
    defer { withExtendedLifetime(clip) {} }
    if let start = clip.memory.baseAddress { try writer.write(start, count: clip.count) }
    try writer.finish()
  }

  private func write(_ manifest: VoiceManifest, to pack: String) throws(SoundFileError) {
    let path = "\(pack)/\(VoiceManifest.fileName)"
    guard access(path, F_OK) != 0 else { return }
    guard let file = AtomicFile(path, mode: 0o666), file.write(manifest.yaml.utf8),
      file.commit(isReplacing: false) || errno == EEXIST
    else { throw SoundFileError(path: path, detail: String(cString: strerror(errno))) }
  }
}
