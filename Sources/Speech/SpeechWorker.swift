import CueSound
import Dispatch
import Synchronization

/// Renders the texts of one synthesizer, one after another on a queue of its own, and keeps what it has rendered.
final class SpeechWorker: Sendable {
  typealias Key = SpeechMemory.Key

  private struct State {
    var memory: SpeechMemory
    var queue = SpeechQueue()
    /// Signalled when nothing is to be rendered ahead.
    var awaited: [DispatchSemaphore] = []
    /// True while something is to be rendered.
    var isWorking = false
    var failure: SpeechError?
    var hasLoaded = false
    /// Texts that were not there in time, and why, until they have been rendered.
    var late = RecentValues<Key, String?>(limit: 1024)
    /// What an engine has said last. It is kept on the disk once the engine has said more, or nothing is missing: a program
    /// that is then found at fault may have said something else, which is forgotten.
    var newest: Said?
    /// Why texts could not be rendered, until they have been.
    var faults = RecentValues<Key, String?>(limit: 1024)
  }

  private struct Said {
    let key: Key
    let length: Duration
    let clip: PCMClip?
  }

  let renderer: SpeechRenderer
  private let cache: (any SpeechCache)?
  private let counts: CountReport?
  let queue = DispatchQueue(label: "cuecoach.speech")
  /// Reads an engine's words of earlier runs while `queue` waits for the engine.
  private let recalling = DispatchQueue(label: "cuecoach.speech.recall")
  /// The requests that are not done.
  private let requests = DispatchGroup()
  /// A memory without words.
  private let nothing: SpeechMemory
  /// Protects what is known and what waits; never held during a rendering.
  private let state: Mutex<State>

  init(
    _ renderer: SpeechRenderer, _ memory: SpeechMemory, _ cache: (any SpeechCache)?,
    _ counts: CountReport? = nil
  ) {
    (self.renderer, self.cache, self.counts, nothing) = (renderer, cache, counts, memory)
    state = Mutex(State(memory: memory))
    // Nobody may need an engine.
    if !renderer.hasStandIn { queue.async { [self] in loadCache() } }
  }

  // MARK: What is there

  /// What is rendered of words that have to be said in some time.
  enum Fit {
    case clip(PCMClip)
    /// That text at that rate has to be rendered first.
    case missing(Key)
    case impossible
  }

