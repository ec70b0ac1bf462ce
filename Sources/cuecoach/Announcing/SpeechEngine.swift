import CueEngine
import CueSound
import EspeakSpeech
import IntervalTimeline
import Presets
import RecordedSpeech
import SoundFiles
import Synchronization

/// The speech engine of a run.
enum SpeechEngine {
  /// The words of `lanes` workouts, or nil with a warning where there is no speech engine.
  ///
  /// - Parameters:
  ///   - configuration: has other programs whose voices may speak.
  ///   - isHeard: false where lengths alone matter.
  ///   - use: of the words of other programs.
  ///   - asked: gets each text once that is asked for; the usual synthesizer alone then says them. By default nobody.
  ///   - keepsNothing: gets a line where the words of an engine cannot be kept on the disk.
  ///   - report: gets a line when an engine fails. Nil for a command that ends soon: the user reads it.
  static func library(
    _ configuration: Configuration, lanes: Int = 1, isHeard: Bool = true,
    use: InstalledEngine.Use = .toHear, warn: (String) -> Void,
    asked: (@Sendable (String) -> Void)? = nil,
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
    if let asked {
      return SpeechLibrary(
        NotedSpeech(usual: synthesizer, note: asked), converter: nil, isHeard: isHeard)
    }
    let folder = context.folders.cache
    let complain = report ?? { [context] in context.complain($0) }
    let printed = PrintedLines()
    return SpeechLibrary(
      synthesizer, converter: SampleRateLibrary(), capacity: lanes << 19,
      cache: folder.map { folder in
        SpeechCacheFile(folder: folder, report: keepsNothing) {
          (try? synthesizer.identity()).map { "\(words) \($0)" }
        }
      }, isHeard: isHeard,
      engines: InstalledEngine.all(configuration).map {
        $0.engine(cacheFolder: folder, maker: words, use: use, keepsNothing: keepsNothing) {
          line, again in
          // A command that ends soon promises no other attempt, and says what is wrong once however many it makes.
          guard report != nil else { return printed.isNew(line) ? complain(line) : () }
          complain(line + (again.map { "; again in \(Int($0 / .seconds(1))) s" } ?? ""))
        }
      } + [context.voicePacks.engine(warn: complain)])
  }

  /// Passes on each text before it is said.
  private struct NotedSpeech: SpeechSynthesizer {
    let usual: EspeakSynthesizer
    let note: @Sendable (String) -> Void

    func fastestRate(of voice: SpeechVoice) -> Int { usual.fastestRate(of: voice) }

    func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
      note(text)
      return try usual.render(text, voice: voice.ofStandIn)
    }
  }

  /// What a command has said of engines.
  private final class PrintedLines: Sendable {
    private let lines = Mutex<Set<String>>([])

    func isNew(_ line: String) -> Bool { lines.withLock { $0.insert(line).inserted } }
  }

  /// Raised with every change to how words are trimmed, converted or levelled.
  private static let generation = 2

  /// How words are made of what a synthesizer says.
  private static let words = "\(generation) \(Loudness.target) \(Loudness.maxPeak)"
}
