import CueSound

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
