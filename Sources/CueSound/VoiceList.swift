/// The voices that a synthesizer has. Its methods may wait for the engine; any thread.
public protocol VoiceList: Sendable {
  /// Throws `unknownVoice` or `unknownVariant` where there is no such voice, and `unavailable` where
  /// nothing can speak.
  func check(_ voice: SpeechVoice) throws(SpeechError)

  /// What voices are asked for by, such as "en-gb", sorted, each once.
  func languages() throws(SpeechError) -> [String]

  /// Every variant that a voice can have, by name.
  func variants() throws(SpeechError) -> [String]

  /// The languages that a voice of an engine speaks, such as "en"; nil for any, and for other voices, whose names are
  /// languages. Nil unless the list says something else.
  func languages(of voice: SpeechVoice) -> [String]?
}

extension VoiceList {
  public func languages(of voice: SpeechVoice) -> [String]? { nil }
}
