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

  package func countVoice(_ numbers: [String], _ voice: SpeechVoice) -> SpeechVoice {
    library.countVoice(numbers, voice)
  }

  package func reasonForStandIn(_ text: String, _ voice: SpeechVoice) -> String? {
    library.reasonForStandIn(text, voice)
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

  package func countVoice(_ numbers: [String], _ voice: SpeechVoice) -> SpeechVoice {
    for number in numbers where voice.engine != nil {
      _ = library.clip(number, voice: voice, within: AnnouncementLayout.longestCount)
    }
    return library.countVoice(numbers, voice)
  }

  package func reasonForStandIn(_ text: String, _ voice: SpeechVoice) -> String? {
    library.reasonForStandIn(text, voice)
  }
}
