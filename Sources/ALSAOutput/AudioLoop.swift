import CALSA
import CueSound
import Glibc

/// What the audio thread does: one `turn` after another, each of which says how long to wait.
///
/// While a device plays, a turn neither allocates, locks, logs nor counts references. Opening and
/// losing a device may: nothing is being heard then.
struct AudioLoop: ~Copyable {
  private var mixer: Mixer
  private var clock: FrameClock
  private let name: String?
  private let rate: Int
  private let tap: Ring<Int16>?
  private let events: @Sendable (OutputEvent) -> Void

  private var device: PCMDevice?
  private var isLost = false
  private var retryAt: Int64 = 0
  private var backOff = BackOff()
  private var fill = QueueFill()
  private var watch = ProgressWatch(frame: 0, at: 0)
  /// Frames rendered that the device has not taken yet lie at the front of `interleaved`.
  private var pending = 0
  private var startedAt: Int64 = 0
  private var firstFrame: Int64 = 0
  private var resumeTries = 0

  private var looksAt: Int64 = 0
  private var jitter: UInt64 = 1
  /// The quickest reading so far, nanoseconds.
  private var quickest: Int64 = .max
  /// Frames behind the device's own buffer: a sound server, a radio link.
  private var latency: Int64 = 0
  private var isLatencyKnown = false
  /// What the device itself says it has played; nil while it tells nothing of the kind.
  private var confirmed: Int64?

  private let mono: UnsafeMutablePointer<Int16>
  private let interleaved: UnsafeMutablePointer<Int16>

  /// Rendered at a time.
  private static let block = 480
  /// Between two turns, nanoseconds.
  private static let pace: Int64 = 20_000_000
  private static let silentPace: Int64 = 50_000_000
  /// Some outputs tell wild delays at first.
  private static let settling: Int64 = 1_000_000_000
  /// Between two looks at the device, and up to 33 ms more.
  private static let lookGap: Int64 = 80_000_000
  /// A reading that took longer says nothing exact about its instant.
  private static let greatestBracket: Int64 = 200_000
  /// More than what a card's own electronics hold back: there is something behind it.
  private static let noticeableLatency: Int64 = 480

  /// - Parameter tap: the ring of a tap that outlives the loop.
  init(
    mixer: consuming Mixer, device: String?, rate: Int, tap: Ring<Int16>?,
    events: @escaping @Sendable (OutputEvent) -> Void
  ) {
    self.mixer = mixer
    clock = FrameClock(rate: rate)
    name = device
    self.rate = rate
    self.tap = tap
    self.events = events
    mono = .allocate(capacity: Self.block)
    interleaved = .allocate(capacity: Self.block * 2)
    clock.restart(frame: 0, nanoseconds: Self.now())
  }

  deinit {
    mono.deallocate()
    interleaved.deallocate()
  }

  /// Does what is to be done now. Returns how long nothing will be, in nanoseconds.
  mutating func turn() -> Int64 {
    mixer.takeCommands()
    if device == nil, name != nil, Self.now() >= retryAt { open() }
    guard let device else {
      goOnSilently()
      return Self.silentPace
    }
    do throws(PCMDevice.Failure) {
      try play(device)
      return Self.pace
    } catch {
      return recover(device, from: error)
    }
  }

  /// Ends everything: what was still to be heard is reported as withdrawn.
  mutating func close() {
    if let device {
      settle(at: Self.now())
      device.close()
    }
    device = nil
    mixer.abandon()
  }

  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  // MARK: With a device

  private mutating func play(_ device: PCMDevice) throws(PCMDevice.Failure) {
    let now = Self.now()
    // No queue is so long: the machine or this process slept, and the device with it.
    if clock.map.frame(at: now) + latency - mixer.frame > Int64(rate / 2) {
      watch.overslept(at: now)
      relock(at: now)
    }
    if now >= looksAt { try look(device) }
    settle(at: now)
    fill.relax(at: now)
    try write(to: device, until: clock.map.frame(at: now + fill.length) + latency)
  }

