/// How a device is opened, started, and brought back after a failure.
extension OutputControl {
  /// The wait before the turn that continues after a recovery.
  private static var moment: Duration { .milliseconds(1) }

  // MARK: Opening

  /// The device is open and configured.
  package mutating func opened(_ description: PCMDescription, at now: BootInstant) -> OutputStep {
    sound.opened(description, at: now)
    situation = .open(
      OpenDevice(description, after: situation.last, rate: sound.rate, frame: sound.next, at: now))
    return begin(at: now)
  }

  /// Fills the queue and then starts the device, which anchors the map anew.
  private mutating func begin(at now: BootInstant) -> OutputStep {
    sound.dropPending()
    sound.allowLate(queued: device.nearLength(isCalm: isCalm))
    device.firstFrame = sound.next
    sound.clock.restart(frame: sound.next, earliest: now, latest: now)
    fillEnd = sound.next + sound.frames(in: device.nearLength(isCalm: isCalm))
    stage = .priming
    return fillOn(at: now)
  }

  /// The device was started between these instants.
  package mutating func started(from earliest: BootInstant, to latest: BootInstant) -> OutputStep {
    device.startedAt = latest
    sound.clock.restart(frame: device.firstFrame, earliest: earliest, latest: latest)
    sleep.dueAt = latest
    // What is queued was placed as if the device had started when it was rendered.
    return sound.mixer.voiceCount > 0 ? rewind(at: latest) : hasBegun(at: latest)
  }

  mutating func hasBegun(at now: BootInstant) -> OutputStep {
    guard device.phase == .opening else { return recovered() }
    device.beginsToPlay()
    return play(at: now)
  }

  private mutating func recovered() -> OutputStep {
    device.recovered()
    return .wait(Self.moment)
  }

  // MARK: Failures

  /// A step failed.
  package mutating func failed(
    _ failure: DeviceFailure, from begin: BootInstant, to now: BootInstant
  ) -> OutputStep {
    let response = FailureResponse(
      to: failure, in: stage, of: device, machineSlept: sleep.machineSlept, at: now)
    switch response {
    case .queryWithoutPosition: return looked(sound.clock.hasNoTiming(from: begin), at: now)
    case .relockWithoutPosition: return relock(delay: 0, asked: begin, at: now)
    case .full: return filled(at: now)
    case .askAgain:
      device.sleepsStill()
      return .wait(Self.pace)
    case .tryAgain:
      sound.clock.breakOffLook()
      sleep.dueAt = now + Self.pace
      return .wait(Self.pace)
    case .restart:
      sound.writeOffQueue(at: now)
      return prepare()
    case .refill:
      if device.underrun(at: now) { return giveUp(.stuck, at: now) }
      sound.underrun(at: now)
      return prepare()
    case .wake(let queued):
      // It played on after this process was stopped, until it was stopped itself.
      if let queued { sound.stopped(queued: queued) }
      device.phase = .recovering
      stage = .resuming
      return .resume
    case .giveUp(let failure): return giveUp(failure, at: now)
    }
  }

  private mutating func prepare() -> OutputStep {
    device.phase = .recovering
    stage = .preparing
    return .prepare
  }

  /// The device is ready for new frames.
  package mutating func prepared(at now: BootInstant) -> OutputStep { begin(at: now) }

  /// The device has woken up.
  package mutating func resumed(at now: BootInstant) -> OutputStep {
    stage = .relocking
    return .observe
  }

  /// Discards what the clock has learned, and starts from what the device says now.
  mutating func relock(delay: Frames, asked: BootInstant, at now: BootInstant) -> OutputStep {
    sound.clock.relearn(frame: sound.written - delay, at: asked)
    // What was queued when the machine went to sleep is no longer due.
    if sleep.machineSlept || device.phase == .recovering { sound.isOutOfDate = true }
    device.startedAt = asked
    sleep.dueAt = asked
    return device.phase == .recovering ? recovered() : play(at: now)
  }

  /// The holder closes the device and reports the loss.
  mutating func giveUp(_ failure: DeviceFailure, at now: BootInstant) -> OutputStep {
    if device.phase == .opening {
      sound.forgetPending()
      situation = .closed(last: device)
      stage = .opening
    } else {
      close(at: now)
      stage = .givingUp
    }
    return .giveUp(failure)
  }

  /// The device could not be opened, or has been given up. It is tried again later.
  package mutating func lost(at now: BootInstant) -> OutputStep {
    loss = DeviceLoss(after: loss, at: now)
    if case .opening = stage { return waitForDevice(at: now) }
    return .wait(Self.silentPace)
  }
}
