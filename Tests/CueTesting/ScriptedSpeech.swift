import CueSound
import Synchronization

/// A voice whose every text has a length that the test knows: a steady level from the first sample
/// to the last. Twice as many words a minute take half as long.
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
    return PCMClip(rate: 48_000, samples: Array(repeating: 8_000, count: milliseconds * 48))
  }
}

/// A converter for clips that have the right rate already.
public struct NoConversion: SampleRateConverter {
  public init() {}

  public func convert(_ clip: PCMClip, to rate: Int) -> PCMClip {
    precondition(clip.rate == rate, "a scripted clip of \(clip.rate) Hz is wanted at \(rate) Hz")
    return clip
  }
}
