import CueSound
import Dispatch
import IntervalTimeline
import Synchronization
import Words

/// Runs workouts aloud: any number of lanes over one check loop and one output.
///
/// All state lives on one serial queue, on which a timer checks every 0.5 s while a workout runs.
/// The check decides and hands off, 1.5 s ahead; the output places the sound on its sample.
public final class CueEngine: LaneCommands {
  /// How an engine works. It is given to the engine's initialiser, and fixed from then on.
  public struct Settings: Sendable {
    /// Which cues the workouts have, and when. A lane's `LaneStyle` replaces the densities and, where it has
    /// one, the countdown.
    public var plan = CuePlan()
    /// No announcement is made twice within this time; 10 s by default.
    public var duplicateWindow = Duration.seconds(10)
    /// How often the check runs; 0.5 s by default. Above zero: the engine's initialiser traps otherwise.
    public var checkInterval = Duration.milliseconds(500)
    /// False for a test on a clock of its own: the engine has no timer, and checks only in `checkNow()`.
    public var checksByItself = true
    /// False: words are rendered on the spot, so that the ledger does not depend on how fast that is.
    package var waitsForWords = true
    /// How many clips may wait or sound at once, over all lanes; further ones are missed. 1024 by default.
    public var voices = 1024
    /// The most time from the start command to workout time zero, besides the output's own latency. It
    /// allows for opening the output, so that the first cue is not late; an output that plays already needs
    /// less. 0.2 s by default.
    public var startLead = Duration.milliseconds(200)
    /// How much earlier than a cue is due the output needs it, as the output reports.
    var outputLatency = Duration.zero
    /// The wall clock as a text for people, in the ledger's `start` lines alone. Called on the check queue.
    /// Without another: RFC 3339 in UTC, in milliseconds.
    public var wallClock: @Sendable () -> String = WallClock.now
    /// When the machine sleeps longer than this, every workout is paused where the sleep began; nil: never.
    /// 5 s by default.
    public var pausedBySleep: Duration? = .seconds(5)
    /// After more time than this without a check, every running workout says where it is. 5 s by
    /// default.
    public var stall = Duration.seconds(5)

    /// Every setting at its default.
    public init() {}
  }

  let loop: CheckLoop
  private let speech: SpeechLibrary?
  /// How many engines there were so far.
  private static let count = Atomic(0)
  private static func nextNumber() -> Int { count.add(1, ordering: .relaxed).newValue }
  let feed: EngineFeed
  public var access: LaneAccess { LaneAccess(loop: loop, feed: feed) }
  /// Signalled when the output has been opened, or cannot be.
  private let isOpened = DispatchSemaphore(value: 0)
  /// Signalled when `shutDown` is done.
  private let isShutDown = DispatchSemaphore(value: 0)

  /// The closures may give commands, and no method that blocks. An engine that is released without
  /// `shutDown` stops checking and closes the output; what was still to be heard is in the ledger then, too.
  ///
  /// - Precondition: each setting is in its range, `speech` renders at the rate of `sounds`, `output` is
  ///   no other engine's and its latency 0 to 60 s, and `clock` says less than a century. Anything else ends the
  ///   program with a sentence.
  /// - Parameters:
  ///   - output: started at once; it owns the device and the mixer. It has to play at the rate of `sounds`.
  ///   - sounds: of each lane that is given none of its own; `SoundPack()` has the built-in ones.
  ///   - speech: nil for a run without words.
  ///   - settings: fixed from now on.
  ///   - clock: CLOCK_BOOTTIME unless a test brings its own. While it is behind an instant that it has
  ///     returned before, no time passes.
  ///   - sleepClock: how long the machine has slept since it booted.
  ///   - ledger: called for every event, as it becomes known; on the check queue, as the other closures.
  ///   - events: called with what happens to the lanes and the device.
  ///   - keep: called with each lane's session whenever it has changed, and every ten seconds while it runs: what
  ///     is to be on disk when the program ends.
  ///   - beat: called after each check.
  public init(
    output: any SoundOutput, sounds: SoundPack, speech: SpeechLibrary?,
    settings: Settings = Settings(), clock: @escaping @Sendable () -> BootInstant = BootClock.now,
    sleepClock: @escaping @Sendable () -> Duration = BootClock.slept,
    ledger: @escaping @Sendable (LedgerEvent) -> Void = { _ in },
    events: @escaping @Sendable (EngineEvent) -> Void = { _ in },
    keep: (@Sendable (LaneID, SessionRecord) -> Void)? = nil,
    beat: (@Sendable (BootInstant) -> Void)? = nil
  ) {
    let latency = output.latency
    let misuse = settings.misuse ?? speech?.misuse(with: sounds) ?? latencyMisuse(latency)
    if let misuse { fatalError(misuse) }
    var settings = settings
    settings.outputLatency = latency
    settings.startLead += settings.outputLatency
    let link = MixerLink(voices: settings.voices, rate: sounds.rate)
    let feed = EngineFeed()
    self.feed = feed
    self.speech = speech
    var coach = Coach(
      link: link, sounds: sounds, speech: speech, settings: settings, engine: Self.nextNumber(),
      write: { event in
        ledger(event)
        feed.ledger.send(event)
      },
      emit: { event in
        events(event)
        feed.send(event)
      }, keep: keep)
    coach.performer.outbox.speak = { feed.spoken.send($0) }
    loop = CheckLoop(
      coach, output, settings, clock: clock, sleepClock: sleepClock, beat: beat)
    // Without the loop, which holds the output.
    output.start(link) {
      [queue = loop.queue, state = loop.state, clock = loop.clock, isOpened] event in
      queue.async {
        state.value.note(event, at: clock)
        state.value.coach.withPerformer { $0.note(event) }
        if event.isOfOpening { isOpened.signal() }
      }
    }
  }