  /// From here on the next frame written counts as heard after the latency.
  private mutating func relock(at now: Int64) {
    clock.restart(frame: mixer.frame - Int64(pending) - latency, nanoseconds: now)
    startedAt = now
  }

  /// Asks the device where it is, now and then: the clock knows it in between.
  private mutating func look(_ device: PCMDevice) throws(PCMDevice.Failure) {
    let before = Self.now()
    // Not evenly, or the readings would beat with a pointer that moves in steps.
    jitter = jitter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    looksAt = before + Self.lookGap + Int64(jitter >> 39)
    let written = mixer.frame - Int64(pending)
    let observation: PCMDevice.Observation
    do throws(PCMDevice.Failure) {
      observation = try device.observe()
    } catch .noTiming {
      try check(played: written - device.queued(), written: written, at: Self.now())
      return
    }
    let after = Self.now()
    let played = written - observation.delay
    try check(played: played, written: written, at: after)
    // A device that has taken everything (ALSA's null) has no clock to learn.
    guard observation.isRunning, observation.delay > 0 else { return }
    confirmed = played
    measureLatency(observation)
    quickest = min(quickest, after - before)
    let isQuick = after - before <= max(Self.greatestBracket, 2 * quickest)
    if isQuick, after - startedAt >= Self.settling {
      clock.observe(frame: played, nanoseconds: before + (after - before) / 2)
    }
  }

  private mutating func check(
    played: Int64, written: Int64, at now: Int64
  ) throws(PCMDevice.Failure) {
    switch watch.look(played: played, written: written, at: now) {
    case .waiting, .plays: break
    case .stuck: throw .stuck
    case .proven:
      backOff.reset()
      if isLost { mixer.reportBack(at: startedAt) }
      isLost = false
    }
  }

  private mutating func measureLatency(_ observation: PCMDevice.Observation) {
    latency = max(0, min(Int64(rate / 2), observation.delay - observation.queued))
    allowLate()
    // Until the clock has settled, the start is all it goes by.
    if !isLatencyKnown, latency > Self.noticeableLatency {
      clock.restart(frame: firstFrame - latency, nanoseconds: startedAt)
    }
    isLatencyKnown = true
  }

  /// A cue that answers a command is late by what is queued, and a little more by waking up.
  private mutating func allowLate() {
    mixer.allow(late: fill.length + latency * 1_000_000_000 / Int64(rate) + 60_000_000)
  }

  /// Reports what has been heard: by the clock, but never more than the device has played.
  private mutating func settle(at now: Int64) {
    let frame = min(clock.map.frame(at: now), mixer.frame - Int64(pending))
    mixer.heard(upTo: min(frame, confirmed ?? frame), map: clock.map, by: .heard)
  }

  /// Renders and writes until `end`, as far as the device takes it.
  private mutating func write(
    to device: PCMDevice, until end: Int64
  ) throws(PCMDevice.Failure) {
    while true {
      if pending == 0 {
        let count = min(Int64(Self.block), end - mixer.frame)
        guard count > 0 else { return }
        render(Int(count), channels: device.channels)
      }
      let taken: Int
      do throws(PCMDevice.Failure) {
        taken = try device.write(interleaved, frames: pending)
      } catch .again {
        return
      }
      guard taken > 0 else { return }
      pending -= taken
      let channels = device.channels
      interleaved.update(from: interleaved + taken * channels, count: pending * channels)
    }
  }

  /// Renders the next frames into `interleaved` and the recording.
  private mutating func render(_ count: Int, channels: Int) {
    mixer.render(into: mono, count: count, map: clock.map)
    _ = tap?.push(mono, count: count)
    for frame in 0..<count {
      for channel in 0..<channels { interleaved[frame * channels + channel] = mono[frame] }
    }
    pending = count
  }

