/// Words that were rendered before, by an earlier run perhaps. A help and no more: what it does not
/// know is rendered, and what it cannot keep is not kept.
///
/// A voice's gain is none of its business. Any thread; all but `length` may wait for a disk.
public protocol SpeechCache: Sendable {
  /// Looks at what there is. Nothing is known before.
  func load()

  /// How long the words take in nanoseconds; nil where that is not known. Returns at once.
  func length(of text: String, voice: SpeechVoice) -> Int64?

  /// The words as they were kept; nil where they were not.
  func clip(of text: String, voice: SpeechVoice) -> PCMClip?

  /// Keeps how long the words take and, as far as there is room, the words themselves.
  ///
  /// - Parameter clip: nil where the length alone is worth keeping.
  func keep(_ length: Int64, _ clip: PCMClip?, of text: String, voice: SpeechVoice)

  /// Writes what has not been written: nothing more will be asked.
  func save()
}
