import CueSound
import Dispatch
import Synchronization

/// Words as clips ready to be mixed: rendered ahead, trimmed, resampled once, kept.
///
/// Every call of the synthesizer happens on one serial queue. `rendered…`, `isReady` and all methods that
/// request something return at once. `clip` and `length` wait for words that are not there, for at most
/// as long as two texts take.
public final class SpeechLibrary: Sendable {
  private struct State {
    var clients = 0
    /// Announcements that wait for engines.
    var waits: [SpeechQueue.Request.ID: EngineWait] = [:]
  }

  /// For the library's own synthesizer.
  private let usual: SpeechWorker
  /// For other programs' voices, by the names of the engines.
  private let engines: [String: SpeechWorker]
  private let state = Mutex(State())

  /// A voice and a converter suffice for one workout or two at 48 000 samples a second. More workouts want a
  /// greater `capacity`, and a program that starts often wants a `cache`.
  ///
  /// - Parameters:
  ///   - synthesizer: asked for each text once, ahead of its time.
  ///   - converter: brings words from the synthesizer's rate to `rate`: `SampleRateLibrary()`, of the
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
  ///   - engines: other synthesizers, which may be slow or fail. They speak for the voices that are named after them,
  ///     "flite:slt" of the engine "flite". What they have not spoken in time is spoken by `synthesizer`, in the voice's
  ///     `standIn`: a whole text, and all numbers of a count. None by default.
  ///   - level: the gain of a clip, linear; by default the one that makes it as loud as the sounds are.
  public init(
    _ synthesizer: any SpeechSynthesizer, converter: (any SampleRateConverter)?,
    rate: Int = SampleRate.standard,
    capacity: Int = 1 << 19, texts: Int = 1 << 14, cache: (any SpeechCache)? = nil,
    isHeard: Bool = true, engines: [VoiceEngine] = [],
    level: @escaping @Sendable (PCMClip) -> Float = { Loudness.gain(of: $0) }
  ) {
    let renderer = SpeechRenderer(
      synthesizer: synthesizer, converter: converter, rate: rate, isHeard: isHeard, level: level)
    let memory = SpeechMemory(capacity: capacity, texts: texts)
    usual = SpeechWorker(renderer, memory, cache)
    self.engines = Dictionary(
      engines.map { engine in
        var renderer = renderer
        (renderer.synthesizer, renderer.hasStandIn) = (engine.synthesizer, true)
        renderer.level = engine.level ?? level
        let counts = engine.report.map { CountReport(engine.name, $0) }
        return (engine.name, SpeechWorker(renderer, memory, engine.cache, counts))
      }
    ) { $1 }
  }

  /// Samples a second of its clips.
  package var rate: Int { usual.renderer.rate }

  // MARK: Who speaks

  private var workers: [SpeechWorker] { [usual] + engines.values }

  /// The engine of a voice and the voice as that names it; nil for a voice of the library's own synthesizer.
  private func engine(of voice: SpeechVoice) -> (worker: SpeechWorker, voice: SpeechVoice)? {
    voice.engine.flatMap { engines[$0] }.map { ($0, voice.withinEngine) }
  }

  /// The voice, or the one that speaks where that of an engine does not.
  private func standIn(of voice: SpeechVoice) -> SpeechVoice {
    engine(of: voice) == nil ? voice : voice.ofStandIn
  }

  /// Who speaks a text, and in which voice: the engine unless it cannot, or has not in time.
  private func speaker(
    of text: String, _ voice: SpeechVoice
  ) -> (worker: SpeechWorker, voice: SpeechVoice) {
    guard let engine = engine(of: voice) else { return (usual, voice) }
    if case .some(.none) = engine.worker.lengthKnown(of: Key(text, engine.voice)) {
      return (usual, voice.ofStandIn)
    }
    return engine.worker.lateness(of: text, engine.voice) == nil ? engine : (usual, voice.ofStandIn)
  }

  /// Why another voice speaks a text; nil where the voice itself does. Returns at once.
  package func reasonForStandIn(_ text: String, _ voice: SpeechVoice) -> String? {
    guard let engine = engine(of: voice), speaker(of: text, voice).worker === usual else {
      return nil
    }
    return engine.worker.lateness(of: text, engine.voice)
      ?? engine.worker.fault(of: text, engine.voice) ?? "it cannot say that"
  }

  /// The voice of all numbers of a count: that of the stand-in where the voice itself has not each of them, short enough.
  package func countVoice(_ numbers: [String], _ voice: SpeechVoice) -> SpeechVoice {
    guard let engine = engine(of: voice) else { return voice }
    let isWhole = numbers.allSatisfy { number in
      let longest = AnnouncementLayout.longestCount
      guard speaker(of: number, voice).worker === engine.worker else { return false }
      if case .impossible = engine.worker.fit(number, engine.voice, within: longest) {
        return false
      }
      return true
    }
    return isWhole ? voice : voice.ofStandIn
  }