  /// Fills the queue and starts; frame and instant are tied together anew.
  private mutating func begin(_ device: PCMDevice) throws(PCMDevice.Failure) {
    pending = 0
    confirmed = nil
    allowLate()
    firstFrame = mixer.frame
    clock.restart(frame: firstFrame - latency, nanoseconds: Self.now())
    try write(
      to: device, until: firstFrame + fill.length * Int64(rate) / 1_000_000_000 + latency)
    try device.start()
    startedAt = Self.now()
    clock.restart(frame: firstFrame - latency, nanoseconds: startedAt)
    looksAt = startedAt
  }

  // MARK: Recovery

  /// Returns how long to wait before the next turn.
  private mutating func recover(_ device: PCMDevice, from failure: PCMDevice.Failure) -> Int64 {
    do throws(PCMDevice.Failure) {
      switch failure {
      case .xrun: try recoverFromXrun(device)
      case .suspended: return try recoverFromSleep(device)
      case .again, .noTiming: break
      case .stuck, .lost: throw failure
      }
      return 1_000_000
    } catch {
      lose(device, error)
      return Self.silentPace
    }
  }

  private mutating func recoverFromXrun(_ device: PCMDevice) throws(PCMDevice.Failure) {
    let now = Self.now()
    if watch.ranDry(after: now - startedAt, at: now) { throw .stuck }
    // Dry means that everything it was given has been heard.
    mixer.heard(upTo: mixer.frame - Int64(pending), map: clock.map, by: .heard)
    mixer.reportXrun(at: now)
    fill.ranDry(at: now)
    try device.prepare()
    try begin(device)
  }

  private mutating func recoverFromSleep(_ device: PCMDevice) throws(PCMDevice.Failure) -> Int64 {
    do throws(PCMDevice.Failure) {
      try device.wakeUp()
      relock(at: Self.now())
    } catch .again where resumeTries < 50 {
      resumeTries += 1
      return Self.pace
    } catch {
      try device.prepare()
      try begin(device)
    }
    resumeTries = 0
    return 1_000_000
  }

  private mutating func lose(_ device: PCMDevice, _ failure: PCMDevice.Failure) {
    settle(at: Self.now())
    device.close()
    self.device = nil
    pending = 0
    confirmed = nil
    retryLater(after: PCMDevice.error(failure, of: name ?? ""))
  }

  private mutating func retryLater(after error: SoundOutputError) {
    let now = Self.now()
    if !isLost { events(.lost(error, nanoseconds: now)) }
    isLost = true
    retryAt = now + backOff.next()
  }

  private mutating func open() {
    guard let name else { return }
    // A configuration read before the device came back may not know it.
    if isLost { snd_config_update_free_global() }
    do throws(SoundOutputError) {
      let opened = try PCMDevice.open(name, rate: rate)
      goOnSilently()
      fill = QueueFill(period: Int64(opened.periodFrames) * 1_000_000_000 / Int64(rate))
      latency = 0
      isLatencyKnown = false
      quickest = .max
      do throws(PCMDevice.Failure) {
        try begin(opened)
      } catch {
        opened.close()
        throw PCMDevice.error(error, of: name)
      }
      watch = ProgressWatch(frame: firstFrame, at: startedAt)
      device = opened
    } catch {
      retryLater(after: error)
    }
  }

  // MARK: Without a device

  /// Renders what nobody hears, at the pace of the clock, so that the sound comes back in place.
  private mutating func goOnSilently() {
    let end = clock.map.frame(at: Self.now())
    // After a sleep there is nothing to catch up with.
    if end - mixer.frame > Int64(2 * rate) { mixer.skip(to: end) }
    while mixer.frame < end {
      let count = Int(min(Int64(Self.block), end - mixer.frame))
      mixer.render(into: mono, count: count, map: clock.map)
      _ = tap?.push(mono, count: count)
    }
    let audience: Mixer.Audience = name != nil ? .lost : tap != nil ? .heard : .silent
    mixer.heard(upTo: mixer.frame, map: clock.map, by: audience)
  }
}
