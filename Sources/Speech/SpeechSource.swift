import CueSound

/// What is known of words.
package enum Spoken<Value: Sendable>: Sendable {
  case there(Value)
  /// They have not been rendered.
  case missing
  /// They cannot be spoken so.
  case impossible

  package var isMissing: Bool { if case .missing = self { true } else { false } }
}

/// Provides words: their lengths, and the clips themselves.
package protocol SpeechSource: Sendable {
  /// Whether those clips are ready and those lengths known. Returns at once.
  func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool

  /// How long the words take.
  func length(of text: String, voice: SpeechVoice) -> Spoken<Duration>

  /// The words in at most `longest`, spoken faster if necessary; impossible if that would be too fast.
  func clip(
    _ text: String, voice: SpeechVoice, within longest: Duration
  ) -> Spoken<PCMClip>
}

/// The words that a library has rendered. Returns at once: for a caller that must not wait.
package struct RenderedSpeech: SpeechSource {
  private let library: SpeechLibrary

  package init(_ library: SpeechLibrary) { self.library = library }

  package func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool {
    library.isReady(texts, lengthsOf: others, voice: voice)
  }

  package func length(of text: String, voice: SpeechVoice) -> Spoken<Duration> {
    library.renderedLength(of: text, voice: voice)
  }

  package func clip(
    _ text: String, voice: SpeechVoice, within longest: Duration
  ) -> Spoken<PCMClip> {
    library.renderedClip(text, voice: voice, within: longest)
  }
}

/// All words that a library can render: the caller waits for what is missing. For runs on a clock of
/// their own.
package struct SpeechOnTheSpot: SpeechSource {
  private let library: SpeechLibrary

  package init(_ library: SpeechLibrary) { self.library = library }

  package func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool {
    true
  }

  package func length(of text: String, voice: SpeechVoice) -> Spoken<Duration> {
    library.length(of: text, voice: voice).map { .there($0) } ?? .impossible
  }

  package func clip(
    _ text: String, voice: SpeechVoice, within longest: Duration
  ) -> Spoken<PCMClip> {
    library.clip(text, voice: voice, within: longest).map { .there($0) } ?? .impossible
  }
}
