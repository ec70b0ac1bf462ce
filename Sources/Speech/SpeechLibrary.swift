import CueSound
import Dispatch
import Synchronization

/// Words as clips ready to be mixed: rendered ahead, trimmed, resampled once, kept.
///
/// Every call of the synthesizer happens on one serial queue. `rendered…`, `isReady` and all methods that
/// request something return at once. `clip` and `length` wait for words that are not there, for at most
/// as long as two texts take.
public final class SpeechLibrary: Sendable {
  private typealias Key = SpeechMemory.Key

  private struct State {
    var memory: SpeechMemory
    var queue = SpeechQueue()
    /// Signalled when nothing is to be rendered ahead.
    var awaited: [DispatchSemaphore] = []
    /// True while something is to be rendered.
    var isWorking = false
    var failure: SpeechError?
    var clients = 0
  }

  private let renderer: SpeechRenderer
  private let cache: (any SpeechCache)?
  private let queue = DispatchQueue(label: "cuecoach.speech")
  /// The calls of `render(_:by:as:then:)` that are not done.
  private let requests = DispatchGroup()
  /// Protects what is known and what waits; never held during a rendering.
  private let state: Mutex<State>

  /// A voice and a converter suffice for one workout or two at 48 000 samples a second. More workouts want a
  /// greater `capacity`, and a program that starts often wants a `cache`.
  ///
  /// - Parameters:
  ///   - synthesizer: asked for each text once, ahead of its time.
  ///   - converter: brings words from the synthesizer's rate to `rate`: `SampleRateLibrary(.speech)`, of the
  ///     product `SoundFiles`, unless a test has its own. Nil only for a voice that speaks at `rate` by itself:
  ///     its words are taken as they are. Words that have another rate in the end are not said, and
  ///     `EngineEvent.speechFailed` has both rates.
  ///   - rate: that of the engine's sounds, in samples a second; 48 000 by default.
  ///   - capacity: how many samples are kept; should suffice for the words of a minute or two. The default
  ///     is 1 MiB, enough for two lanes.
  ///   - texts: how many texts' lengths are kept; should suffice for all texts of some minutes.
  ///   - cache: what earlier runs have rendered; its words are as loud as `level` makes them. By default every
  ///     run renders its own.
  ///   - isHeard: false where only lengths matter: clips may then be silence of the words' length, and nothing
  ///     is converted. True by default.
  ///   - level: the gain of a clip, linear; by default the one that makes it as loud as the sounds are.
  public init(
    _ synthesizer: any SpeechSynthesizer, converter: (any SampleRateConverter)?,
    rate: Int = SampleRate.standard,
    capacity: Int = 1 << 19, texts: Int = 1 << 14, cache: (any SpeechCache)? = nil,
    isHeard: Bool = true,
    level: @escaping @Sendable (PCMClip) -> Float = { Loudness.gain(of: $0) }
  ) {
    self.cache = cache
    state = Mutex(State(memory: SpeechMemory(capacity: capacity, texts: texts)))
    renderer = SpeechRenderer(
      synthesizer: synthesizer, converter: converter, rate: rate, isHeard: isHeard, level: level)
    if let cache { queue.async { cache.load() } }
  }

  /// Samples a second of its clips.
  package var rate: Int { renderer.rate }

  // MARK: What is there

  /// The words in at most `longest`, spoken no faster than that takes; impossible where `maxRate` words
  /// a minute are too few. Returns at once.
  package func renderedClip(
    _ text: String, voice: SpeechVoice, within longest: Duration,
    maxRate: Int = SpeechLibrary.maxRate
  ) -> Spoken<PCMClip> {
    switch fit(text, voice, within: longest, maxRate) {
    case .clip(let clip): .there(clip)
    case .missing: .missing
    case .impossible: .impossible
    }
  }

  /// How long the words take. Returns at once.
  package func renderedLength(of text: String, voice: SpeechVoice) -> Spoken<Duration> {
    guard let known = lengthKnown(of: Key(text, voice)) else { return .missing }
    return known.map { .there($0) } ?? .impossible
  }

  /// Whether those clips are there, and those lengths known. Returns at once.
  package func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool {
    others.allSatisfy { lengthKnown(of: Key($0, voice)) != nil }
      && state.withLock { state in
        texts.allSatisfy { state.memory.clip(of: Key($0, voice)) != nil }
      }
  }

