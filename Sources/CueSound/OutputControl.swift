/// Decides what the audio thread does: how far to fill the queue, when to look at the device, what
/// its answers mean, and what to do when it fails.
///
/// The holder calls `turn`, does the step it gets back, and reports the result with the method that
/// the step names, which returns the next step, until the step is to wait. Every instant is an
/// argument, in nanoseconds of CLOCK_BOOTTIME. Neither allocates, locks nor counts references.
public struct OutputControl: ~Copyable {
  public struct Settings: BitwiseCopyable, Sendable {
    /// Frames a second.
    public var rate: Int
    /// What follows the device delays the sound by so much, nanoseconds.
    public var latency: Int64
    /// False for an output to nobody.
    public var hasDevice: Bool
    /// The device stays open in a pause.
    public var staysOpen: Bool

    public init(rate: Int, latency: Int64, hasDevice: Bool, staysOpen: Bool) {
      self.rate = rate
      self.latency = latency
      self.hasDevice = hasDevice
      self.staysOpen = staysOpen
    }
  }

  /// What the last step was for.
  enum Stage: BitwiseCopyable {
    case resting
    case opening
    /// Asking where the device is, knowing nothing.
    case relocking
    /// At this instant the device was thought to be at this frame.
    case looking(believed: Int64, at: Int64)
    /// More than this has been queued.
    case takingBack(surplus: Int64)
    /// Filling the queue of a device that plays.
    case filling(isFar: Bool)
    /// Filling the queue of one that is about to.
    case priming
    /// Some devices say that they take frames back and do not: it is tried with so many.
    case tryingRewind(Int)
    case refilling
    case starting
    case preparing
    case resuming
    case givingUp
  }

  /// What a failure interrupts.
  enum Situation: BitwiseCopyable {
    case closed
    case opening
    case playing
    case recovering
  }

  let settings: Settings
  var sound: RenderedSound
  var clock: CardClock
  var stage = Stage.resting
  var situation = Situation.closed
  /// The device was lost, and has not played since.
  public internal(set) var isLost = false

  var retryAt: Int64 = 0
  var backOff = BackOff()
  var fill = QueueFill()
  var watch = ProgressWatch(frame: 0, at: 0)
  /// The one that was opened last.
  var device = OpenedDevice(buffer: 0, period: 0, isServer: false, isSame: false, drift: nil)
  /// The device gives back what it has not played.
  var rewinds = false
  var isPaused = false
  /// A command concerns what is rendered already.
  var wantsRewind = false
  var startedAt: Int64 = 0
  /// The first frame since the device was started.
  var firstFrame: Int64 = 0
  /// Where the filling ends.
  var fillEnd: Int64 = 0
  var resumeTries = 0
  /// When the next turn is to come at the latest.
  var dueAt = Int64.max
  /// Since when nothing has run.
  private var idleSince: Int64?
  /// CLOCK_BOOTTIME less CLOCK_MONOTONIC: grows while the machine sleeps.
  private var asleep: Int64

  /// The most that is rendered at a time, frames.
  public static var block: Int { 480 }
  /// Between two turns, nanoseconds.
  static let pace: Int64 = 22_000_000
  static let silentPace: Int64 = 50_000_000
  /// What is never taken back: the hardware may have fetched it already.
  private static let fetched: Int64 = 25_000_000
  /// From handing a sound over to the audio thread's turn, on a machine that is not slow.
  private static let handOver: Int64 = 10_000_000
  /// A turn that comes so much later has slept.
  private static let oversleep: Int64 = 500_000_000
  /// A map that was wrong by so much is worth rendering anew.
  private static let wrong: Int64 = 5_000_000
  /// How long after a workout the device is kept, for the next command.
  private static let grace: Int64 = 5_000_000_000

