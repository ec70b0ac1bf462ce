/// How far the device's queue is filled, and how long that lasts.
extension OutputControl {
  /// The shortest wait between two turns.
  private static var shortest: Nanoseconds { .milliseconds(2) }
  /// Queued while a cue is near, where it can be taken back.
  private static var nearFill: Nanoseconds { .milliseconds(150) }
  /// While no cue is near: how much is queued, and how much of that is left at the next turn.
  private static var farFill: Nanoseconds { .milliseconds(700) }
  private static var farRest: Nanoseconds { .milliseconds(110) }
  /// Where whole periods are written, and each as soon as there is room for it, so much less is as safe.
  private static var spared: Nanoseconds { .milliseconds(18) }
  private static var longestBriefPeriod: Nanoseconds { .milliseconds(10) }
  /// How late a cue may be beyond what is queued: the time to wake up.
  private static var wakingUp: Nanoseconds { .milliseconds(60) }

  mutating func fillQueue(at now: SoundInstant) -> OutputStep {
    settle(at: now)
    fill.relax(at: now)
    let isFar = rewinds && sound.mixer.voiceCount == 0 && clock.isLocked
    stage = .filling(isFar: isFar)
    fillEnd =
      clock.map.frame(at: now + (isFar ? Self.farFill : nearLength)) + clock.deviceDelay
    if isBrief {
      // Libasound's converters pass on whole periods: the rest of one is late and no reserve.
      let period = Int64(device.period)
      let periods = ((fillEnd - firstFrame).value + period / 2) / period
      fillEnd = firstFrame + Frames(periods * period)
    }
    return fillOn(at: now)
  }

  /// Renders and writes until `fillEnd`, or until the device takes no more.
  mutating func fillOn(at now: SoundInstant) -> OutputStep {
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
  package mutating func wrote(_ count: Int, at now: SoundInstant) -> OutputStep {
    sound.took(count)
    return count > 0 ? fillOn(at: now) : filled(at: now)
  }

  /// The queue is full, or the device takes no more.
  mutating func filled(at now: SoundInstant) -> OutputStep {
    switch stage {
    case .filling(let isFar): return .wait(wait(from: now, isFar: isFar))
    case .priming where rewinds:
      sound.dropPending()
      let half = Int(sound.next - firstFrame) / 2
      stage = .tryingRewind(half)
      return .rewind(frames: half)
    case .priming, .refilling:
      let isNew = situation == .opening
      if isNew { reportedLeadTime = minimumLeadTime }
      stage = .starting
      return .start(isNew: isNew)
    default: preconditionFailure("frames were written that nobody asked for")
    }
  }

  /// How long to wait before the queue wants to be filled again.
  private mutating func wait(from now: SoundInstant, isFar: Bool) -> Nanoseconds {
    let queued = clock.map.instant(of: sound.written - clock.deviceDelay) - now
    // A turn at each pace while the clock learns the device, later when half of the queue has been
    // played. The device may hold less than was meant for it.
    let rest = isFar ? Self.farRest : clock.isLocked ? nearLength / 2 : nearLength - Self.pace
    let most = SampleRate.length(of: Frames(device.buffer), at: settings.rate)
    dueAt =
      now
      + (isBrief
        ? min(periodLength, max(Self.shortest, queued / 2))
        : max(Self.shortest, min(queued, most) - min(rest, queued / 2)))
    // The turn comes just before the pointer moves, to see it move: for its next step or, where turns are
    // rare, for one of the last steps.
    let earliest = isFar ? max(now, dueAt - Self.pace) : min(dueAt, now + Self.pace / 2)
    return clock.goodInstant(from: earliest, to: dueAt) - now
  }

  /// A cue that answers a command is late by what is on its way already, and by the time to wake up.
  mutating func allowLate() {
    sound.mixer.allow(
      late: nearLength + SampleRate.length(of: clock.deviceDelay, at: settings.rate)
        + max(.zero, settings.latency) + Self.wakingUp)
  }

  /// How much is queued while a cue is near: more where it can be taken back, and in a pause without
  /// voices.
  var nearLength: Nanoseconds {
    if rewinds || isPaused && sound.mixer.voiceCount == 0 { return max(fill.length, Self.nearFill) }
    return isBrief ? fill.length - Self.spared : fill.length
  }

  /// What is queued cannot be taken back, so little is: for a card of another rate behind a converter.
  private var isBrief: Bool {
    !rewinds && !device.isServer && device.period > 0 && periodLength <= Self.longestBriefPeriod
      && !(isPaused && sound.mixer.voiceCount == 0)
  }

  private var periodLength: Nanoseconds {
    SampleRate.length(of: Frames(device.period), at: settings.rate)
  }
}
