import CueEngine
import CueSound
import EspeakSpeech
import SoundFiles
import Testing

/// The loudness of sounds and words.
struct EvenLoudnessTests {
  private static let voices = ["en", "de", "fr-fr", "es", "it", "nl", "pt", "pl"]

  private static let announcements = [
    "Set 3 completing in", "Set 17 completing in", "3", "2", "1", "0", "Next: Hard, 4 minutes",
    "Halfway", "Workout complete", "Paused",
  ]

  /// Of every sound of every built-in pack, but for the one that is softer, and for ticks, which go by their peak.
  private static let soundLevels = TonePack.allCases.map { SoundPack(tones: $0) }
    .flatMap { pack in
      SoundRole.allCases.filter { $0 != .change && !$0.isTick }.map {
        Loudness.momentary(of: pack[$0])
      }
    }

  private func word(_ text: String, _ voice: SpeechVoice) throws -> PCMClip {
    let spoken = try EspeakSynthesizer().render(text, voice: voice).trimmed()
    let clip = SampleRateLibrary().convert(spoken, to: 48_000).trimmed()
    return clip.scaled(by: Loudness.gain(of: clip))
  }

  @Test(arguments: voices, [80, 175, 450]) func wordsAndSoundsAreWithinThreeDecibels(
    _ voice: String, _ rate: Int
  ) throws {
    let words = try Self.announcements.map { try word($0, SpeechVoice(name: voice, rate: rate)) }
    let levels = words.map { Loudness.momentary(of: $0) } + Self.soundLevels
    let (least, greatest) = (levels.min() ?? 0, levels.max() ?? .infinity)
    #expect(greatest - least < 3, "\(least) to \(greatest) LUFS")
    // Words that are spoken very fast are short and have higher peaks, which may limit the gain.
    let maxPeak = rate > 175 ? 29_491 : 24_576
    #expect(words.allSatisfy { $0.peak <= maxPeak })
  }
}
