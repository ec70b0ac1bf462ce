/// Words that were rendered before, perhaps by an earlier run. Optional: what it does not hold is
/// rendered, and what it cannot keep is rendered again.
///
/// It ignores a voice's gain. Any thread; every method but `length` may wait for a disk.
public protocol SpeechCache: Sendable {
  /// Reads what there is. Before that the cache is empty.
  func load()

  /// Asks the synthesizer, which may take its time, whether it is the one whose words were kept. False where it is
  /// another: none of them is there any more. True while it does not say, and once it has said; by default always.
  func confirm() -> Bool

  /// How long the words take; nil where that is not known. Returns at once.
  func length(of text: String, voice: SpeechVoice) -> Duration?

  /// The words that were kept; nil where there are none.
  func clip(of text: String, voice: SpeechVoice) -> PCMClip?

  /// Keeps how long the words take and, where there is room, the words themselves.
  ///
  /// - Parameter clip: nil where the length alone is worth keeping.
  func keep(_ length: Duration, _ clip: PCMClip?, of text: String, voice: SpeechVoice)

  /// Writes what has not been written. The last call.
  func save()
}

extension SpeechCache {
  public func confirm() -> Bool { true }
}
