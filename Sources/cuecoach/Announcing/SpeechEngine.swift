import CueEngine
import CueSound
import EspeakSpeech
import IntervalTimeline
import SoundFiles

/// The speech engine of a run.
enum SpeechEngine {
  /// The words of `lanes` workouts, or nil with a warning where there is no speech engine.
  ///
  /// - Parameter isHeard: false where lengths alone matter.
  static func library(
    lanes: Int = 1, isHeard: Bool = true, warn: (String) -> Void
  ) -> SpeechLibrary? {
    let synthesizer = EspeakSynthesizer()
    do throws(SpeechError) {
      try synthesizer.check(EspeakSynthesizer.defaultVoice)
    } catch {
      warn("nothing will be spoken: \(error.detail.singleLine); is espeak-ng-data installed?")
      return nil
    }
    return SpeechLibrary(
      synthesizer, converter: SampleRateLibrary(.speech), capacity: lanes << 19,
      cache: cache(of: synthesizer), isHeard: isHeard)
  }

  /// Raised with every change to how words are trimmed, converted or levelled.
  private static let generation = 1

  /// What was rendered before on this machine; nil without a home.
  private static func cache(of synthesizer: EspeakSynthesizer) -> SpeechCacheFile? {
    guard let folder = UserPaths.folders.cache, let identity = try? synthesizer.identity() else {
      return nil
    }
    let maker = "\(generation) \(Loudness.target) \(Loudness.maxPeak) \(identity)"
    return SpeechCacheFile(folder: folder, maker: maker, rate: SampleRate.standard)
  }
}