  // Perhaps on the check queue, which waits for the output's thread then; that thread never waits for the
  // queue.
  deinit {
    // After `shutDown` nothing is left to be done.
    guard !feed.isFinished else { return }
    loop.output.stop()
    loop.queue.async { [loop, feed] in
      loop.end()
      loop.close()
      feed.finish()
    }
  }

  /// Adds a workout under a name of its own; it waits for `start`. The engine removes it when nothing
  /// more will be heard of it. Its name is free as soon as it has stopped or finished, while its last
  /// sounds fade. Not from an `events` closure.
  ///
  /// - Parameters:
  ///   - name: of no other lane that is not over; spoken before announcements while several lanes run. 1 to 500
  ///     characters on one line, not all of them invisible.
  ///   - timeline: the workout, laid out.
  ///   - style: how the lane is announced, whatever `Workout.style` asks for.
  ///   - sounds: the lane's own; those of the engine when nil.
  ///   - record: of a workout that has run before; it waits for `restore` then.
  /// - Throws: `LaneError`; nothing has changed then.
  public func addLane(
    _ name: String, timeline: Timeline, style: LaneStyle = LaneStyle(),
    sounds: SoundPack? = nil, restoring record: SessionRecord? = nil
  ) throws(LaneError) -> LaneID {
    try loop.wait { [self] in
      add(name, timeline: timeline, style: style, sounds: sounds, restoring: record)
    }.get()
  }

  /// On the queue.
  func add(
    _ name: String, timeline: Timeline, style: LaneStyle, sounds: SoundPack?,
    restoring record: SessionRecord?
  ) -> Result<LaneID, LaneError> {
    guard !loop.state.value.isShutDown else { return .failure(.shutDown) }
    return Result { () throws(LaneError) in
      let lane = try loop.state.value.coach.addLane(
        name, timeline: timeline, style: style, sounds: sounds, restoring: record)
      let now = loop.clock()
      loop.state.value.coach.withPerformer {
        $0.outbox.append(.emit(.added($0.lanes.status(of: lane, at: now))))
      }
      return lane
    }
  }

  /// The most lanes that have not ended. Each check works for all of them, and one voice speaks for them.
  public static let maxLanes = 100

  /// A lane to resume, and how; `alive` is when its program was last alive, nil if unknown.
  public typealias Restoration = (lane: LaneID, mode: RestoreMode, alive: BootInstant?)

  /// Resumes lanes that were added with `restoring:`, and announces that. A lane is resumed once.
  ///
  /// - Parameters:
  ///   - lanes: those to be resumed, all at the instant of the call, and how each continues.
  ///   - answer: called on the check queue: `done` if a lane was resumed, `noEffect` where none waits for it.
  public func restore(
    _ lanes: [Restoration], answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    loop.perform(answer) { [self] in $0.coach.restore(lanes, at: loop.clock()) }
  }

  /// A lane's session as it is now, after `shutDown` as it was then; nil where the lane has ended. Blocks
  /// until the check queue is free. Not from a closure that was given to the initialiser.
  public func record(of lane: LaneID) -> SessionRecord? {
    loop.wait { [self] in
      let now = loop.state.value.instant(at: loop.clock())
      return loop.state.value.coach.lanes.contains(lane)
        ? loop.state.value.coach.lanes[lane].record(at: now) : nil
    }
  }

