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
  private let tap: RecordingTap?
  private let events: @Sendable (OutputEvent) -> Void

  private var device: PCMDevice?
  private var isLost = false
  private var retryAt: Int64 = 0
  private var backOff: Int64 = 0
  /// Frames rendered that the device has not taken yet lie at the front of `stereo`.
  private var pending = 0
  private var startedAt: Int64 = 0
  private var looksAt: Int64 = 0
  private var jitter: UInt64 = 1
  /// The watchdog: what the device had played when it last moved on, and when that was.
  private var lastPlayed: Int64 = 0
  private var lastProgress: Int64 = 0

  private let mono: UnsafeMutablePointer<Int16>
  private let stereo: UnsafeMutablePointer<Int16>

  /// Rendered at a time.
  private static let block = 480
  /// Kept queued: what is queued cannot be called back. Nanoseconds.
  private static let fill: Int64 = 48_000_000
  /// Between two turns.
  private static let pace: Int64 = 20_000_000
  private static let silentPace: Int64 = 50_000_000
  private static let firstBackOff: Int64 = 250_000_000
  private static let greatestBackOff: Int64 = 2_000_000_000
  /// A device that has frames and plays none of them for so long is stuck.
  private static let patience: Int64 = 1_000_000_000
  /// Some outputs tell wild delays at first.
  private static let settling: Int64 = 1_000_000_000
  /// Between two looks at the device, and up to 33 ms more.
  private static let lookGap: Int64 = 80_000_000
  /// A reading that took longer says nothing exact about its instant.
  private static let greatestBracket: Int64 = 200_000

  init(
    mixer: consuming Mixer, device: String?, rate: Int, tap: RecordingTap?,
    events: @escaping @Sendable (OutputEvent) -> Void
  ) {
    self.mixer = mixer
    clock = FrameClock(rate: rate)
    name = device
    self.rate = rate
    self.tap = tap
    self.events = events
    mono = .allocate(capacity: Self.block)
    stereo = .allocate(capacity: Self.block * 2)
    clock.restart(frame: 0, nanoseconds: Self.now())
  }

  deinit {
    mono.deallocate()
    stereo.deallocate()
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
      recover(device, from: error)
      return 1_000_000
    }
  }

  mutating func close() {
    if let device {
      settle(heardUpTo: clock.map.frame(at: Self.now()))
      device.close()
    }
    device = nil
  }

  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  // MARK: With a device

  private mutating func play(_ device: PCMDevice) throws(PCMDevice.Failure) {
    if Self.now() >= looksAt { try look(device) }
    let now = Self.now()
    settle(heardUpTo: clock.map.frame(at: now))
    try fill(device, until: clock.map.frame(at: now + Self.fill))
  }

  /// Asks the device where it is, now and then: the clock knows it in between.
  private mutating func look(_ device: PCMDevice) throws(PCMDevice.Failure) {
    let before = Self.now()
    // Not evenly, or the readings would beat with a pointer that moves in steps.
    jitter = jitter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    looksAt = before + Self.lookGap + Int64(jitter >> 39)
    let observation: PCMDevice.Observation
    do throws(PCMDevice.Failure) {
      observation = try device.observe()
    } catch .noTiming {
      // The nominal rate serves until the device tells more.
      return
    }
    let after = Self.now()
    let played = mixer.frame - Int64(pending) - Int64(observation.delay)
    try watch(played: played, at: after, device)
    // A device that has taken everything (ALSA's null) has no clock to learn.
    let isTimed = observation.isRunning && observation.delay > 0
    if isTimed, after - startedAt >= Self.settling, after - before <= Self.greatestBracket {
      clock.observe(frame: played, nanoseconds: before + (after - before) / 2)
    }
  }

  /// Reports the onsets of what has been heard.
  private mutating func settle(heardUpTo frame: Int64) {
    mixer.heard(upTo: min(frame, mixer.frame), map: clock.map, by: .heard)
  }

  private mutating func watch(
    played: Int64, at now: Int64, _ device: PCMDevice
  ) throws(PCMDevice.Failure) {
    if played != lastPlayed || mixer.frame == played {
      lastPlayed = played
      lastProgress = now
    } else if now - lastProgress > Self.patience {
      throw .lost(
        SoundOutputError(
          kind: .stuck, device: device.name, detail: "it has played nothing for a second"))
    }
  }

  /// Renders and writes until `end`, as far as the device takes it.
  private mutating func fill(
    _ device: PCMDevice, until end: Int64
  ) throws(PCMDevice.Failure) {
    while true {
      if pending == 0 {
        let count = min(Int64(Self.block), end - mixer.frame)
        guard count > 0 else { return }
        render(Int(count), channels: device.channels)
      }
      let taken: Int
      do throws(PCMDevice.Failure) {
        taken = try device.write(stereo, frames: pending)
      } catch .again {
        return
      }
      guard taken > 0 else { return }
      pending -= taken
      let channels = device.channels
      stereo.update(from: stereo + taken * channels, count: pending * channels)
    }
  }

  /// Renders the next frames into `stereo` and the recording.
  private mutating func render(_ count: Int, channels: Int) {
    mixer.render(into: mono, count: count, map: clock.map)
    _ = tap?.samples.push(mono, count: count)
    for frame in 0..<count {
      for channel in 0..<channels { stereo[frame * channels + channel] = mono[frame] }
    }
    pending = count
  }

  /// Fills the queue and starts; frame and instant are tied together anew.
  private mutating func begin(_ device: PCMDevice) throws(PCMDevice.Failure) {
    pending = 0
    catchUp()
    let first = mixer.frame
    clock.restart(frame: first, nanoseconds: Self.now())
    let frames = Self.fill * Int64(rate) / 1_000_000_000
    try fill(device, until: first + frames)
    try device.start()
    startedAt = Self.now()
    clock.restart(frame: first, nanoseconds: startedAt)
    looksAt = startedAt
    lastPlayed = first
    lastProgress = startedAt
  }

  // MARK: Recovery

  private mutating func recover(_ device: PCMDevice, from failure: PCMDevice.Failure) {
    do throws(PCMDevice.Failure) {
      switch failure {
      case .xrun:
        let now = Self.now()
        settle(heardUpTo: mixer.frame)
        mixer.reportXrun(at: now)
        try device.prepare()
        try begin(device)
      case .suspended:
        do throws(PCMDevice.Failure) { try device.wakeUp() } catch .again {
          return
        } catch {
          try device.prepare()
          try begin(device)
        }
      case .again, .noTiming: return
      case .lost(let error): lose(device, error)
      }
    } catch {
      if case .lost(let error) = error {
        lose(device, error)
      } else {
        lose(
          device,
          SoundOutputError(kind: .failed, device: device.name, detail: "it does not recover"))
      }
    }
  }

  private mutating func lose(_ device: PCMDevice, _ error: SoundOutputError) {
    settle(heardUpTo: clock.map.frame(at: Self.now()))
    device.close()
    self.device = nil
    pending = 0
    backOff = 0
    wait(error)
  }

  private mutating func wait(_ error: SoundOutputError) {
    let now = Self.now()
    if !isLost { events(.lost(error, nanoseconds: now)) }
    isLost = true
    backOff = min(Self.greatestBackOff, max(Self.firstBackOff, backOff * 2))
    retryAt = now + backOff
  }

  private mutating func open() {
    guard let name else { return }
    // A configuration read before the device came back may not know it.
    if isLost { snd_config_update_free_global() }
    do throws(SoundOutputError) {
      let opened = try PCMDevice.open(name, rate: rate)
      do throws(PCMDevice.Failure) {
        try begin(opened)
      } catch {
        opened.close()
        if case .lost(let error) = error { throw error }
        throw SoundOutputError(kind: .failed, device: name, detail: "it does not start")
      }
      device = opened
      backOff = 0
      if isLost { events(.back(nanoseconds: startedAt)) }
      isLost = false
    } catch {
      wait(error)
    }
  }

  // MARK: Without a device

  /// Renders what nobody hears, at the pace of the clock, so that the sound comes back in place.
  private mutating func goOnSilently() {
    let now = Self.now()
    let end = clock.map.frame(at: now)
    // After a sleep there is nothing to catch up with.
    if end - mixer.frame > Int64(2 * rate) { mixer.skip(to: end) }
    while mixer.frame < end {
      let count = Int(min(Int64(Self.block), end - mixer.frame))
      mixer.render(into: mono, count: count, map: clock.map)
      _ = tap?.samples.push(mono, count: count)
    }
    let audience: Mixer.Audience = name != nil ? .lost : tap != nil ? .heard : .silent
    mixer.heard(upTo: mixer.frame, map: clock.map, by: audience)
  }

  /// Brings the frames up to now before a device takes over.
  private mutating func catchUp() {
    if device == nil { goOnSilently() }
  }
}
