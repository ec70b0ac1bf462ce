import CueSound
import Dispatch
import Synchronization

/// Words as clips ready to be mixed: rendered ahead, trimmed, resampled once, kept.
///
/// Every call of the synthesizer happens on one serial queue. A clip that is needed and not there
/// yet is rendered while the caller waits, which is at most as long as one text takes after the
/// ones already asked for.
public final class SpeechLibrary: Sendable {
  private typealias Key = SpeechMemory.Key

  private struct State {
    var memory: SpeechMemory
    /// Texts requested ahead, in order; the first is being rendered.
    var waiting: [Key] = []
    /// Texts to be measured when nothing else waits, the next one last.
    var unmeasured: [Key] = []
    /// Signalled when both are empty.
    var awaited: [DispatchSemaphore] = []
    /// True while the queue works on either.
    var isAhead = false
    var failure: SpeechError?
  }

  /// The most texts that wait to be rendered, and to be measured: further ones are rendered when they are
  /// needed.
  private static let longestQueue = 4096

  private let synthesizer: any SpeechSynthesizer
  private let converter: any SampleRateConverter
  private let rate: Int
  private let level: @Sendable (PCMClip) -> Float
  private let cache: (any SpeechCache)?
  private let isHeard: Bool
  private let queue = DispatchQueue(label: "cuecoach.speech", qos: .utility)
  /// The calls of `render(_:lengthsOf:voice:then:)` that are not done.
  private let requests = DispatchGroup()
  /// Protects what is known and what waits; never held during a rendering.
  private let state: Mutex<State>

  /// - Parameters:
  ///   - capacity: how many samples are kept; should suffice for the words of a minute or two. The default
  ///     is 1 MiB, enough for two lanes.
  ///   - texts: how many texts' lengths are kept; should suffice for all texts of some minutes.
  ///   - level: the gain that makes a clip as loud as the sounds are.
  ///   - cache: what earlier runs have rendered; its words are as loud as `level` makes them.
  ///   - isHeard: false where only lengths matter: clips may then be silence of the words' length.
  public init(
    _ synthesizer: any SpeechSynthesizer, converter: any SampleRateConverter,
    rate: Int = SampleRate.standard,
    capacity: Int = 1 << 19, texts: Int = 1 << 14, cache: (any SpeechCache)? = nil,
    isHeard: Bool = true,
    level: @escaping @Sendable (PCMClip) -> Float = { _ in 1 }
  ) {
    self.cache = cache
    self.isHeard = isHeard
    state = Mutex(State(memory: SpeechMemory(capacity: capacity, texts: texts)))
    self.synthesizer = synthesizer
    self.converter = converter
    self.rate = rate
    self.level = level
    if let cache { queue.async { cache.load() } }
  }

  /// The words as a clip whose first sample is their onset; nil when they cannot be spoken. Waits
  /// for at most one other text and this one to be rendered.
  package func clip(_ text: String, voice: SpeechVoice) -> PCMClip? {
    let key = Key(text, voice)
    if let known = lookUp(key) { return known }
    return queue.sync {
      if let known = lookUp(key) { return known }
      return render(key)
    }
  }

  /// The words in at most `longest`, spoken no faster than that takes; nil where `greatestRate`
  /// words a minute are too few, or they cannot be spoken. Waits as `clip` does, once or twice: for each
  /// rate that is tried.
  package func clip(
    _ text: String, voice: SpeechVoice, within longest: Nanoseconds, greatestRate: Int = 450
  ) -> PCMClip? {
    var voice = voice
    while let length = length(of: text, voice: voice) {
      if length <= longest {
        guard let clip = clip(text, voice: voice) else { return nil }
        // Rendered again, it may have become longer.
        if clip.length <= longest + Self.unnoticed { return clip }
      }
      guard longest > .zero, voice.rate < greatestRate else { return nil }
      // A little more than in proportion: pauses shrink less than words.
      let slowest = max(length, longest, self.length(of: text, voice: voice) ?? length)
      let factor = 1.02 * Double(slowest.value) / Double(longest.value)
      let rate = (Double(voice.rate) * min(factor, 100)).rounded(.up)
      voice.rate = min(greatestRate, max(voice.rate + 1, Int(rate)))
    }
    return nil
  }