  /// Opens the output for the coming start, and renders what is said in the first second. Blocks until that is done,
  /// for at most `patience`; the rest is rendered and measured ahead of its time while the workout runs. After
  /// `shutDown` it does nothing. Not from an `events` closure.
  ///
  /// - Parameters:
  ///   - lanes: those that are to start; nil: all.
  ///   - patience: 0.4 s by default; the words of a long catalogue may take longer.
  public func prepare(_ lanes: [LaneID]? = nil, within patience: Duration = .milliseconds(400)) {
    // Forget earlier openings.
    while isOpened.wait(timeout: .now()) == .success {}
    let opening = DispatchTime.now() + Self.longestOpening
    let first = loop.wait {
      [self] () -> (
        words: [(
          wait: Duration, wording: CueWording, voice: SpeechVoice, owner: SpeechQueue.Owner
        )],
        isOpen: Bool
      )? in
      guard !loop.state.value.isShutDown else { return nil }
      let now = loop.clock()
      let isOpen = loop.state.value.openedAt != nil
      loop.state.value.preparedAt = now
      if !isOpen { loop.state.value.openedAt = now }
      loop.state.value.activity = .running
      loop.output.setActivity(.running)
      loop.output.wake()
      let performer = loop.state.value.coach.performer
      let words = performer.lanes.firstWords(of: lanes, at: now).map {
        (
          $0.wait, $0.wording, performer.lanes[$0.lane].style.voice,
          performer.outbox.speechOwner($0.lane)
        )
      }
      return (words, isOpen)
    }
    guard let (words, isOpen) = first else { return }
    // In the order in which they are said; those of later have time while the workout begins.
    let count = words.prefix { $0.wait < Self.firstMoment }.count
    for (words, patience) in [(words[..<count], patience), (words[count...], .zero)]
    where !words.isEmpty {
      speech?.renderFirst(
        words.flatMap { words in words.wording.likelyTexts.map { ($0, words.voice, words.owner) } },
        lengthsOf: words.flatMap { words in
          words.wording.texts.map { ($0, words.voice, words.owner) }
        },
        for: patience)
    }
    // An output that plays already needs no time to open.
    if !isOpen { _ = isOpened.wait(timeout: opening) }
  }

  /// What is said later after the start does not delay it.
  private static let firstMoment = Duration.seconds(1)

  /// The longest wait for the output to open: the usual lead allows for a slower one.
  private static let longestOpening = DispatchTimeInterval.milliseconds(60)

  /// Starts lanes so that workout time zero is at `instant`, to the sample; as soon as the output
  /// can where that is too soon. Meant for up to a minute ahead: the output runs from now on.
  ///
  /// - Parameters:
  ///   - lanes: each one that is `ready`.
  ///   - instant: of `BootClock`, at most a day ahead.
  ///   - answer: called on the check queue: `done` if a lane has been started; `refused` for more than a day
  ///     ahead.
  public func start(
    _ lanes: [LaneID], at instant: BootInstant, answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    guard canStart(at: instant) else {
      loop.perform(answer) { _ in .refused("a start more than 24 hours ahead") }
      return
    }
    access.send(.start, toEach: lanes, at: instant) { answer?($0.answer) }
  }

  /// False for an instant that is too far ahead for a start.
  package func canStart(at instant: BootInstant) -> Bool {
    instant <= loop.clock() + .seconds(24 * 3600)
  }

  /// Runs the check now, for a test that advances the clock given to the initialiser, with
  /// `Settings.checksByItself` false: call it every `Settings.checkInterval` of that clock. Blocks until it is
  /// done. Not from the closures given to the initialiser.
  public func checkNow() { loop.wait { [loop] in loop.check() } }

  /// Stops checking, closes the output and ends every subscription. Blocks until the audio thread has
  /// ended. What was still to be heard is in the ledger as withdrawn. A further call waits for the first one
  /// and does nothing; commands are answered with `shutDown` from now on. Not from an `events` closure.
  public func shutDown() {
    let isFirst = loop.wait { [loop] in loop.end() }
    guard isFirst else {
      isShutDown.wait()
      isShutDown.signal()
      return
    }
    loop.output.stop()
    loop.wait { [loop, feed] in
      loop.close()
      feed.finish()
    }
    speech?.saveCache()
    isShutDown.signal()
  }
}