  private typealias Key = SpeechMemory.Key

  // MARK: What is there

  /// The words in at most `longest`, spoken faster where that is needed; impossible where no voice is so fast. Returns at
  /// once.
  package func renderedClip(
    _ text: String, voice: SpeechVoice, within longest: Duration
  ) -> Spoken<PCMClip> {
    let (worker, voice) = speaker(of: text, voice)
    switch worker.fit(text, voice, within: longest) {
    case .clip(let clip): return .there(clip)
    case .missing: return .missing
    case .impossible: return .impossible
    }
  }

  /// How long the words take; by the stand-in until an engine has spoken them. Returns at once.
  package func renderedLength(of text: String, voice: SpeechVoice) -> Spoken<Duration> {
    let (worker, own) = speaker(of: text, voice)
    guard
      let known = worker.lengthKnown(of: Key(text, own))
        ?? usual.lengthKnown(of: Key(text, standIn(of: voice)))
    else { return .missing }
    return known.map { .there($0) } ?? .impossible
  }

  /// Whether those clips are there, and those lengths known. Returns at once.
  package func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool {
    others.allSatisfy { !renderedLength(of: $0, voice: voice).isMissing }
      && texts.allSatisfy { text in
        let (worker, voice) = speaker(of: text, voice)
        return worker.lookUp(Key(text, voice)) != nil
      }
  }

  // MARK: What the caller waits for

  /// The words as a clip whose first sample is their onset; nil when they cannot be spoken. Waits
  /// for at most one other text and this one to be rendered.
  package func clip(_ text: String, voice: SpeechVoice) -> PCMClip? {
    spoken(text, voice) { worker, voice in
      let key = Key(text, voice)
      return worker.lookUp(key) ?? worker.renderNow(key)
    }
  }

  /// The words in at most `longest`, spoken faster where that is needed; nil where no voice is so fast, or they cannot be
  /// spoken. Waits as `clip` does, once or twice: for each rate that is tried.
  package func clip(_ text: String, voice: SpeechVoice, within longest: Duration) -> PCMClip? {
    spoken(text, voice) { worker, voice in
      while true {
        switch worker.fit(text, voice, within: longest) {
        case .clip(let clip): return clip
        case .impossible: return nil
        // A failure that may pass is not remembered.
        case .missing(let key): guard worker.renderNow(key) != nil else { return nil }
        }
      }
    }
  }

  /// How long the words take; nil when they cannot be spoken. At once where
  /// they were rendered not long ago; else waits as `clip` does.
  package func length(of text: String, voice: SpeechVoice) -> Duration? {
    spoken(text, voice) { worker, voice in
      let key = Key(text, voice)
      return worker.lengthKnown(of: key) ?? worker.renderNow(key)?.length
    }
  }

  /// What an engine says, else what its stand-in does.
  private func spoken<Value>(
    _ text: String, _ voice: SpeechVoice, _ say: (SpeechWorker, SpeechVoice) -> Value?
  ) -> Value? {
    if let engine = engine(of: voice) {
      if let value = say(engine.worker, engine.voice) { return value }
      engine.worker.noteLate(text, engine.voice)
    }
    return say(usual, standIn(of: voice))
  }

  // MARK: What is requested

  /// A number for a program's part that requests words, so that several can share a library.
  package func newClient() -> Int {
    state.withLock { state in
      state.clients += 1
      return state.clients
    }
  }

  /// Renders an announcement's missing words before everything that is less urgent, then calls `done` on a thread of its
  /// own. Returns at once.
  ///
  /// What an engine has not spoken within the patience of `urgency` is spoken by the stand-in instead.
  package func render(
    _ orders: [SpeechOrder], _ urgency: SpeechUrgency, as id: SpeechQueue.Request.ID,
    for owner: SpeechQueue.Owner, then done: @escaping @Sendable () -> Void
  ) {
    let foreign = Dictionary(grouping: orders) { order in
      order.voice.engine.flatMap { engines[$0] == nil ? nil : $0 }
    }
    let names = foreign.keys.compactMap { $0 }
    guard !names.isEmpty else { return usual.add(orders, urgency, id, owner, done) }
    let wait = EngineWait(names.count) { [self] in
      state.withLock { $0.waits[id] = nil }
      usual.add(orders.compactMap(ordered), urgency, id, owner, done)
    }
    state.withLock { $0.waits[id] = wait }
    if urgency.patience != nil {
      // When patience is over, the stand-in's words are there: a busy machine may take long to render them.
      for order in orders {
        guard let (engine, own) = engineOrder(order), engine.missing(for: own) != nil else {
          continue
        }
        usual.renderSoon([order.text], order.voice.ofStandIn, for: owner)
      }
    }
    for name in names {
      let own = (foreign[name] ?? []).compactMap { engineOrder($0)?.order }
      engines[name]?.add(own, urgency, id, owner) { wait.endOne() }
    }
    if let patience = urgency.patience {
      usual.queue.asyncAfter(deadline: .now() + .milliseconds(Int(patience.wholeMilliseconds))) {
        wait.endAll()
      }
    }
  }

