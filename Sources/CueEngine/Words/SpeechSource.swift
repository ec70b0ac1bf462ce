import CueSound

/// What can be learned of words before they are heard: how long they are, whether their clips are
/// there, and the clips themselves.
protocol SpeechSource: Sendable {
  /// Whether those clips are there, and those lengths known. Returns at once.
  func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool

  /// How long the words take, nil when they cannot be spoken. At once where `isReady`
  /// has said so, else it may wait for a rendering.
  func length(of text: String, voice: SpeechVoice) -> Nanoseconds?

  /// The words in at most `longest`, faster where they must be; nil where that is too fast, or
  /// they cannot be spoken.
  func clip(_ text: String, voice: SpeechVoice, within longest: Nanoseconds) -> PCMClip?
}

extension SpeechLibrary: SpeechSource {
  func clip(_ text: String, voice: SpeechVoice, within longest: Nanoseconds) -> PCMClip? {
    clip(text, voice: voice, within: longest, greatestRate: 450)
  }
}
