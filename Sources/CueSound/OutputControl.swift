/// Decides what the audio thread does: how far to fill the queue, when to ask the device, what its
/// answers mean, and what to do when it fails.
///
/// The holder calls `turn`, performs the step that it returns, and reports the result with the method
/// that `OutputStep` names. That method returns the next step, and so on until a step says to wait; then
/// the next turn begins. Every instant is an argument. No method allocates, locks or counts references.
///
/// ```
///           open, prime, start         xrun, sleep
///   closed ───────▶ opening ──▶ playing ◀────────▶ recovering
///     ▲                │           │ no workout        │
///     └────────────────┴───────────┴─ or a failure ────┘
/// ```
package struct OutputControl: ~Copyable {
  package struct Settings: BitwiseCopyable, Sendable {
    /// Frames a second.
    package var rate: Int
    /// The delay of whatever follows the device, such as a radio link.
    package var latency: Duration
    /// False where no device was requested.
    package var hasDevice: Bool
    /// The device stays open in a pause.
    package var staysOpen: Bool

    package init(rate: Int, latency: Duration, hasDevice: Bool, staysOpen: Bool) {
      self.rate = rate
      self.latency = latency
      self.hasDevice = hasDevice
      self.staysOpen = staysOpen
    }
  }

  let settings: Settings
  var sound: RenderedSound
  var clock: CardClock
  var stage = OutputStage.resting
  var situation = DeviceSituation.closed(last: nil)
  /// nil where it was never lost, or has played since.
  var loss: DeviceLoss?
  /// No workout runs: all are paused, or there is none.
  var isPaused = false
  /// Queued sound is out of date: a command changed it, or a wrong map placed it.
  var wantsRewind = false
  /// Where the filling ends.
  var fillEnd: Frames = 0
  /// When the next turn is to come at the latest.
  var dueAt = BootInstant.never
  /// Since when no workout has run and no voice has waited or sounded.
  private var idleSince: BootInstant?
  /// The machine has slept since the turn before.
  var hasSlept = false
  /// CLOCK_BOOTTIME less CLOCK_MONOTONIC: grows while the machine sleeps.
  private var asleep: Duration

  /// The most that is rendered at a time, frames.
  package static var block: Int { 480 }
  /// Between two turns.
  static let pace: Duration = .milliseconds(22)
  static let silentPace: Duration = .milliseconds(50)
  /// A turn that comes later than this shows that the process has slept.
  private static let oversleep: Duration = .milliseconds(500)
  /// When the machine has slept longer than this, the device has slept too.
  private static let noticedSleep: Duration = .milliseconds(1)
  /// The shortest wait for a lost device.
  private static let shortestRetry: Duration = .milliseconds(1)
  /// When the map turns out to be wrong by more than this, the queued sound is rendered again.
  private static let mapTolerance: Duration = .milliseconds(5)
  /// How long the device is kept open after a workout, for the next command.
  private static let grace: Duration = .seconds(5)

  /// - Parameters:
  ///   - tap: the ring of a tap that outlives this.
  ///   - asleep: how long the machine has slept so far.
  package init(
    mixer: consuming Mixer, settings: Settings, tap: Ring<Int16>?, at now: BootInstant,
    asleep: Duration
  ) {
    self.settings = settings
    self.asleep = asleep
    sound = RenderedSound(mixer, tap: tap)
    clock = CardClock(rate: settings.rate, drift: nil, isServer: false, at: now)
  }

  /// When the listener hears which frame: after the latency of whatever follows the device.
  var map: FrameMap {
    var map = clock.map
    map.instant += settings.latency
    return map
  }

  /// A sound that is handed over this long before it is due is heard on its frame; nil where that is not
  /// known.
  package var minimumLeadTime: Duration? {
    settings.hasDevice ? situation.last?.minimumLeadTime(delay: delay) : .zero
  }

  /// The device's drift, once it is known well enough to be kept, parts per million.
  package var learnedDrift: Double? { clock.learnedDrift }

  /// The device was lost, and has not played since.
  package var isLost: Bool { loss != nil }

  /// The device that is open.
  var device: OpenDevice {
    get {
      guard case .open(let device) = situation else {
        fatalError("a result was given for a device that is not open")
      }
      return device
    }
    set { situation = .open(newValue) }
  }

  /// The delay behind the device's own buffer.
  var delay: Duration { SampleRate.length(of: clock.deviceDelay, at: settings.rate) }

  // MARK: Turns

  /// Begins a turn.
  ///
  /// - Parameters:
  ///   - asleep: how long the machine has slept so far.
  ///   - activity: what the output is needed for.
  ///   - hardwareChanged: a device has come, or its permissions have changed.
  package mutating func turn(
    at now: BootInstant, asleep: Duration, for activity: OutputActivity, hardwareChanged: Bool
  ) -> OutputStep {
    isPaused = activity != .running
    // A turn that failed before the rewind leaves it to the next one.
    let isOutOfDate = sound.mixer.takeCommands(map: map)
    wantsRewind = isOutOfDate || (wantsRewind && situation.isOpen)
    hasSlept = asleep - self.asleep > Self.noticedSleep
    self.asleep = max(self.asleep, asleep)
    if mayRest(at: now, activity) { return rest(at: now) }
    if hardwareChanged { loss?.hardwareChanged(at: now) }
    if !situation.isOpen {
      guard settings.hasDevice, now >= loss?.retryAt ?? .boot else { return waitForDevice(at: now) }
      renderWithoutDevice(at: now)
      stage = .opening
      return .open
    }
    // The machine or this process slept, so the map may no longer hold.
    if hasSlept || now - dueAt > Self.oversleep {
      device.watch.overslept(at: now)
      stage = .relocking
      return .observe
    }
    return play(at: now)
  }

  /// Ends everything: what was still to be heard is reported as withdrawn. The holder closes the
  /// device.
  package mutating func end(at now: BootInstant) {
    if situation.isOpen { close(at: now) }
    sound.end()
  }

  /// True when the device may be closed. Keeps the time since when it has not been needed.
  private mutating func mayRest(at now: BootInstant, _ activity: OutputActivity) -> Bool {
    guard activity != .running, sound.mixer.voiceCount == 0 else {
      idleSince = nil
      return false
    }
    let since = idleSince ?? now
    idleSince = since
    // A sink that falls asleep during a pause would swallow the first cue after it.
    // A sound server takes seconds until it knows its own delay again.
    if activity == .paused, settings.staysOpen || situation.last?.isServer == true { return false }
    return !situation.isOpen || now - since >= Self.grace
  }

  /// Closes the device. A recording continues.
  private mutating func rest(at now: BootInstant) -> OutputStep {
    if situation.isOpen { close(at: now) }
    loss?.rest()
    stage = .resting
    guard sound.isRecording else { return .rest(.unlimited) }
    renderWithoutDevice(at: now)
    return .rest(Self.silentPace * 10)
  }

  /// The holder closes the device next: what it has not played by now will not be heard.
  mutating func close(at now: BootInstant) {
    writeOffQueue(at: now)
    situation = .closed(last: device)
  }

  /// What is queued will not be heard: what has begun by now is over, and what begins later waits again.
  mutating func writeOffQueue(at now: BootInstant) {
    settle(at: now, confirmed: clock.confirmed)
    sound.resync(to: clock.map.frame(at: now))
    sound.mixer.breakOff()
  }

  // MARK: With a device

  /// Asks for the device's position if it is time, then fills its queue.
  mutating func play(at now: BootInstant) -> OutputStep {
    device.phase = .playing
    guard clock.wantsLook(at: now) else { return followCommands(at: now) }
    stage = .looking(expected: clock.map.frame(at: now), at: now)
    return .observe
  }

  /// The device was asked for its position.
  package mutating func observed(
    _ position: DevicePosition, from begin: BootInstant, to end: BootInstant
  ) -> OutputStep {
    guard case .looking = stage else { return relock(delay: position.delay, asked: begin, at: end) }
    return looked(
      clock.observe(position, written: sound.written, from: begin, to: end), at: end)
  }

  /// The device's own buffer holds this many frames.
  package mutating func counted(queued: Frames, at now: BootInstant) -> OutputStep {
    hasPlayed(upTo: sound.written - queued, at: now)
  }

  mutating func looked(_ look: CardClock.PositionQuery, at now: BootInstant) -> OutputStep {
    switch look {
    case .again where (wantsRewind || sound.mixer.hasCommands) && !clock.isRough:
      // A sound that is due soon cannot wait until the pointer moves: that may take longer than was allowed
      // for handing it over.
      clock.breakOffLook()
      wantsRewind = sound.mixer.takeCommands(map: map) || wantsRewind
      return followCommands(at: now)
    case .again: return .observe
    case .queue: return .countQueued
    case .played(let frame): return hasPlayed(upTo: frame, at: now)
    }
  }

  /// The device says that it has played up to `frame`.
  private mutating func hasPlayed(upTo frame: Frames, at now: BootInstant) -> OutputStep {
    switch device.watch.look(played: frame, written: sound.written, at: now) {
    case .waiting, .plays: break
    case .stuck: return giveUp(.stuck, at: now)
    case .proven:
      if isLost { sound.mixer.reportBack(at: device.startedAt) }
      loss = nil
    }
    if case .looking(let expected, let then) = stage {
      // The reading moved the map: the device stood still, or had reported a wrong position. What is
      // queued was placed by the wrong map.
      let moved = clock.map.frame(at: then) - expected
      wantsRewind = wantsRewind || moved.magnitude > frames(in: Self.mapTolerance)
    }
    allowLate()
    // It is known better now than when the device began to play.
    if clock.isLocked, let time = device.newLeadTime(delay: delay) {
      sound.mixer.reportMinimumLeadTime(time)
    }
    return followCommands(at: now)
  }

  private mutating func followCommands(at now: BootInstant) -> OutputStep {
    wantsRewind ? rewind(at: now) : fillQueue(at: now)
  }

  /// Takes back what is rendered and can still be changed, to render it anew.
  mutating func rewind(at now: BootInstant) -> OutputStep {
    wantsRewind = false
    if let surplus = device.surplus(of: sound.written, at: now, by: clock) {
      stage = .takingBack(surplus: surplus)
      return .rewind(frames: Int(surplus))
    }
    sound.dropPending()
    return tookBack(at: now)
  }

  private mutating func tookBack(at now: BootInstant) -> OutputStep {
    device.phase == .playing ? fillQueue(at: now) : hasBegun(at: now)
  }

  /// The device gave back this many frames.
  package mutating func rewound(_ count: Int, at now: BootInstant) -> OutputStep {
    switch stage {
    case .takingBack(let surplus):
      device.gaveBack(Frames(count), of: surplus)
      sound.stepBack(to: sound.written - Frames(count))
      return tookBack(at: now)
    case .tryingRewind(let half):
      device.wasTried(gaveBackAll: count == half)
      sound.stepBack(to: sound.next - Frames(count))
      stage = .refilling
      return fillOn(at: now)
    default: fatalError("frames were taken back that nobody asked for")
    }
  }

  /// Reports what has been heard: by the map, but no more than `confirmed`, where that is known.
  mutating func settle(at now: BootInstant, confirmed: Frames?) {
    let end = min(clock.map.frame(at: now), sound.written)
    sound.heard(upTo: end, confirmed: confirmed, map: map, by: .heard)
  }

  func frames(in span: Duration) -> Frames { SampleRate.frames(in: span, at: settings.rate) }

  // MARK: Without a device

  mutating func waitForDevice(at now: BootInstant) -> OutputStep {
    renderWithoutDevice(at: now)
    let wait = sound.mixer.voiceCount > 0 ? Self.silentPace : Self.silentPace * 5
    guard let loss, loss.retryAt < now + wait else { return .wait(wait) }
    return .wait(max(Self.shortestRetry, loss.retryAt - now))
  }

  /// Renders at the pace of the clock, though no device plays it, so that the sound comes back in place.
  private mutating func renderWithoutDevice(at now: BootInstant) {
    let end = clock.map.frame(at: now)
    // What passed during a sleep is skipped.
    if end - sound.next > Frames(2 * settings.rate) { sound.mixer.skip(to: end) }
    sound.renderSilently(upTo: end, map: map)
    // A recording counts as hearing it.
    let unheard: Mixer.Audience = sound.isRecording ? .heard : .silent
    sound.heard(
      upTo: sound.next, confirmed: nil, map: map, by: settings.hasDevice ? .lost : unheard)
  }
}
