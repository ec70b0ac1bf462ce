import CueSound

/// Provides words: their lengths, whether their clips are ready, and the clips themselves.
protocol SpeechSource: Sendable {
  /// Whether those clips are ready and those lengths known. Returns at once.
  func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool

  /// How long the words take; nil when they cannot be spoken. Returns at once if `isReady` was true for
  /// them, else may wait for a rendering.
  func length(of text: String, voice: SpeechVoice) -> Nanoseconds?

  /// The words in at most `longest`, spoken faster if necessary; nil if that would be too fast, or if they
  /// cannot be spoken.
  func clip(_ text: String, voice: SpeechVoice, within longest: Nanoseconds) -> PCMClip?
}

extension SpeechLibrary: SpeechSource {
  func clip(_ text: String, voice: SpeechVoice, within longest: Nanoseconds) -> PCMClip? {
    clip(text, voice: voice, within: longest, greatestRate: 450)
  }
}
