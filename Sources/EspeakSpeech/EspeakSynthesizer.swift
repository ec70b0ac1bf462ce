import CEspeakNG
import CueSound
import Synchronization

/// Speech by libespeak-ng.
///
/// The library keeps its state in globals and is not thread-safe: every call of every instance
/// goes through one lock, so that callers may be on any thread.
public struct EspeakSynthesizer: SpeechSynthesizer, VoiceList {
  /// An available voice.
  public struct Voice: Hashable, Sendable {
    /// The name to pass, such as "en-gb".
    public let language: String
    /// What the library calls it, in English: "English (Great Britain)". Not a name to pass.
    public let name: String
  }

  /// The longest text spoken, in characters: 500. A longer one throws the kind `text`.
  package static let maxLength = 500

  /// The voice where none is chosen: "en".
  package static let defaultVoice = "en"

  /// Returns at once: the library is initialised by the first call that needs it, once in a process.
  public init() {}

  public func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    let choice = try VoiceChoice(voice)
    return try Self.withEngine { engine throws(SpeechError) in
      try engine.select(choice)
      return try engine.speak(SpeakableText(text, language: engine.language), voice)
    }
  }

  /// Identifies the library by its version and data: another may sound different.
  public func identity() throws(SpeechError) -> String {
    try Self.withEngine { engine throws(SpeechError) in engine.identity }
  }

  /// Whether there is such a voice; throws `unknownVoice` when not.
  public func check(_ voice: String) throws(SpeechError) {
    try check(SpeechVoice(name: voice))
  }

  /// Whether there is such a voice with such a variant; throws `unknownVoice` or `unknownVariant`
  /// when not.
  public func check(_ voice: SpeechVoice) throws(SpeechError) {
    let choice = try VoiceChoice(voice)
    try Self.withEngine { engine throws(SpeechError) in
      defer { engine.settle() }
      try engine.select(choice)
    }
  }

  /// Every voice, by language.
  public func voices() throws(SpeechError) -> [Voice] {
    try Self.withEngine { engine throws(SpeechError) in engine.voices() }
  }

  /// The languages of the voices, sorted, each once.
  public func languages() throws(SpeechError) -> [String] {
    Set(try voices().map(\.language)).sorted()
  }

  /// Every variant, by name.
  public func variants() throws(SpeechError) -> [String] {
    try Self.withEngine { engine throws(SpeechError) in engine.variants() }
  }

  /// Guards the library's globals; nil until it is first used. Never terminated: version 1.51 hangs when it
  /// is initialised again.
  private static let engine = Mutex<EspeakEngine?>(nil)

  private static func withEngine<Result: Sendable>(
    _ body: (inout EspeakEngine) throws(SpeechError) -> Result
  ) throws(SpeechError) -> Result {
    try engine.withLock { engine throws(SpeechError) in
      if engine == nil { engine = try EspeakEngine() }
      return try body(&engine!)
    }
  }
}
