/// How the device's queue is filled.
extension OutputControl {
  mutating func fillQueue(at now: BootInstant) -> OutputStep {
    sound.settle(at: now)
    device.fill.relax(at: now)
    let isFar = device.rewinds && sound.mixer.voiceCount == 0 && sound.clock.isLocked
    stage = .filling(isFar: isFar)
    fillEnd = device.fillEnd(at: now, isFar: isFar, isCalm: isCalm, by: sound.clock)
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
    sound.render(into: target, count: frames)
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
    case .filling(let isFar):
      let next = device.nextTurn(
        after: now, written: sound.written, isFar: isFar, isCalm: isCalm, by: sound.clock)
      sleep.dueAt = next.latest
      return .wait(next.best - now)
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

  /// In a pause without voices much may be queued.
  var isCalm: Bool { isPaused && sound.mixer.voiceCount == 0 }
}
