/// How a device is opened, started, and brought back after a failure.
extension OutputControl {
  /// The wait before the turn that continues after a recovery.
  private static var moment: Duration { .milliseconds(1) }

  // MARK: Opening

  /// The device is open and configured.
  package mutating func opened(_ description: PCMDescription, at now: BootInstant) -> OutputStep {
    // What became due while the device was opened is late, not missed.
    sound.mixer.skip(to: clock.map.frame(at: now))
    let opened = OpenDevice(
      description, after: situation.last, rate: settings.rate, frame: sound.next, at: now)
    situation = .open(opened)
    clock = CardClock(
      rate: settings.rate, drift: description.drift, isServer: opened.isServer, at: now)
    return begin(at: now)
  }

  /// Fills the queue and then starts the device, which anchors the map anew.
  private mutating func begin(at now: BootInstant) -> OutputStep {
    sound.dropPending()
    allowLate()
    device.firstFrame = sound.next
    clock.restart(frame: sound.next, earliest: now, latest: now)
    fillEnd = sound.next + frames(in: device.nearLength(isCalm: isCalm))
    stage = .priming
    return fillOn(at: now)
  }

  /// The device was started between these instants.
  package mutating func started(from earliest: BootInstant, to latest: BootInstant) -> OutputStep {
    device.startedAt = latest
    clock.restart(frame: device.firstFrame, earliest: earliest, latest: latest)
    dueAt = latest
    // What is queued was placed as if the device had started when it was rendered.
    return sound.mixer.voiceCount > 0 ? rewind(at: latest) : hasBegun(at: latest)
  }

  mutating func hasBegun(at now: BootInstant) -> OutputStep {
    guard device.phase == .opening else { return recovered() }
    device.beginsToPlay()
    return play(at: now)
  }

  private mutating func recovered() -> OutputStep {
    device.phase = .playing
    device.resumeTries = 0
    return .wait(Self.moment)
  }

  // MARK: Failures

  /// A step failed.
  package mutating func failed(
    _ failure: DeviceFailure, from begin: BootInstant, to now: BootInstant
  ) -> OutputStep {
    switch (stage, failure) {
    case (.looking, .noTiming): return looked(clock.hasNoTiming(from: begin), at: now)
    case (.relocking, .noTiming): return relock(delay: 0, asked: begin, at: now)
    case (.filling, .again), (.priming, .again), (.refilling, .again): return filled(at: now)
    case (.resuming, .again) where device.mayWakeUp,
      (.relocking, .again) where device.phase == .recovering && device.mayWakeUp:
      device.resumeTries += 1
      // The next call reports again that the device sleeps.
      device.phase = .playing
      return .wait(Self.pace)
    case (.resuming, _),
      (.relocking, _) where device.phase == .recovering:
      // A device that cannot resume loses what it had queued.
      writeOffQueue(at: now)
      return prepare()
    default: break
    }
    clock.breakOffLook()
    guard situation.isOpen else { return giveUp(failure, at: now) }
    return device.phase == .playing ? recover(from: failure, at: now) : giveUp(failure, at: now)
  }

  private mutating func recover(from failure: DeviceFailure, at now: BootInstant) -> OutputStep {
    switch failure {
    case .xrun: return recoverFromXrun(at: now)
    case .suspended(let queued):
      if let queued {
        // It played on after this process was stopped, until it was stopped itself.
        let end = sound.written - max(0, queued) - clock.deviceDelay
        sound.heard(upTo: end, confirmed: end, map: map, by: .heard)
      }
      device.phase = .recovering
      stage = .resuming
      return .resume
    case .again, .noTiming:
      // Some devices that are lost never report it.
      if device.watch.isStill(at: now) { return giveUp(.stuck, at: now) }
      dueAt = now + Self.pace
      return .wait(Self.pace)
    case .stuck, .lost: return giveUp(failure, at: now)
    }
  }

  private mutating func recoverFromXrun(at now: BootInstant) -> OutputStep {
    if hasSlept {
      // Where another program has started dmix again already, dmix says so, and what was queued is lost.
      writeOffQueue(at: now)
      return prepare()
    }
    if device.watch.noteUnderrun(after: now - device.startedAt, at: now) {
      return giveUp(.stuck, at: now)
    }
    // Everything written has been heard up to now.
    settle(at: now, confirmed: nil)
    sound.resync(to: clock.map.frame(at: now))
    sound.mixer.reportXrun(at: now)
    device.fill.noteUnderrun(at: now)
    return prepare()
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
    clock.relearn(frame: sound.written - delay, at: asked)
    // What was queued when the machine went to sleep is no longer due.
    wantsRewind = wantsRewind || hasSlept || device.phase == .recovering
    device.startedAt = asked
    dueAt = asked
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