  /// Far less than there is between two announcements.
  private static let unnoticed: Nanoseconds = .milliseconds(20)

  /// How long the words take; nil when they cannot be spoken. At once where
  /// they were rendered not long ago; else waits as `clip` does.
  package func length(of text: String, voice: SpeechVoice) -> Nanoseconds? {
    let key = Key(text, voice)
    if let known = lengthKnown(of: key) { return known }
    return queue.sync {
      if let known = lengthKnown(of: key) { return known }
      return render(key)?.length
    }
  }

  /// Whether those clips are there, and those lengths known. Returns at once.
  package func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool {
    others.allSatisfy { lengthKnown(of: Key($0, voice)) != nil }
      && state.withLock { state in
        texts.allSatisfy { state.memory.clip(of: Key($0, voice)) != nil }
      }
  }

  /// Renders texts as soon as the one that is being rendered is done, then calls `done` on the
  /// library's own thread. Returns at once.
  package func render(
    _ texts: [String], lengthsOf others: [String], voice: SpeechVoice,
    then done: @escaping @Sendable () -> Void
  ) {
    let wanted = texts.map { (key: Key($0, voice), isNeeded: true) }
    let measured = others.map { (key: Key($0, voice), isNeeded: false) }
    requests.enter()
    queue.async { [self] in
      renderEach((wanted + measured)[...]) { [requests] in
        done()
        requests.leave()
      }
    }
  }

  /// Waits until every call of `render(_:lengthsOf:voice:then:)` so far is done, for tests.
  package func finishRendering() { requests.wait() }

  /// Renders one text after another. Each has its own turn of the queue, so that a text that is needed at
  /// once never waits for the others. On the queue.
  private func renderEach(
    _ texts: ArraySlice<(key: Key, isNeeded: Bool)>, then done: @escaping @Sendable () -> Void
  ) {
    let isMissing = { [self] (text: (key: Key, isNeeded: Bool)) in
      text.isNeeded ? lookUp(text.key) == nil : lengthKnown(of: text.key) == nil
    }
    guard let index = texts.firstIndex(where: isMissing) else { return done() }
    _ = render(texts[index].key, isNeeded: texts[index].isNeeded)
    let rest = texts[(index + 1)...]
    queue.async { [self] in renderEach(rest, then: done) }
  }

  /// Renders texts and finds out how long others take, in their order. Waits until all is done or
  /// `patience` is over; the rest continues in the background.
  package func renderFirst(
    _ texts: [(String, SpeechVoice)], lengthsOf others: [(String, SpeechVoice)],
    for patience: Duration
  ) {
    let done = DispatchSemaphore(value: 0)
    renderAhead { state in
      state.waiting += texts.map { Key($0.0, $0.1) }
      state.unmeasured.insert(contentsOf: others.reversed().map { Key($0.0, $0.1) }, at: 0)
      state.awaited.append(done)
    }
    let milliseconds = max(0, min(patience / .milliseconds(1), 86_400_000))
    _ = done.wait(timeout: .now() + .milliseconds(Int(milliseconds)))
    state.withLock { $0.awaited.removeAll { $0 === done } }
  }

  /// Finds out how long texts take, in order, when nothing else is requested. Returns at once.
  package func measure(_ texts: [String], voice: SpeechVoice) {
    renderAhead {
      $0.unmeasured.insert(contentsOf: texts.reversed().map { Key($0, voice) }, at: 0)
    }
  }

  /// Begins to render what will be needed soon. Returns at once.
  package func prefetch(_ texts: [String], voice: SpeechVoice) {
    renderAhead { $0.waiting += texts.map { Key($0, voice) } }
  }

  /// Adds texts to those that are rendered when nothing else is requested.
  private func renderAhead(_ add: (inout State) -> Void) {
    let isNew = state.withLock { state in
      add(&state)
      state.waiting.removeLast(max(0, state.waiting.count - Self.longestQueue))
      state.unmeasured.removeFirst(max(0, state.unmeasured.count - Self.longestQueue))
      defer { state.isAhead = true }
      return !state.isAhead
    }
    if isNew { queue.async { [self] in renderNext() } }
  }

