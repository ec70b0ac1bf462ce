import CueSound
import Dispatch
import Synchronization

/// Words as clips ready to be mixed: rendered ahead, trimmed, resampled once, kept.
///
/// Every call of the synthesizer happens on one serial queue. A clip that is needed and not there
/// yet is rendered while the caller waits, which is at most as long as one text takes after the
/// ones already asked for.
public final class SpeechLibrary: Sendable {
  private struct Key: Hashable {
    let text: String
    let voice: SpeechVoice
  }

  private struct Entry {
    /// Nil for a text that cannot be spoken.
    let clip: PCMClip?
    var used: UInt64
  }

  private struct State {
    var clips: [Key: Entry] = [:]
    /// What was asked for ahead, in order; the first is being rendered.
    var waiting: [Key] = []
    var samples = 0
    var uses: UInt64 = 0
    var failure: SpeechError?
  }

  /// The most samples kept; what was used longest ago goes first.
  private let capacity: Int
  private let synthesizer: any SpeechSynthesizer
  private let converter: any SampleRateConverter
  private let rate: Int
  private let queue = DispatchQueue(label: "cuecoach.speech", qos: .utility)
  /// Protects the cache; never held while rendering.
  private let state = Mutex(State())

  /// - Parameter capacity: how many samples are kept; enough for what is said within a minute or
  ///   two. The default is 1 MiB, which is right for two lanes.
  public init(
    _ synthesizer: any SpeechSynthesizer, converter: any SampleRateConverter, rate: Int = 48_000,
    capacity: Int = 1 << 19
  ) {
    self.capacity = capacity
    self.synthesizer = synthesizer
    self.converter = converter
    self.rate = rate
  }

  /// The words as a clip whose first sample is their onset; nil when they cannot be spoken. Waits
  /// for at most one other text and this one to be rendered.
  public func clip(_ text: String, voice: SpeechVoice) -> PCMClip? {
    let key = Key(text: text, voice: voice)
    if let known = lookUp(key) { return known.clip }
    return queue.sync {
      if let known = lookUp(key) { return known.clip }
      return render(key)
    }
  }

  /// Begins to render what will be needed soon. Returns at once.
  public func prefetch(_ texts: [String], voice: SpeechVoice) {
    let isIdle = state.withLock { state in
      defer { state.waiting += texts.map { Key(text: $0, voice: voice) } }
      return state.waiting.isEmpty
    }
    if isIdle, !texts.isEmpty { queue.async { [self] in renderNext() } }
  }

  /// Renders one text that waits. The next one takes its place in the queue anew, so that a text
  /// needed at once comes before all that still wait. On the queue.
  private func renderNext() {
    guard let key = state.withLock({ $0.waiting.first }) else { return }
    if lookUp(key) == nil { _ = render(key) }
    let isMore = state.withLock { state in
      state.waiting.removeFirst()
      return !state.waiting.isEmpty
    }
    if isMore { queue.async { [self] in renderNext() } }
  }

  /// The first thing that went wrong since the last call, for one plain line.
  public func takeFailure() -> SpeechError? {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  private func lookUp(_ key: Key) -> Entry? {
    state.withLock {
      guard $0.clips[key] != nil else { return nil }
      $0.uses += 1
      $0.clips[key]?.used = $0.uses
      return $0.clips[key]
    }
  }

  /// On the queue.
  private func render(_ key: Key) -> PCMClip? {
    var clip: PCMClip?
    var failure: SpeechError?
    do throws(SpeechError) {
      // Trimmed before as well as after: what is silence need not be resampled, and the filter's
      // own ringing before the onset is no part of the word.
      let spoken = try synthesizer.render(key.text, voice: key.voice).trimmed()
      clip = converter.convert(spoken, to: rate).trimmed()
    } catch {
      failure = error
    }
    if clip?.count == 0 { clip = nil }
    keep(clip, for: key, failure: failure)
    return clip
  }

  private func keep(_ clip: PCMClip?, for key: Key, failure: SpeechError?) {
    state.withLock { state in
      state.uses += 1
      state.failure = state.failure ?? failure
      // What failed once for want of something else may succeed the next time.
      if let failure, failure.kind != .text, failure.kind != .unknownVoice { return }
      state.clips[key] = Entry(clip: clip, used: state.uses)
      state.samples += clip?.count ?? 0
      while state.samples > capacity, state.clips.count > 1,
        let oldest = state.clips.min(by: { $0.value.used < $1.value.used })?.key
      {
        state.samples -= state.clips.removeValue(forKey: oldest)?.clip?.count ?? 0
      }
    }
  }
}
