/// How far the device's queue is filled, and how long that lasts.
extension OutputControl {
  /// The shortest wait between two turns, nanoseconds.
  private static var shortest: Int64 { 2_000_000 }
  /// Queued while a cue is near, where it can be taken back.
  private static var nearFill: Int64 { 150_000_000 }
  /// While no cue is near: how much is queued, and how much of that is left at the next turn.
  private static var farFill: Int64 { 700_000_000 }
  private static var farRest: Int64 { 110_000_000 }

  mutating func fillQueue(at now: Int64) -> OutputStep {
    settle(at: now)
    fill.relax(at: now)
    let isFar = rewinds && sound.mixer.voiceCount == 0 && clock.isLocked
    stage = .filling(isFar: isFar)
    fillEnd =
      clock.map.frame(at: now + (isFar ? Self.farFill : nearLength)) + clock.deviceDelay
    return fillOn(at: now)
  }

  /// Renders and writes until `fillEnd`, as far as the device takes it.
  mutating func fillOn(at now: Int64) -> OutputStep {
    if sound.pending > 0 { return .write(from: sound.pendingStart, frames: sound.pending) }
    let count = min(Int64(Self.block), fillEnd - sound.next)
    return count > 0 ? .render(frames: Int(count)) : filled(at: now)
  }

  /// Renders the block that was asked for.
  public mutating func render(
    into target: UnsafeMutablePointer<Int16>, frames: Int
  ) -> OutputStep {
    sound.render(into: target, count: frames, map: map)
    sound.offer(frames)
    return .write(from: 0, frames: frames)
  }

  /// The device took so many frames.
  public mutating func wrote(_ count: Int, at now: Int64) -> OutputStep {
    sound.took(count)
    return count > 0 ? fillOn(at: now) : filled(at: now)
  }

  /// The queue is full, or the device takes no more.
  mutating func filled(at now: Int64) -> OutputStep {
    switch stage {
    case .filling(let isFar): return .wait(nanoseconds: wait(from: now, isFar: isFar))
    case .priming where rewinds:
      sound.dropPending()
      let half = Int(sound.next - firstFrame) / 2
      stage = .tryingRewind(half)
      return .rewind(frames: half)
    case .priming, .refilling:
      let isNew = situation == .opening
      stage = .starting
      return .start(isNew: isNew)
    default: preconditionFailure("frames were written that nobody asked for")
    }
  }

  /// How long the queue lasts.
  private mutating func wait(from now: Int64, isFar: Bool) -> Int64 {
    let queued = clock.map.nanoseconds(of: sound.written - clock.deviceDelay) - now
    // While it learns, at the learner's pace; then when half of the queue has been played. A device
    // may have taken less than it was to have.
    let rest = isFar ? Self.farRest : clock.isLocked ? nearLength / 2 : nearLength - Self.pace
    let most = Int64(device.buffer) * 1_000_000_000 / Int64(settings.rate)
    dueAt = now + max(Self.shortest, min(queued, most) - min(rest, queued / 2))
    // The turn comes just before a step of the pointer, to see it move: the next one, or where turns
    // are seldom one of the last.
    let earliest = isFar ? max(now, dueAt - Self.pace) : now + Self.pace / 2
    return clock.goodInstant(from: earliest, to: dueAt) - now
  }

  /// A cue that answers a command is late by what is on its way already, and a little more by waking
  /// up.
  mutating func allowLate() {
    sound.mixer.allow(
      late: nearLength + clock.deviceDelay * 1_000_000_000 / Int64(settings.rate)
        + max(0, settings.latency) + 60_000_000)
  }

  /// How much is queued while a cue is near: more where it can be taken back, or none will come
  /// before somebody continues the workout.
  var nearLength: Int64 {
    rewinds || isPaused && sound.mixer.voiceCount == 0
      ? max(fill.length, Self.nearFill) : fill.length
  }
}