  /// Renders one text that waits, then enqueues the next one, so that a text needed at once comes before
  /// those that wait. On the queue.
  private func renderNext() {
    if let key = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) {
      if lookUp(key) == nil { _ = render(key) }
    } else if let key = state.withLock({ $0.unmeasured.popLast() }) {
      if lengthKnown(of: key) == nil { _ = render(key, isNeeded: false) }
    }
    let isMore = state.withLock { state in
      state.isAhead = !(state.waiting.isEmpty && state.unmeasured.isEmpty)
      if !state.isAhead {
        for done in state.awaited { done.signal() }
        state.awaited = []
      }
      return state.isAhead
    }
    if isMore { queue.async { [self] in renderNext() } }
  }

  /// The first failure since the last call.
  package func takeFailure() -> SpeechError? {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  /// The words, themselves nil where they cannot be spoken; nil where neither is known.
  private func lookUp(_ key: Key) -> PCMClip?? { state.withLock { $0.memory.clip(of: key) } }

  /// The length of a text that has been rendered, itself nil where it cannot be spoken.
  private func lengthKnown(of key: Key) -> Nanoseconds?? {
    if let known = state.withLock({ $0.memory.length(of: key) }) { return known }
    guard let kept = cache?.length(of: key.text, voice: key.voice) else { return nil }
    state.withLock { $0.memory.keep(kept, for: key) }
    return .some(kept)
  }

  /// How much is held, in numbers of clips, samples, lengths and waiting texts.
  package var held: (clips: Int, samples: Int, lengths: Int, waiting: Int) {
    state.withLock { state in
      let memory = state.memory
      return (
        memory.clipCount, memory.samples, memory.lengthCount,
        state.waiting.count + state.unmeasured.count
      )
    }
  }

  /// Has the cache write what it has not written. Waits for the text that is being rendered.
  package func saveCache() {
    guard let cache else { return }
    queue.sync { cache.save() }
  }

  /// On the queue.
  ///
  /// - Parameter isNeeded: false for a clip that is kept only if there is room.
  private func render(_ key: Key, isNeeded: Bool = true) -> PCMClip? {
    if let clip = recall(key) {
      keep(clip, for: key, failure: nil, isNeeded: isNeeded)
      return clip
    }
    var clip: PCMClip?
    var failure: SpeechError?
    do throws(SpeechError) {
      // Trimmed twice: silence need not be resampled, and the filter's ringing before the onset is not
      // part of the word.
      let spoken = try synthesizer.render(key.text, voice: key.voice).trimmed()
      let word =
        isHeard
        ? converter.convert(spoken, to: rate).trimmed().withFirmOnset() : silence(as: spoken)
      // Loudness matters only if the clip is kept.
      let isKept =
        isHeard && (isNeeded || state.withLock { $0.memory.hasRoom(for: word) })
      let said = isKept ? word.scaled(by: level(word)) : word
      if said.count > 0 {
        cache?.keep(said.length, isKept ? said : nil, of: key.text, voice: key.voice)
        clip = said
      }
    } catch {
      failure = error
    }
    keep(clip, for: key, failure: failure, isNeeded: isNeeded)
    return clip
  }

  /// The words as an earlier run rendered them.
  private func recall(_ key: Key) -> PCMClip? {
    guard let cache else { return nil }
    if isHeard { return cache.clip(of: key.text, voice: key.voice) }
    return cache.length(of: key.text, voice: key.voice).map { length in
      PCMClip(rate: rate, count: Int(SampleRate.frames(in: length, at: rate))) { _ in }
    }
  }

  /// As long as the clip, at the rate of the library.
  private func silence(as clip: PCMClip) -> PCMClip {
    PCMClip(rate: rate, count: clip.count * rate / max(1, clip.rate)) { _ in }
  }

  private func keep(_ clip: PCMClip?, for key: Key, failure: SpeechError?, isNeeded: Bool) {
    state.withLock { state in
      state.failure = state.failure ?? failure
      // Failures of these kinds may pass.
      if let failure, failure.kind == .failed || failure.kind == .unavailable { return }
      state.memory.keep(clip?.length, for: key)
      guard let clip, isNeeded || state.memory.hasRoom(for: clip) else { return }
      state.memory.keep(clip, for: key)
    }
  }
}
