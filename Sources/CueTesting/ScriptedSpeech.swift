import CueSound
import Synchronization

/// A voice with a known length for every text: a constant level from the first sample to the last,
/// at 8 kHz. Twice the rate takes half as long. Any thread; never blocks.
///
/// A library takes it with the converter `RepeatedSamples`:
/// `SpeechLibrary(ScriptedSpeech(), converter: RepeatedSamples(), rate: 8_000)`.
public final class ScriptedSpeech: SpeechSynthesizer {
  /// The length of a text in milliseconds, at the default rate.
  private let length: @Sendable (String) -> Int
  /// Protects the list of requests.
  private let asked = Mutex<[(text: String, rate: Int)]>([])

  private let fastest: Int

  /// - Parameters:
  ///   - fastest: the greatest rate that it has, in words a minute.
  ///   - length: by default 60 ms for each character; 0 for a text that cannot be spoken.
  public init(fastest: Int = 450, length: @escaping @Sendable (String) -> Int = { $0.count * 60 }) {
    (self.fastest, self.length) = (fastest, length)
  }

  public func fastestRate(of voice: SpeechVoice) -> Int { fastest }

  /// How long a text takes at the default rate.
  public func milliseconds(of text: String) -> Int { length(text) }

  /// The text of each request so far, in order.
  public var texts: [String] { asked.withLock { $0.map(\.text) } }

  /// The rate of each request, in words a minute.
  package var rates: [Int] { asked.withLock { $0.map(\.rate) } }

  /// Throws `failed` where the script has no length above zero.
  public func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    asked.withLock { $0.append((text, voice.rate)) }
    let milliseconds = length(text) * SpeechVoice().rate / voice.rate
    guard milliseconds > 0 else { throw SpeechError(kind: .failed, detail: "nothing scripted") }
    return PCMClip(rate: 8_000, samples: Array(repeating: 8_000, count: milliseconds * 8))
  }
}

/// A converter to a multiple of a scripted clip's rate: each sample is repeated. Traps at any other rate.
public struct RepeatedSamples: SampleRateConverter {
  /// It has no settings.
  public init() {}

  public func convert(_ clip: PCMClip, to rate: Int) -> PCMClip {
    guard rate % clip.rate == 0 else {
      fatalError("a scripted clip of \(clip.rate) Hz is wanted at \(rate) Hz")
    }
    let factor = rate / clip.rate
    guard factor > 1 else { return clip }
    return PCMClip(rate: rate, count: clip.count * factor) { target in
      var index = 0
      while index < target.count {
        target[index] = clip.memory[index / factor]
        index += 1
      }
    }
  }
}
