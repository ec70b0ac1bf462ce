/// How the device's queue is filled.
extension OutputControl {
  /// How late a cue may be beyond what is queued: the time to wake up.
  private static var wakingUp: Duration { .milliseconds(60) }

  mutating func fillQueue(at now: BootInstant) -> OutputStep {
    settle(at: now, confirmed: clock.confirmed)
    device.fill.relax(at: now)
    let isFar = device.rewinds && sound.mixer.voiceCount == 0 && clock.isLocked
    stage = .filling(isFar: isFar)
    fillEnd = device.fillEnd(at: now, isFar: isFar, isCalm: isCalm, by: clock)
    return fillOn(at: now)
  }

  /// Renders and writes until `fillEnd`, or until the device takes no more.
  mutating func fillOn(at now: BootInstant) -> OutputStep {
    if sound.pending > 0 { return .write(from: sound.pendingStart, frames: sound.pending) }
    let count = min(Self.block, Int(fillEnd - sound.next))
    return count > 0 ? .render(frames: count) : filled(at: now)
  }

  /// Renders the block that was asked for.
  package mutating func render(
    into target: UnsafeMutablePointer<Int16>, frames: Int
  ) -> OutputStep {
    sound.render(into: target, count: frames, map: map)
    sound.offer(frames)
    return .write(from: 0, frames: frames)
  }

  /// The device took this many frames.
  package mutating func wrote(_ count: Int, at now: BootInstant) -> OutputStep {
    sound.took(count)
    return count > 0 ? fillOn(at: now) : filled(at: now)
  }

  /// The queue is full, or the device takes no more.
  mutating func filled(at now: BootInstant) -> OutputStep {
    switch stage {
    case .filling(let isFar): return .wait(wait(from: now, isFar: isFar))
    case .priming where device.rewinds:
      sound.dropPending()
      let half = Int(sound.next - device.firstFrame) / 2
      stage = .tryingRewind(half)
      return .rewind(frames: half)
    case .priming, .refilling:
      let isNew = device.phase == .opening
      if isNew { device.reportedLeadTime = minimumLeadTime }
      stage = .starting
      return .start(isNew: isNew)
    default: fatalError("frames were written that nobody asked for")
    }
  }

  /// How long to wait before the queue wants to be filled again.
  private mutating func wait(from now: BootInstant, isFar: Bool) -> Duration {
    dueAt = device.dueAt(
      after: now, written: sound.written, isFar: isFar, isCalm: isCalm, by: clock)
    // The turn comes just before the pointer moves, to see it move: for its next step or, where turns are
    // rare, for one of the last steps.
    let earliest = isFar ? max(now, dueAt - Self.pace) : min(dueAt, now + Self.pace / 2)
    return clock.goodInstant(from: earliest, to: dueAt) - now
  }

  /// A cue that answers a command is late by what is on its way already, and by the time to wake up.
  mutating func allowLate() {
    sound.mixer.allow(
      late: device.nearLength(isCalm: isCalm) + delay + max(.zero, settings.latency)
        + Self.wakingUp)
  }

  /// In a pause without voices much may be queued.
  var isCalm: Bool { isPaused && sound.mixer.voiceCount == 0 }
}