  /// Looks for the least rate at which the words are short enough.
  func fit(_ text: String, _ voice: SpeechVoice, within longest: Duration) -> Fit {
    var voice = voice
    let maxRate = renderer.synthesizer.fastestRate(of: voice)
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

  /// Far less than there is between two announcements.
  private static let unnoticed: Duration = .milliseconds(20)

  /// The words, themselves nil where they cannot be spoken; nil where neither is known.
  func lookUp(_ key: Key) -> PCMClip?? { state.withLock { $0.memory.clip(of: key) } }

  /// The length of a text that has been rendered, itself nil where it cannot be spoken.
  func lengthKnown(of key: Key) -> Duration?? {
    if let known = state.withLock({ $0.memory.length(of: key) }) { return known }
    guard let kept = cache?.length(of: key.text, voice: key.voice) else { return nil }
    state.withLock { $0.memory.keep(kept, for: key) }
    return .some(kept)
  }

  /// What has to be rendered next for an order; nil when it is done.
  func missing(for order: SpeechOrder) -> (key: Key, isNeeded: Bool)? {
    let key = Key(order.text, order.voice)
    switch order.purpose {
    case .length: return lengthKnown(of: key) == nil ? (key, false) : nil
    case .clip: return lookUp(key) == nil ? (key, true) : nil
    case .fitting(let longest):
      guard case .missing(let key) = fit(order.text, order.voice, within: longest) else {
        return nil
      }
      return (key, true)
    }
  }

  /// Why a text was not there in time; nil where it was, or is by now.
  func lateness(of text: String, _ voice: SpeechVoice) -> String? {
    state.withLock { $0.late.value(for: Self.atAnyRate(text, voice)) } ?? nil
  }

  /// Why a text cannot be said; nil where nothing is known against it.
  func fault(of text: String, _ voice: SpeechVoice) -> String? {
    state.withLock { $0.faults.value(for: Self.atAnyRate(text, voice)) } ?? nil
  }

  func noteLate(_ text: String, _ voice: SpeechVoice) {
    state.withLock { state in
      let key = Self.atAnyRate(text, voice)
      let fault: String? = state.faults.value(for: key) ?? nil
      state.late.set(fault ?? "it was not ready in time", for: key)
    }
  }

  private static func atAnyRate(_ text: String, _ voice: SpeechVoice) -> Key {
    var voice = voice
    voice.rate = 0
    return Key(text, voice)
  }

  /// The first failure since the last call.
  func takeFailure() -> SpeechError? {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  /// How much is held, in numbers of clips, samples, lengths and waiting texts.
  var held: (clips: Int, samples: Int, lengths: Int, waiting: Int) {
    state.withLock { state in
      let memory = state.memory
      return (
        memory.clipCount, memory.samples, memory.lengthCount, state.queue.countAhead
      )
    }
  }

  /// Has the cache write what it has not written.
  ///
  /// - Parameter isPatient: whether the text that is being rendered is waited for.
  func saveCache(isPatient: Bool) {
    guard let cache else { return }
    write(nil)
    if isPatient { queue.sync { cache.save() } } else { cache.save() }
  }

  // MARK: What is requested

  /// Waits for at most one other text and this one.
  func renderNow(_ key: Key) -> PCMClip? {
    queue.sync {
      loadCache()
      confirmCache()
      return lookUp(key) ?? render(key)
    }
  }

  func add(
    _ orders: [SpeechOrder], _ urgency: SpeechUrgency, _ id: SpeechQueue.Request.ID,
    _ owner: SpeechQueue.Owner, _ done: @escaping @Sendable () -> Void
  ) {
    requests.enter()
    request {
      $0.queue.add(.init(id: id, owner: owner, orders: orders[...], urgency: urgency, done: done))
    }
    if renderer.hasStandIn, cache != nil {
      recalling.async { [self] in recall(orders, id, done) }
    }
  }

  func remove(_ id: SpeechQueue.Request.ID) {
    if state.withLock({ $0.queue.remove(id) }) { requests.leave() }
  }

  /// Waits until all requests so far are done.
  func finishRequests() { requests.wait() }

  /// Renders texts and finds out how long others take, in their order. Waits until all is done or `patience` is over; the
  /// rest continues in the background.
  func renderFirst(
    _ texts: [SpeechLibrary.Ahead], lengthsOf others: [SpeechLibrary.Ahead], for patience: Duration
  ) {
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

  func measure(_ texts: [String], _ voice: SpeechVoice, for owner: SpeechQueue.Owner?) {
    request { $0.queue.measure(texts.map { Key($0, voice) }, for: owner) }
  }

  func renderSoon(_ texts: [String], _ voice: SpeechVoice, for owner: SpeechQueue.Owner?) {
    request { $0.queue.renderSoon(texts.map { Key($0, voice) }, for: owner) }
  }

  func forget(_ owner: SpeechQueue.Owner) { state.withLock { $0.queue.forget(owner) } }

  // MARK: Rendering

  /// Reads what earlier runs have rendered, once. On the queue.
  private func loadCache() {
    let isFirst = state.withLock { state in
      defer { state.hasLoaded = true }
      return !state.hasLoaded
    }
    if isFirst { cache?.load() }
  }

  /// Forgets the words of earlier runs if another synthesizer has made them. On the queue.
  private func confirmCache() {
    guard let cache, !cache.confirm() else { return }
    recalling.sync { state.withLock { $0.memory = nothing } }
  }

  /// Ends a request for which earlier runs have rendered everything. On `recalling`.
  private func recall(
    _ orders: [SpeechOrder], _ id: SpeechQueue.Request.ID, _ done: @Sendable () -> Void
  ) {
    loadCache()
    for order in orders {
      while let (key, isNeeded) = missing(for: order) {
        guard let clip = recall(key) else { return }
        keep(clip, for: key, failure: nil, isNeeded: isNeeded)
      }
    }
    if state.withLock({ $0.queue.remove(id) }) {
      done()
      requests.leave()
    }
  }

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
    loadCache()
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
    if isMore { queue.async { [self] in renderNext() } } else { confirmCache() }
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

  /// On the queue.
  ///
  /// - Parameter isNeeded: false for a clip that is kept only if there is room.
  private func render(_ key: Key, isNeeded: Bool = true) -> PCMClip? {
    if let clip = recall(key) {
      keep(clip, for: key, failure: nil, isNeeded: isNeeded)
      return clip
    }
    confirmCache()
    var clip: PCMClip?
    var failure: SpeechError?
    do throws(SpeechError) {
      let word = try renderer.render(key.text, voice: key.voice)
      // Loudness matters only if the clip is kept.
      let isKept =
        renderer.isHeard
        && (isNeeded || renderer.hasStandIn || state.withLock { $0.memory.hasRoom(for: word) })
      let said = isKept ? renderer.levelled(word) : word
      if said.count > 0 {
        write(
          key.voice.isPassing
            ? nil : Said(key: key, length: said.length, clip: isKept ? said : nil))
        clip = said
      }
    } catch {
      failure = error
      counts?.note(error, of: key.text, key.voice)
      if error.kind == .unavailable {
        state.withLock { state in
          if let newest = state.newest { state.memory.forget(newest.key) }
          state.newest = nil
        }
      }
    }
    keep(clip, for: key, failure: failure, isNeeded: isNeeded)
    return clip
  }

  /// Hands to the cache what was said before `newest`; of the usual synthesizer that, too.
  private func write(_ newest: Said?) {
    let said = state.withLock { state in
      defer { state.newest = renderer.hasStandIn ? newest : nil }
      return [state.newest, renderer.hasStandIn ? nil : newest].compactMap { $0 }
    }
    for said in said {
      cache?.keep(said.length, said.clip, of: said.key.text, voice: said.key.voice)
    }
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
      let text = Self.atAnyRate(key.text, key.voice)
      state.faults.set(failure?.detail, for: text)
      if clip != nil { state.late.set(nil, for: text) }
      // Failures of these kinds may pass.
      if let failure, failure.kind == .failed || failure.kind == .unavailable { return }
      state.memory.keep(clip?.length, for: key)
      guard let clip, isNeeded || state.memory.hasRoom(for: clip) else { return }
      state.memory.keep(clip, for: key)
    }
  }
}
