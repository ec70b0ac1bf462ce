import CueSound
import Synchronization

/// A voice whose every text has a length that the test knows: a steady level from the first sample
/// to the last, at 8 kHz. Twice as many words a minute take half as long.
public final class ScriptedSpeech: SpeechSynthesizer {
  /// Milliseconds of a text at the rate of a voice that nothing else is said of.
  private let length: @Sendable (String) -> Int
  /// Protects what was asked for.
  private let asked = Mutex<[(text: String, rate: Int)]>([])

  /// - Parameter length: by default 60 ms for each letter; nothing is spoken for 0.
  public init(length: @escaping @Sendable (String) -> Int = { $0.count * 60 }) {
    self.length = length
  }

  public func milliseconds(of text: String) -> Int { length(text) }

  public var texts: [String] { asked.withLock { $0.map(\.text) } }

  /// In words a minute, of each text asked for.
  public var rates: [Int] { asked.withLock { $0.map(\.rate) } }

  public func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    asked.withLock { $0.append((text, voice.rate)) }
    let milliseconds = length(text) * SpeechVoice().rate / voice.rate
    guard milliseconds > 0 else { throw SpeechError(kind: .failed, detail: "nothing scripted") }
    return PCMClip(rate: 8_000, samples: Array(repeating: 8_000, count: milliseconds * 8))
  }
}

/// A converter to a multiple of a scripted clip's rate: each sample is repeated.
public struct RepeatedSamples: SampleRateConverter {
  public init() {}

  public func convert(_ clip: PCMClip, to rate: Int) -> PCMClip {
    precondition(
      rate % clip.rate == 0, "a scripted clip of \(clip.rate) Hz is wanted at \(rate) Hz")
    let factor = rate / clip.rate
    guard factor > 1 else { return clip }
    return PCMClip(rate: rate, count: clip.count * factor) { target in
      var index = 0
      while index < target.count {
        target[index] = clip.samples[index / factor]
        index += 1
      }
    }
  }
}