  /// - Parameters:
  ///   - tap: the ring of a tap that outlives this.
  ///   - asleep: how long the machine has slept so far, nanoseconds.
  public init(
    mixer: consuming Mixer, settings: Settings, tap: Ring<Int16>?, at now: Int64, asleep: Int64
  ) {
    self.settings = settings
    self.asleep = asleep
    sound = RenderedSound(mixer, tap: tap)
    clock = CardClock(rate: settings.rate, drift: nil, isServer: false, at: now)
  }

  /// When which frame is heard by the person, behind whatever follows the device.
  var map: FrameMap {
    var map = clock.map
    map.nanoseconds += settings.latency
    return map
  }

  /// What is handed over so long before it is due is heard on its frame, nanoseconds; nil where that
  /// is not known.
  public var reach: Int64? {
    settings.hasDevice ? rewinds ? Self.fetched + Self.handOver : nil : 0
  }

  /// What the device's drift is worth keeping as, parts per million.
  public var learnedDrift: Double? { clock.learnedDrift }

  // MARK: Turns

  /// Begins a turn.
  ///
  /// - Parameters:
  ///   - asleep: how long the machine has slept so far, nanoseconds.
  ///   - activity: what the output is needed for.
  ///   - hardwareChanged: a device has come, or its permissions have changed.
  public mutating func turn(
    at now: Int64, asleep: Int64, for activity: OutputActivity, hardwareChanged: Bool
  ) -> OutputStep {
    isPaused = activity != .running
    wantsRewind = sound.mixer.takeCommands(map: map)
    let hasSlept = asleep - self.asleep > 1_000_000
    self.asleep = max(self.asleep, asleep)
    if mayRest(at: now, activity) { return rest(at: now) }
    if hardwareChanged {
      // The system needs a moment to set the permissions.
      retryAt = min(retryAt, now + 100_000_000)
      backOff.reset()
    }
    if situation == .closed {
      guard settings.hasDevice, now >= retryAt else { return goOnSilently(at: now) }
      passSilently(at: now)
      stage = .opening
      return .open
    }
    // The machine or this process slept, and the device with it.
    if hasSlept || now - dueAt > Self.oversleep {
      watch.overslept(at: now)
      stage = .relocking
      return .observe
    }
    return play(at: now)
  }

  /// Ends everything: what was still to be heard is reported as withdrawn. The holder closes the
  /// device.
  public mutating func end(at now: Int64) {
    if situation != .closed { letGo(at: now) }
    sound.end()
  }

  private mutating func mayRest(at now: Int64, _ activity: OutputActivity) -> Bool {
    guard activity != .running, sound.mixer.voiceCount == 0 else {
      idleSince = nil
      return false
    }
    let since = idleSince ?? now
    idleSince = since
    // A sink that falls asleep in a pause would swallow the first cue after it.
    // A sound server takes seconds until it knows its own delay again.
    if activity == .paused, settings.staysOpen || device.isServer { return false }
    return situation == .closed || now - since >= Self.grace
  }

  /// Lets go of the device. A recording goes on.
  private mutating func rest(at now: Int64) -> OutputStep {
    if situation != .closed { letGo(at: now) }
    retryAt = 0
    backOff.reset()
    stage = .resting
    guard sound.isRecording else { return .rest(nanoseconds: .max) }
    passSilently(at: now)
    return .rest(nanoseconds: 10 * Self.silentPace)
  }

  mutating func letGo(at now: Int64) {
    settle(at: now)
    sound.realign(to: clock.map.frame(at: now))
    sound.mixer.breakOff()
    situation = .closed
  }

  // MARK: With a device

  /// Looks where the device is, if it is time; then fills its queue.
  mutating func play(at now: Int64) -> OutputStep {
    situation = .playing
    guard clock.wantsLook(at: now) else { return followCommands(at: now) }
    stage = .looking(believed: clock.map.frame(at: now), at: now)
    return .observe
  }

  /// The device was asked for its position.
  public mutating func observed(
    _ position: DevicePosition, from begin: Int64, to end: Int64
  ) -> OutputStep {
    guard case .looking = stage else { return relock(delay: position.delay, asked: begin, at: end) }
    return looked(
      clock.observe(position, written: sound.written, from: begin, to: end), at: end)
  }

