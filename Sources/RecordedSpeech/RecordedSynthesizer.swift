import CueSound
import Presets
import SoundFiles
import Synchronization

/// Speech by recordings: a text is said as it was recorded, or not at all.
package final class RecordedSynthesizer: SpeechSynthesizer {
  private let packs: VoicePacks
  private let report: @Sendable (String) -> Void
  /// The packs that have been read, and the packs and files that have been reported.
  private let known = Mutex<(packs: [String: VoicePack], reported: Set<String>)>(([:], []))

  /// - Parameter report: gets a line for each file that cannot be used.
  package init(_ packs: VoicePacks, report: @escaping @Sendable (String) -> Void = { _ in }) {
    (self.packs, self.report) = (packs, report)
  }

  /// Recordings have one speed.
  package func fastestRate(of voice: SpeechVoice) -> Int { 0 }

  package func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    let pack = try pack(voice.name ?? "")
    guard let files = pack.files(for: text) else {
      throw SpeechError(kind: .text, detail: "the pack has no recording of it")
    }
    do throws(SoundFileError) {
      var clips: [PCMClip] = []
      for file in files {
        let clip = try pack.clip(file)
        guard !clip.isFaint else {
          throw SoundFileError(
            path: "\(pack.path)/\(file)",
            detail: "too quiet, expected a peak of \(PCMClip.faintest)")
        }
        clips.append(clip)
      }
      return clips.count == 1 ? clips[0] : Self.joined(clips)
    } catch {
      note("\(escaped(error.path)) is not used: \(escaped(error.detail))", of: error.path)
      throw SpeechError(kind: .text, detail: "its recording cannot be used: \(error.detail)")
    }
  }

  /// One that cannot be read is tried again for the next text.
  private func pack(_ name: String) throws(SpeechError) -> VoicePack {
    if let pack = known.withLock({ $0.packs[name] }) { return pack }
    let pack: VoicePack?
    do throws(FileError) {
      pack = try packs.pack(named: name)
    } catch {
      note(error.description, of: name)
      throw SpeechError(kind: .unknownVoice, detail: error.description)
    }
    guard let pack else { throw SpeechError(kind: .unknownVoice, detail: "there is no such pack") }
    known.withLock { $0.packs[name] = pack }
    return pack
  }

  private func note(_ line: String, of place: String) {
    if known.withLock({ $0.reported.insert(place).inserted }) { report(line) }
  }

  /// As between two phrases.
  private static let gap = Duration.milliseconds(150)

  /// One after the other, each as loud as the others.
  private static func joined(_ clips: [PCMClip]) -> PCMClip {
    let rate = SampleRate.standard
    let gap = Int(SampleRate.frames(in: gap, at: rate))
    var samples: [Int16] = []
    for clip in clips {
      let word = SampleRateLibrary().convert(clip.trimmed(), to: rate)
        .trimmed().withoutFalseStart
      if !samples.isEmpty { samples += [Int16](repeating: 0, count: gap) }
      samples += word.scaled(by: Loudness.gain(of: word)).samples
    }
    return PCMClip(rate: rate, samples: samples)
  }
}
