/// How a device is opened, started, and brought back after a failure.
extension OutputControl {
  /// The pause after a recovery, nanoseconds.
  private static var moment: Int64 { 1_000_000 }
  /// A device that is still asleep is asked so often whether it has woken up.
  private static var mostResumeTries: Int { 50 }

  // MARK: Opening

  /// The device is open and configured.
  public mutating func opened(_ device: OpenedDevice, at now: Int64) -> OutputStep {
    // What has become due while it was opened is late, not missed.
    sound.mixer.skip(to: clock.map.frame(at: now))
    if !device.isSame {
      fill = QueueFill(period: Int64(device.period) * 1_000_000_000 / Int64(settings.rate))
    }
    self.device = device
    rewinds = !device.isServer
    resumeTries = 0
    clock = CardClock(rate: settings.rate, drift: device.drift, isServer: device.isServer, at: now)
    situation = .opening
    return begin(at: now)
  }

  /// Fills the queue, then starts the device; frame and instant are tied together anew.
  private mutating func begin(at now: Int64) -> OutputStep {
    sound.dropPending()
    allowLate()
    firstFrame = sound.next
    clock.restart(frame: firstFrame, earliest: now, latest: now)
    fillEnd = firstFrame + frames(in: nearLength)
    stage = .priming
    return fillOn(at: now)
  }

  /// The device was started between these instants.
  public mutating func started(from earliest: Int64, to latest: Int64) -> OutputStep {
    startedAt = latest
    clock.restart(frame: firstFrame, earliest: earliest, latest: latest)
    dueAt = latest
    // What is queued was placed as if it had begun when it was rendered.
    return sound.mixer.voiceCount > 0 ? rewind(at: latest) : hasBegun(at: latest)
  }

  mutating func hasBegun(at now: Int64) -> OutputStep {
    guard situation == .opening else { return recovered() }
    watch = ProgressWatch(frame: firstFrame, at: startedAt, isServer: device.isServer)
    return play(at: now)
  }

  private mutating func recovered() -> OutputStep {
    situation = .playing
    resumeTries = 0
    return .wait(nanoseconds: Self.moment)
  }

  // MARK: Failures

  /// A step failed.
  public mutating func failed(
    _ failure: DeviceFailure, from begin: Int64, to now: Int64
  ) -> OutputStep {
    switch (stage, failure) {
    case (.looking, .noTiming): return looked(clock.hasNoTiming(from: begin), at: now)
    case (.relocking, .noTiming): return relock(delay: 0, asked: begin, at: now)
    case (.filling, .again), (.priming, .again), (.refilling, .again): return filled(at: now)
    case (.resuming, .again) where resumeTries < Self.mostResumeTries,
      (.relocking, .again) where situation == .recovering && resumeTries < Self.mostResumeTries:
      resumeTries += 1
      // The device says once more that it sleeps.
      situation = .playing
      return .wait(nanoseconds: Self.pace)
    case (.resuming, _),
      (.relocking, _) where situation == .recovering:
      return prepare()
    default: break
    }
    clock.breakOffLook()
    return situation == .playing ? recover(from: failure, at: now) : giveUp(failure, at: now)
  }

  private mutating func recover(from failure: DeviceFailure, at now: Int64) -> OutputStep {
    switch failure {
    case .xrun: return recoverFromXrun(at: now)
    case .suspended:
      situation = .recovering
      stage = .resuming
      return .resume
    case .again, .noTiming:
      // Some devices that are lost say so for ever.
      if watch.isStill(at: now) { return giveUp(.stuck, at: now) }
      dueAt = now + Self.pace
      return .wait(nanoseconds: Self.pace)
    case .stuck, .lost: return giveUp(failure, at: now)
    }
  }

  private mutating func recoverFromXrun(at now: Int64) -> OutputStep {
    if watch.ranDry(after: now - startedAt, at: now) { return giveUp(.stuck, at: now) }
    // What it has had the time for has been heard.
    sound.heard(
      upTo: min(clock.map.frame(at: now), sound.written), confirmed: nil, map: map, by: .heard)
    sound.realign(to: clock.map.frame(at: now))
    sound.mixer.reportXrun(at: now)
    fill.ranDry(at: now)
    return prepare()
  }

  private mutating func prepare() -> OutputStep {
    situation = .recovering
    stage = .preparing
    return .prepare
  }

  /// The device is ready for new frames.
  public mutating func prepared(at now: Int64) -> OutputStep { begin(at: now) }

  /// The device has woken up.
  public mutating func resumed(at now: Int64) -> OutputStep {
    stage = .relocking
    return .observe
  }

  /// Learns anew where the device is, from what it says now.
  mutating func relock(delay: Int64, asked: Int64, at now: Int64) -> OutputStep {
    clock.relearn(frame: sound.written - delay, at: asked)
    startedAt = asked
    dueAt = asked
    return situation == .recovering ? recovered() : play(at: now)
  }

  /// The holder closes the device and reports the loss.
  mutating func giveUp(_ failure: DeviceFailure, at now: Int64) -> OutputStep {
    if situation == .opening { sound.forgetPending() } else { letGo(at: now) }
    stage = situation == .opening ? .opening : .givingUp
    situation = .closed
    return .giveUp(failure)
  }

  /// The device could not be opened, or has been given up. It is tried again later.
  public mutating func lost(at now: Int64) -> OutputStep {
    isLost = true
    retryAt = now + backOff.next()
    if case .opening = stage { return goOnSilently(at: now) }
    return .wait(nanoseconds: Self.silentPace)
  }
}
