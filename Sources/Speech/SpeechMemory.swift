import CueSound

/// Words that have been rendered: clips up to a number of samples, and lengths up to a number of texts.
/// The least recently used are forgotten first. Clips as short as the numbers of a count have a quarter of the room for
/// themselves: each count needs them, and there is little time to render them.
package struct SpeechMemory: Sendable {
  package struct Key: Hashable, Sendable {
    package let text: String
    package let voice: SpeechVoice

    package init(_ text: String, _ voice: SpeechVoice) {
      var voice = voice
      // The mixer applies the gain: one clip serves all gains.
      voice.gain = 1
      (voice.standIn, voice.refusal) = (nil, nil)
      self.text = text
      self.voice = voice
    }

    /// Few texts are said by more than one voice.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(text)
      hasher.combine(voice.rate)
    }
  }

  private struct Entry {
    let clip: PCMClip
    var used: UInt64

    var isShort: Bool { clip.length <= AnnouncementLayout.longestCount }
  }

  private let capacity: Int
  private var clips: [Key: Entry] = [:]
  package private(set) var samples = 0
  /// Of the short ones.
  private var shortSamples = 0
  private var uses: UInt64 = 0
  /// Nil for a text that cannot be spoken.
  private var lengths: RecentValues<Key, Duration?>

  /// - Parameters:
  ///   - capacity: the most samples kept, except that a single longer clip is kept too.
  ///   - texts: the most lengths kept.
  package init(capacity: Int, texts: Int) {
    self.capacity = capacity
    lengths = RecentValues(limit: texts)
  }

  package var clipCount: Int { clips.count }
  package var lengthCount: Int { lengths.count }

  /// The words, themselves nil where they cannot be spoken; nil where neither is known.
  package mutating func clip(of key: Key) -> PCMClip?? {
    guard let place = clips.index(forKey: key) else {
      if case .some(.none) = lengths.value(for: key) { return .some(nil) }
      return nil
    }
    uses += 1
    clips.values[place].used = uses
    return clips.values[place].clip
  }

  /// How long they take, itself nil where they cannot be spoken; nil where neither is known.
  package mutating func length(of key: Key) -> Duration?? { lengths.value(for: key) }

  package mutating func keep(_ length: Duration?, for key: Key) { lengths.set(length, for: key) }

  package func hasRoom(for clip: PCMClip) -> Bool { samples + clip.count <= capacity }

  package mutating func keep(_ clip: PCMClip, for key: Key) {
    uses += 1
    let entry = Entry(clip: clip, used: uses)
    if let former = clips.updateValue(entry, forKey: key) { count(former, -1) }
    count(entry, 1)
    while samples > capacity, clips.count > 1 {
      let keepsShort = shortSamples <= capacity / 4
      let oldest = clips.lazy.filter { !(keepsShort && $0.value.isShort) && $0.key != key }
        .min { $0.value.used < $1.value.used }
      guard let oldest = oldest ?? clips.min(by: { $0.value.used < $1.value.used }) else { return }
      clips[oldest.key] = nil
      count(oldest.value, -1)
    }
  }

  /// As if the text had never been rendered.
  package mutating func forget(_ key: Key) {
    lengths.remove(key)
    if let former = clips.removeValue(forKey: key) { count(former, -1) }
  }

  private mutating func count(_ entry: Entry, _ sign: Int) {
    samples += sign * entry.clip.count
    if entry.isShort { shortSamples += sign * entry.clip.count }
  }
}
