import CueSound

extension SpeechLibrary {
  func length(of text: String, voice: SpeechVoice) -> Int64? {
    clip(text, voice: voice)?.nanoseconds
  }
  func clip(_ text: String, voice: SpeechVoice, within room: Int64) -> PCMClip? {
    clip(text, voice: voice).flatMap { $0.nanoseconds <= room ? $0 : nil }
  }
}

extension SpeechLibrary {
  func measure(_ texts: [(String, SpeechVoice)], for patience: Duration) {}
}