  /// What is rendered of words that have to be said in some time.
  private enum Fit {
    case clip(PCMClip)
    /// That text at that rate has to be rendered first.
    case missing(Key)
    case impossible
  }

  /// Looks for the least rate at which the words are short enough.
  private func fit(
    _ text: String, _ voice: SpeechVoice, within longest: Duration, _ maxRate: Int
  ) -> Fit {
    var voice = voice
    while true {
      let key = Key(text, voice)
      guard let known = lengthKnown(of: key) else { return .missing(key) }
      guard var length = known else { return .impossible }
      if length <= longest {
        guard let known = lookUp(key) else { return .missing(key) }
        guard let clip = known else { return .impossible }
        if clip.length <= longest + Self.unnoticed { return .clip(clip) }
        // Rendered again, it has become longer.
        length = clip.length
      }
      guard longest > .zero, voice.rate < maxRate else { return .impossible }
      // A little more than in proportion: pauses shrink less than words.
      let factor =
        1.02 * Double(max(length, longest).wholeNanoseconds) / Double(longest.wholeNanoseconds)
      let rate = (Double(voice.rate) * min(factor, 100)).rounded(.up)
      voice.rate = min(maxRate, max(voice.rate + 1, Int(rate)))
    }
  }

  /// Words a minute: faster words are not understood.
  package static let maxRate = 450

  /// Far less than there is between two announcements.
  private static let unnoticed: Duration = .milliseconds(20)

  // MARK: What the caller waits for

  /// The words as a clip whose first sample is their onset; nil when they cannot be spoken. Waits
  /// for at most one other text and this one to be rendered.
  package func clip(_ text: String, voice: SpeechVoice) -> PCMClip? {
    let key = Key(text, voice)
    return lookUp(key) ?? renderNow(key)
  }

  /// The words in at most `longest`, spoken no faster than that takes; nil where `maxRate`
  /// words a minute are too few, or they cannot be spoken. Waits as `clip` does, once or twice: for each
  /// rate that is tried.
  package func clip(
    _ text: String, voice: SpeechVoice, within longest: Duration,
    maxRate: Int = SpeechLibrary.maxRate
  ) -> PCMClip? {
    while true {
      switch fit(text, voice, within: longest, maxRate) {
      case .clip(let clip): return clip
      case .impossible: return nil
      // A failure that may pass is not remembered.
      case .missing(let key): guard renderNow(key) != nil else { return nil }
      }
    }
  }

  /// How long the words take; nil when they cannot be spoken. At once where
  /// they were rendered not long ago; else waits as `clip` does.
  package func length(of text: String, voice: SpeechVoice) -> Duration? {
    let key = Key(text, voice)
    return lengthKnown(of: key) ?? renderNow(key)?.length
  }

  private func renderNow(_ key: Key) -> PCMClip? {
    queue.sync { lookUp(key) ?? render(key) }
  }

  // MARK: What is requested

  /// A number for a program's part that requests words, so that several can share a library.
  package func newClient() -> Int {
    state.withLock { state in
      state.clients += 1
      return state.clients
    }
  }

  /// Renders an announcement's missing words before everything that is less urgent, then calls `done` on the library's own thread. Returns at once.
  package func render(
    _ orders: [SpeechOrder], _ urgency: SpeechUrgency, as id: SpeechQueue.Request.ID,
    for owner: SpeechQueue.Owner, then done: @escaping @Sendable () -> Void
  ) {
    requests.enter()
    request {
      $0.queue.add(.init(id: id, owner: owner, orders: orders[...], urgency: urgency, done: done))
    }
  }

  /// An announcement's words are not needed any more: what is not rendered of them is not rendered, and
  /// `done` is not called, unless it is being called now. Returns at once.
  package func stopRendering(_ id: SpeechQueue.Request.ID) {
    if state.withLock({ $0.queue.remove(id) }) { requests.leave() }
  }

  /// Waits until every call of `render(_:by:as:then:)` so far is done, for tests.
  package func finishRendering() { requests.wait() }

  /// The same, and until nothing is left to be rendered ahead, for tests.
  package func finishAllRendering() {
    requests.wait()
    renderFirst([], lengthsOf: [], for: .seconds(3600))
  }

  /// A text to be rendered ahead, and for whom.
  package typealias Ahead = (text: String, voice: SpeechVoice, owner: SpeechQueue.Owner?)