  /// An order as the engine of its voice gets it; nil where the voice is the library's own.
  private func engineOrder(_ order: SpeechOrder) -> (engine: SpeechWorker, order: SpeechOrder)? {
    engine(of: order.voice).map { engine in
      (
        engine.worker,
        SpeechOrder(text: order.text, voice: engine.voice, purpose: order.purpose)
      )
    }
  }

  /// What the library's own synthesizer has to do of an order for which the engines have had their time; nil where an
  /// engine has done it.
  private func ordered(_ order: SpeechOrder) -> SpeechOrder? {
    guard let (engine, own) = engineOrder(order) else { return order }
    if engine.missing(for: own) != nil { engine.noteLate(own.text, own.voice) }
    guard speaker(of: order.text, order.voice).worker === usual else { return nil }
    return SpeechOrder(text: order.text, voice: order.voice.ofStandIn, purpose: order.purpose)
  }

  /// An announcement's words are not needed any more: what is not rendered of them is not rendered, and
  /// `done` is not called, unless it is being called now. Returns at once.
  package func stopRendering(_ id: SpeechQueue.Request.ID) {
    state.withLock { $0.waits.removeValue(forKey: id) }?.cancel()
    for worker in workers { worker.remove(id) }
  }

  /// Waits until every call of `render(_:by:as:then:)` so far is done, for tests.
  package func finishRendering() {
    for worker in [SpeechWorker](engines.values) + [usual] { worker.finishRequests() }
  }

  /// The same, and until nothing is left to be rendered ahead, for tests.
  package func finishAllRendering() {
    finishRendering()
    for worker in workers { worker.renderFirst([], lengthsOf: [], for: .seconds(3600)) }
  }

  /// A text to be rendered ahead, and for whom.
  package typealias Ahead = (text: String, voice: SpeechVoice, owner: SpeechQueue.Owner?)

  /// Renders texts and finds out how long others take, in their order. Waits until all is done or
  /// `patience` is over; the rest continues in the background. No engine is waited for: its stand-in's words are there.
  package func renderFirst(_ texts: [Ahead], lengthsOf others: [Ahead], for patience: Duration) {
    for (text, voice, owner) in texts where engine(of: voice) != nil {
      prefetch([text], voice: voice, for: owner)
    }
    func ownVoice(_ ahead: Ahead) -> Ahead { (ahead.text, standIn(of: ahead.voice), ahead.owner) }
    usual.renderFirst(texts.map(ownVoice), lengthsOf: others.map(ownVoice), for: patience)
  }

  /// Finds out how long texts take, in order, when nothing else is requested. Returns at once.
  package func measure(_ texts: [String], voice: SpeechVoice, for owner: SpeechQueue.Owner? = nil) {
    if let engine = engine(of: voice) { engine.worker.measure(texts, engine.voice, for: owner) }
    usual.measure(texts, standIn(of: voice), for: owner)
  }

  /// Begins to render what will be needed soon. Returns at once.
  package func prefetch(_ texts: [String], voice: SpeechVoice, for owner: SpeechQueue.Owner? = nil)
  {
    guard let engine = engine(of: voice) else { return usual.renderSoon(texts, voice, for: owner) }
    engine.worker.renderSoon(texts, engine.voice, for: owner)
    // The number of a repetition waits for nobody: where the engine has it not, the stand-in has.
    usual.renderSoon(texts.filter { Int($0) != nil }, voice.ofStandIn, for: owner)
  }

  /// Nothing more is rendered ahead for that owner alone. Returns at once.
  package func forget(_ owner: SpeechQueue.Owner) { for worker in workers { worker.forget(owner) } }

  // MARK: The library as a whole

  /// The first failure of its own synthesizer since the last call.
  package func takeFailure() -> SpeechError? { usual.takeFailure() }

  /// How much is held, in numbers of clips, samples, lengths and waiting texts.
  package var held: (clips: Int, samples: Int, lengths: Int, waiting: Int) { usual.held }

  /// Has the caches write what they have not written. Waits for the text that is being rendered, but for that of no engine.
  package func saveCache() {
    usual.saveCache(isPatient: true)
    for engine in engines.values { engine.saveCache(isPatient: false) }
  }
}
