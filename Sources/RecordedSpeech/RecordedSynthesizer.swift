import CueSound
import Presets
import SoundFiles
import Synchronization

/// Speech by recordings: a text is said as it was recorded, or not at all.
package final class RecordedSynthesizer: SpeechSynthesizer {
  private let packs: VoicePacks
  private let report: @Sendable (String) -> Void
  /// The packs that have been asked for, nil for those that cannot be used; and the files that have been reported.
  private let known = Mutex<(packs: [String: VoicePack?], reported: Set<String>)>(([:], []))

  /// - Parameter report: gets a line for each file that cannot be used.
  package init(_ packs: VoicePacks, report: @escaping @Sendable (String) -> Void = { _ in }) {
    (self.packs, self.report) = (packs, report)
  }

  /// Recordings have one speed.
  package func fastestRate(of voice: SpeechVoice) -> Int { 0 }

  package func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    guard let pack = pack(voice.name ?? "") else {
      throw SpeechError(kind: .unknownVoice, detail: "there is no such pack")
    }
    guard let files = pack.files(for: text) else {
      throw SpeechError(kind: .text, detail: "the pack has no recording of it")
    }
    do throws(SoundFileError) {
      var clips: [PCMClip] = []
      for file in files {
        let clip = try pack.clip(file)
        guard clip.peak > 0 else {
          throw SoundFileError(path: "\(pack.path)/\(file)", detail: "nothing but silence")
        }
        clips.append(clip)
      }
      return clips.count == 1 ? clips[0] : Self.joined(clips)
    } catch {
      if known.withLock({ $0.reported.insert(error.path).inserted }) {
        report("\(escaped(error.path)) is not used: \(escaped(error.detail))")
      }
      throw SpeechError(kind: .text, detail: "its recording cannot be used: \(error.detail)")
    }
  }

  private func pack(_ name: String) -> VoicePack? {
    known.withLock { known in
      if let pack = known.packs[name] { return pack }
      var pack: VoicePack?
      do throws(FileError) {
        pack = try packs.pack(named: name)
      } catch {
        report(error.description)
      }
      known.packs[name] = .some(pack)
      return pack
    }
  }

  /// As between two phrases.
  private static let gap = Duration.milliseconds(150)

  /// One after the other, each as loud as the others.
  private static func joined(_ clips: [PCMClip]) -> PCMClip {
    let rate = SampleRate.standard
    let gap = Int(SampleRate.frames(in: gap, at: rate))
    var samples: [Int16] = []
    for clip in clips {
      let word = SampleRateLibrary(.speech).convert(clip.trimmed(), to: rate)
        .trimmed().withoutFalseStart
      if !samples.isEmpty { samples += [Int16](repeating: 0, count: gap) }
      samples += word.scaled(by: Loudness.gain(of: word)).samples
    }
    return PCMClip(rate: rate, samples: samples)
  }
}
