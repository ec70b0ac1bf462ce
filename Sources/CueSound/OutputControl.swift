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
  var sound: RenderedSound
  var stage = OutputStage.resting
  var situation: DeviceSituation
  /// nil where it was never lost, or has played since.
  var loss: DeviceLoss?
  /// No workout runs: all are paused, or there is none.
  var isPaused = false
  /// Where the filling ends.
  var fillEnd: Frames = 0
  var sleep: SleepWatch
  private var idle: IdleTime

  /// The most that is rendered at a time, frames.
  package static var block: Int { RenderedSound.maxBlock }
  /// Between two turns.
  static let pace: Duration = .milliseconds(22)
  static let silentPace: Duration = .milliseconds(50)

  /// - Parameters:
  ///   - rate: frames a second.
  ///   - latency: the delay of whatever follows the device, such as a radio link.
  ///   - hasDevice: false where no device was requested.
  ///   - staysOpen: the device stays open in a pause.
  ///   - tap: the ring of a tap that outlives this.
  ///   - asleep: how long the machine has slept so far.
  package init(
    mixer: consuming Mixer, rate: Int, latency: Duration, hasDevice: Bool, staysOpen: Bool,
    tap: Ring<Int16>?, at now: BootInstant, asleep: Duration
  ) {
    situation = hasDevice ? .closed(last: nil) : .unwanted
    idle = IdleTime(staysOpen: staysOpen)
    sleep = SleepWatch(asleep: asleep)
    sound = RenderedSound(mixer, rate: rate, latency: latency, tap: tap, at: now)
  }

  /// A sound that is handed over this long before it is due is heard on its frame; nil where that is not
  /// known.
  package var minimumLeadTime: Duration? {
    situation.isWanted ? situation.last?.minimumLeadTime(delay: sound.delay) : .zero
  }

  /// The device's drift, once it is known well enough to be kept, parts per million.
  package var learnedDrift: Double? { sound.clock.learnedDrift }

  /// The device was lost, and has not played since.
  package var isLost: Bool { loss != nil }

  /// The device that is open.
  var device: OpenDevice {
    get { situation.device }
    set { situation = .open(newValue) }
  }

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
    // A turn that failed before the rewind leaves it to the next one, unless the device was closed.
    if !situation.isOpen { sound.isOutOfDate = false }
    sound.takeCommands()
    sleep.turn(asleep: asleep)
    let isIdle = idle.mayRest(
      at: now, activity, isSounding: sound.mixer.voiceCount > 0, situation)
    if isIdle { return rest(at: now) }
    if hardwareChanged { loss?.hardwareChanged(at: now) }
    if !situation.isOpen {
      guard situation.isWanted, now >= loss?.retryAt ?? .boot else { return waitForDevice(at: now) }
      sound.renderSilently(at: now, isLost: true)
      stage = .opening
      return .open
    }
    if sleep.hasSlept(at: now) {
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

  /// Closes the device. A recording continues.
  private mutating func rest(at now: BootInstant) -> OutputStep {
    if situation.isOpen { close(at: now) }
    loss?.rest()
    stage = .resting
    guard sound.isRecording else { return .rest(.unlimited) }
    sound.renderSilently(at: now, isLost: situation.isWanted)
    return .rest(Self.silentPace * 10)
  }

  /// The holder closes the device next: what it has not played by now will not be heard.
  mutating func close(at now: BootInstant) {
    sound.writeOffQueue(at: now)
    situation = .closed(last: device)
  }

  /// The holder closes the device, and the next turn opens another one at once.
  package mutating func changeDevice(at now: BootInstant) {
    if situation.isOpen { close(at: now) }
    situation.forget()
    loss?.rest()
  }

  /// Asks for the device's position if it is time, then fills its queue.
  mutating func play(at now: BootInstant) -> OutputStep {
    device.phase = .playing
    guard sound.clock.wantsLook(at: now) else { return followCommands(at: now) }
    stage = .looking(expected: sound.clock.map.frame(at: now), at: now)
    return .observe
  }

  /// The device was asked for its position.
  package mutating func observed(
    _ position: DevicePosition, from begin: BootInstant, to end: BootInstant
  ) -> OutputStep {
    guard case .looking = stage else { return relock(delay: position.delay, asked: begin, at: end) }
    return looked(
      sound.clock.observe(position, written: sound.written, from: begin, to: end), at: end)
  }

  /// The device's own buffer holds this many frames.
  package mutating func counted(queued: Frames, at now: BootInstant) -> OutputStep {
    hasPlayed(upTo: sound.written - queued, at: now)
  }

  mutating func looked(_ look: CardClock.PositionQuery, at now: BootInstant) -> OutputStep {
    switch look {
    case .again where (sound.isOutOfDate || sound.mixer.hasCommands) && !sound.clock.isRough:
      // A sound that is due soon cannot wait until the pointer moves: that may take longer than was allowed
      // for handing it over.
      sound.clock.breakOffLook()
      sound.takeCommands()
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
      sound.mapHasMoved(from: expected, at: then)
    }
    sound.allowLate(queued: device.nearLength(isCalm: isCalm))
    // It is known better now than when the device began to play.
    if sound.clock.isLocked, let time = device.newLeadTime(delay: sound.delay) {
      sound.mixer.reportMinimumLeadTime(time)
    }
    return followCommands(at: now)
  }

  private mutating func followCommands(at now: BootInstant) -> OutputStep {
    sound.isOutOfDate ? rewind(at: now) : fillQueue(at: now)
  }

  /// Takes back what is rendered and can still be changed, to render it anew.
  mutating func rewind(at now: BootInstant) -> OutputStep {
    sound.isOutOfDate = false
    if let surplus = device.surplus(of: sound.written, at: now, by: sound.clock) {
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

  // MARK: Without a device

  mutating func waitForDevice(at now: BootInstant) -> OutputStep {
    sound.renderSilently(at: now, isLost: situation.isWanted)
    let wait = sound.mixer.voiceCount > 0 ? Self.silentPace : Self.silentPace * 5
    return .wait(loss?.wait(from: now, atMost: wait) ?? wait)
  }
}
