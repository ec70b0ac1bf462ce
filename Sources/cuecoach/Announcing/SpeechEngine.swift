import CueEngine
import CueSound
import EspeakSpeech
import IntervalTimeline
import Presets
import RecordedSpeech
import SoundFiles

/// The speech engine of a run.
enum SpeechEngine {
  /// The words of `lanes` workouts, or nil with a warning where there is no speech engine.
  ///
  /// - Parameters:
  ///   - configuration: has other programs whose voices may speak.
  ///   - isHeard: false where lengths alone matter.
  ///   - keepsNothing: gets a line where the words of an engine cannot be kept on the disk.
  ///   - report: gets a line when an engine fails. Nil for a command that ends soon: the user reads it.
  static func library(
    _ configuration: Configuration, lanes: Int = 1, isHeard: Bool = true, warn: (String) -> Void,
    keepsNothing: @escaping @Sendable (String) -> Void = { _ in },
    report: (@Sendable (String) -> Void)? = nil
  ) -> SpeechLibrary? {
    let synthesizer = EspeakSynthesizer()
    do throws(SpeechError) {
      try synthesizer.check(EspeakSynthesizer.defaultVoice)
    } catch {
      warn("nothing will be spoken: \(error.detail.singleLine); is espeak-ng-data installed?")
      return nil
    }
    let folder = UserPaths.folders.cache
    let complain = report ?? { Console.complain($0) }
    return SpeechLibrary(
      synthesizer, converter: SampleRateLibrary(.speech), capacity: lanes << 19,
      cache: folder.map { folder in
        SpeechCacheFile(folder: folder, report: keepsNothing) {
          (try? synthesizer.identity()).map { "\(words) \($0)" }
        }
      }, isHeard: isHeard,
      engines: InstalledEngine.all(configuration).map {
        $0.engine(cacheFolder: folder, maker: words, keepsNothing: keepsNothing) { line, again in
          // A command that ends soon does not ask again.
          guard report != nil, let again else { return complain(line) }
          complain("\(line); again in \(Int(again / .seconds(1))) s")
        }
      } + [VoicePacks.installed.engine(warn: complain)])
  }

  /// Raised with every change to how words are trimmed, converted or levelled.
  private static let generation = 2

  /// How words are made of what a synthesizer says.
  private static let words = "\(generation) \(Loudness.target) \(Loudness.maxPeak)"
}