  /// The device's own buffer holds so many frames.
  public mutating func counted(queued: Int64, at now: Int64) -> OutputStep {
    hasPlayed(upTo: sound.written - queued, at: now)
  }

  mutating func looked(_ look: CardClock.Look, at now: Int64) -> OutputStep {
    switch look {
    case .again: .observe
    case .queue: .countQueued
    case .played(let frame): hasPlayed(upTo: frame, at: now)
    }
  }

  /// The device says that it has played up to `frame`.
  private mutating func hasPlayed(upTo frame: Int64, at now: Int64) -> OutputStep {
    switch watch.look(played: frame, written: sound.written, at: now) {
    case .waiting, .plays: break
    case .stuck: return giveUp(.stuck, at: now)
    case .proven:
      backOff.reset()
      if isLost { sound.mixer.reportBack(at: startedAt) }
      isLost = false
    }
    if case .looking(let believed, let then) = stage {
      // It stood still, or did not do what it said: what is queued was placed by a wrong map.
      let moved = abs(clock.map.frame(at: then) - believed)
      wantsRewind = wantsRewind || moved > frames(in: Self.wrong)
    }
    allowLate()
    return followCommands(at: now)
  }

  private mutating func followCommands(at now: Int64) -> OutputStep {
    wantsRewind ? rewind(at: now) : fillQueue(at: now)
  }

  /// Takes back what can still be changed.
  mutating func rewind(at now: Int64) -> OutputStep {
    if rewinds {
      let surplus =
        sound.written - clock.map.frame(at: now + Self.fetched) - clock.deviceDelay
      if surplus > 0 {
        stage = .takingBack(surplus: surplus)
        return .rewind(frames: Int(surplus))
      }
    }
    sound.dropPending()
    return tookBack(at: now)
  }

  private mutating func tookBack(at now: Int64) -> OutputStep {
    situation == .playing ? fillQueue(at: now) : hasBegun(at: now)
  }

  /// The device gave back so many frames.
  public mutating func rewound(_ count: Int, at now: Int64) -> OutputStep {
    switch stage {
    case .takingBack(let surplus):
      // It does not keep what it promised at the start.
      rewinds = Int64(count) >= surplus - Int64(device.period)
      sound.stepBack(to: sound.written - Int64(count))
      return tookBack(at: now)
    case .tryingRewind(let half):
      rewinds = count == half
      sound.stepBack(to: sound.next - Int64(count))
      stage = .refilling
      return fillOn(at: now)
    default: preconditionFailure("frames were taken back that nobody asked for")
    }
  }

  /// Reports what has been heard: by the clock, but never more than the device has played.
  mutating func settle(at now: Int64) {
    sound.heard(
      upTo: min(clock.map.frame(at: now), sound.written), confirmed: clock.confirmed, map: map,
      by: .heard)
  }

  func frames(in nanoseconds: Int64) -> Int64 {
    Int64(settings.rate) * nanoseconds / 1_000_000_000
  }

  // MARK: Without a device

  mutating func goOnSilently(at now: Int64) -> OutputStep {
    passSilently(at: now)
    let wait = sound.mixer.voiceCount > 0 ? Self.silentPace : 5 * Self.silentPace
    return .wait(
      nanoseconds: settings.hasDevice ? min(wait, max(1_000_000, retryAt - now)) : wait)
  }

  /// Renders what nobody hears, at the pace of the clock, so that the sound comes back in place.
  private mutating func passSilently(at now: Int64) {
    let end = clock.map.frame(at: now)
    // After a sleep there is nothing to catch up with.
    if end - sound.next > Int64(2 * settings.rate) { sound.mixer.skip(to: end) }
    sound.renderSilently(upTo: end, map: map)
    let audience: Mixer.Audience =
      settings.hasDevice ? .lost : sound.isRecording ? .heard : .silent
    sound.heard(upTo: sound.next, confirmed: nil, map: map, by: audience)
  }
}