  /// Renders texts and finds out how long others take, in their order. Waits until all is done or
  /// `patience` is over; the rest continues in the background.
  package func renderFirst(_ texts: [Ahead], lengthsOf others: [Ahead], for patience: Duration) {
    let done = DispatchSemaphore(value: 0)
    request { state in
      for (text, voice, owner) in texts { state.queue.renderSoon([Key(text, voice)], for: owner) }
      for (text, voice, owner) in others { state.queue.measure([Key(text, voice)], for: owner) }
      state.awaited.append(done)
    }
    let milliseconds = max(0, min(patience / .milliseconds(1), 86_400_000))
    _ = done.wait(timeout: .now() + .milliseconds(Int(milliseconds)))
    state.withLock { $0.awaited.removeAll { $0 === done } }
  }

  /// Finds out how long texts take, in order, when nothing else is requested. Returns at once.
  package func measure(_ texts: [String], voice: SpeechVoice, for owner: SpeechQueue.Owner? = nil) {
    request { $0.queue.measure(texts.map { Key($0, voice) }, for: owner) }
  }

  /// Begins to render what will be needed soon. Returns at once.
  package func prefetch(_ texts: [String], voice: SpeechVoice, for owner: SpeechQueue.Owner? = nil)
  {
    request { $0.queue.renderSoon(texts.map { Key($0, voice) }, for: owner) }
  }

  /// Nothing more is rendered ahead for that owner alone. Returns at once.
  package func forget(_ owner: SpeechQueue.Owner) { state.withLock { $0.queue.forget(owner) } }

  // MARK: Rendering

  /// Adds to what is to be rendered.
  private func request(_ add: (inout State) -> Void) {
    let isNew = state.withLock { state in
      add(&state)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if isNew { queue.async { [self] in renderNext() } }
  }

  /// Renders one text, then enqueues the next one, so that a caller who waits for a text waits for at most
  /// one other. On the queue.
  private func renderNext() {
    let (request, ahead) = state.withLock { state in
      let request = state.queue.request
      return (request, request == nil ? state.queue.nextAhead() : nil)
    }
    if let request { renderNext(of: request) }
    if let (key, isNeeded) = ahead {
      let isMissing = isNeeded ? lookUp(key) == nil : lengthKnown(of: key) == nil
      if isMissing { _ = render(key, isNeeded: isNeeded) }
    }
    let isMore = state.withLock { state in
      state.isWorking = !state.queue.isEmpty
      if state.queue.isEmptyAhead {
        for done in state.awaited { done.signal() }
        state.awaited = []
      }
      return state.isWorking
    }
    if isMore { queue.async { [self] in renderNext() } }
  }

  /// Renders the next missing text of an announcement. On the queue.
  private func renderNext(of request: SpeechQueue.Request) {
    for order in request.orders {
      if let (key, isNeeded) = missing(for: order) {
        // What has failed is not tried again. Words that have to be fast may take another rendering.
        let hasFailed = render(key, isNeeded: isNeeded) == nil
        state.withLock {
          $0.queue.noteRendering(of: request)
          if hasFailed { $0.queue.finishOrder(of: request.id) }
        }
        return
      }
      state.withLock { $0.queue.finishOrder(of: request.id) }
    }
    if state.withLock({ $0.queue.remove(request.id) }) {
      request.done()
      requests.leave()
    }
  }

  /// What has to be rendered next for an order; nil when it is done.
  private func missing(for order: SpeechOrder) -> (key: Key, isNeeded: Bool)? {
    let key = Key(order.text, order.voice)
    switch order.purpose {
    case .length: return lengthKnown(of: key) == nil ? (key, false) : nil
    case .clip: return lookUp(key) == nil ? (key, true) : nil
    case .fitting(let longest):
      guard
        case .missing(let key) = fit(order.text, order.voice, within: longest, Self.maxRate)
      else { return nil }
      return (key, true)
    }
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
  private func lengthKnown(of key: Key) -> Duration?? {
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
        memory.clipCount, memory.samples, memory.lengthCount, state.queue.countAhead
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
      let word = try renderer.render(key.text, voice: key.voice)
      // Loudness matters only if the clip is kept.
      let isKept =
        renderer.isHeard && (isNeeded || state.withLock { $0.memory.hasRoom(for: word) })
      let said = isKept ? renderer.levelled(word) : word
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
    if renderer.isHeard { return cache.clip(of: key.text, voice: key.voice) }
    return cache.length(of: key.text, voice: key.voice).map(renderer.silence)
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
