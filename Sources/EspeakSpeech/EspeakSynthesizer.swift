import CEspeakNG
import CueSound
import Synchronization

/// Speech by libespeak-ng.
///
/// The library keeps its state in globals and is not thread-safe: every call of every instance
/// goes through one lock, so that callers may be on any thread.
public struct EspeakSynthesizer: SpeechSynthesizer {
  /// A voice that can be asked for.
  public struct Voice: Hashable, Sendable {
    /// What to ask for, such as "en-gb".
    public let language: String
    public let name: String
  }

  /// The longest text spoken, in characters.
  public static let greatestLength = 500

  /// The voice of a run that asks for none.
  public static let defaultVoice = "en"

  public init() {}

  public func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    let words = try Self.speakable(text)
    return try Self.withEngine { engine throws(SpeechError) in
      try engine.select(voice.name ?? Self.defaultVoice)
      return try engine.speak(words, rate: voice.rate)
    }
  }

  /// Whether there is such a voice; throws `unknownVoice` when not.
  public func check(_ voice: String) throws(SpeechError) {
    try Self.withEngine { engine throws(SpeechError) in try engine.select(voice) }
  }

  /// Every voice, by language.
  public func voices() throws(SpeechError) -> [Voice] {
    try Self.withEngine { engine throws(SpeechError) in engine.voices() }
  }

  /// The text without what the library could trip over; control characters become blanks.
  private static func speakable(_ text: String) throws(SpeechError) -> String {
    guard text.count <= greatestLength else {
      throw SpeechError(
        kind: .text,
        detail: "a text of \(text.count) characters, at most \(greatestLength) are spoken")
    }
    let isControl = { (scalar: Unicode.Scalar) in
      scalar.properties.generalCategory == .control
    }
    let words = String(
      String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
    guard words.contains(where: { !$0.isWhitespace }) else {
      throw SpeechError(kind: .text, detail: "an empty text")
    }
    return words
  }

  /// Guards the library's globals; nil until it is first used. Never terminated: after Terminate
  /// version 1.51 hangs in its next life.
  private static let engine = Mutex<EspeakEngine?>(nil)

  private static func withEngine<Result: Sendable>(
    _ body: (borrowing EspeakEngine) throws(SpeechError) -> Result
  ) throws(SpeechError) -> Result {
    try engine.withLock { engine throws(SpeechError) in
      if engine == nil { engine = try EspeakEngine() }
      return try body(engine!)
    }
  }
}
