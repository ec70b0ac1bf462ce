import CALSA
import CueSound
import Glibc

/// What the audio thread does: one `turn` after another, each of which says how long to wait.
///
/// While a device plays, a turn neither allocates, locks, logs nor counts references. Opening and
/// losing a device may: nothing is being heard then.
struct AudioLoop: ~Copyable {
  private var mixer: Mixer
  private var clock: CardClock
  private let settings: ALSAOutput.Settings
  private let rate: Int
  private let events: @Sendable (OutputEvent) -> Void

  private var device: PCMDevice?
  private var identity: String?
  private var isLost = false
  private var retryAt: Int64 = 0
  private var backOff = BackOff()
  private var fill = QueueFill()
  private var watch = ProgressWatch(frame: 0, at: 0)
  private var hardware = HardwareWatch()
  /// Frames rendered that the device has not taken yet lie at the front of `interleaved`.
  private var pending = 0
  /// The device gives back what it has not played.
  private var rewinds = false
  private var isServer = false
  private var isPaused = false
  private var startedAt: Int64 = 0
  private var resumeTries = 0
  /// When the next turn is to come at the latest.
  private var dueAt = Int64.max
  /// Since when nothing has run.
  private var idleSince: Int64?

  private var tape: HeardTape
  private var dither: Dither?
  private let mono: UnsafeMutablePointer<Int16>
  private let interleaved: UnsafeMutablePointer<Int16>

  /// Rendered at a time.
  private static let block = 480
  /// Between two turns, nanoseconds.
  private static let pace: Int64 = 22_000_000
  private static let shortest: Int64 = 2_000_000
  private static let silentPace: Int64 = 50_000_000
  /// Queued while a cue is near, where it can be taken back.
  private static let nearFill: Int64 = 150_000_000
  /// While no cue is near: how much is queued, and how much of that is left at the next turn.
  private static let farFill: Int64 = 700_000_000
  private static let farRest: Int64 = 110_000_000
  /// What is never taken back: the hardware may have fetched it already.
  private static let fetched: Int64 = 25_000_000
  /// From handing a sound over to this thread's turn, on a machine that is not slow.
  private static let handOver: Int64 = 10_000_000
  /// A turn that comes so much later has slept.
  private static let oversleep: Int64 = 500_000_000
  /// A belief that was wrong by so much is worth rendering anew.
  private static let wrong: Int64 = 5_000_000
  /// How long after a workout the device is kept, for the next command.
  private static let grace: Int64 = 5_000_000_000

  /// - Parameter tap: the ring of a tap that outlives the loop.
  init(
    mixer: consuming Mixer, settings: ALSAOutput.Settings, tap: Ring<Int16>?,
    events: @escaping @Sendable (OutputEvent) -> Void
  ) {
    self.mixer = mixer
    self.settings = settings
    self.events = events
    rate = settings.rate
    clock = CardClock(rate: rate, drift: nil, isServer: false)
    tape = HeardTape(tap)
    dither = settings.profile.keepAlive == .dither ? Dither() : nil
    mono = .allocate(capacity: Self.block)
    interleaved = .allocate(capacity: Self.block * 2)
  }

  deinit {
    mono.deallocate()
    interleaved.deallocate()
  }

  /// Does what is to be done now. Returns how long nothing will be, in nanoseconds; `.max` for
  /// until it is woken.
  ///
  /// - Parameter activity: what the output is needed for.
  mutating func turn(for activity: OutputActivity) -> Int64 {
    let now = CardClock.now()
    isPaused = activity != .running
    let wantsStepBack = mixer.takeCommands(map: map)
    if mayRest(at: now, activity) { return rest() }
    if hardware.hasChanged() {
      // Give whoever sets the permissions a moment.
      retryAt = min(retryAt, now + 100_000_000)
      backOff.reset()
    }
    if device == nil, settings.device != nil, now >= retryAt { open() }
    guard let device else {
      let wait = goOnSilently()
      return settings.device == nil ? wait : min(wait, max(1_000_000, retryAt - now))
    }
    do throws(PCMDevice.Failure) {
      return try play(device, wantsStepBack: wantsStepBack)
    } catch {
      return recover(device, from: error)
    }
  }

  /// Tells of new devices while the one that is wanted is missing; -1 where nothing does.
  var hardwareDescriptor: Int32 { device == nil ? hardware.descriptor : -1 }

  /// Ends everything: what was still to be heard is reported as withdrawn.
  mutating func close() {
    letGo()
    tape.pass(upTo: .max)
    mixer.abandon()
  }

  /// When which frame is heard by the person, behind whatever follows the device.
  private var map: FrameMap {
    var map = clock.map
    map.nanoseconds += settings.latency
    return map
  }

  // MARK: Rest

  private mutating func mayRest(at now: Int64, _ activity: OutputActivity) -> Bool {
    guard activity != .running, mixer.voiceCount == 0 else {
      idleSince = nil
      return false
    }
    let since = idleSince ?? now
    idleSince = since
    // A sink that falls asleep in a pause would swallow the first cue after it.
    // A sound server takes seconds until it knows its own delay again.
    let isKept =
      settings.profile.keepAlive != .off || settings.profile.warmUp > .zero || isServer
    if activity == .paused, isKept { return false }
    return device == nil || now - since >= Self.grace
  }

  /// Lets go of the device. A recording goes on.
  private mutating func rest() -> Int64 {
    letGo()
    hardware.close()
    retryAt = 0
    backOff.reset()
    guard tape.isRecording else { return .max }
    _ = goOnSilently()
    return 10 * Self.silentPace
  }

  private mutating func letGo() {
    guard let device else { return }
    let now = CardClock.now()
    settle(at: now)
    device.close()
    self.device = nil
    realign(at: now)
    mixer.breakOff()
    if let identity, let drift = clock.learnedDrift { settings.drifts.keep(identity, drift) }
  }

  // MARK: With a device

  /// Returns how long to wait before the next turn.
  private mutating func play(
    _ device: PCMDevice, wantsStepBack: Bool
  ) throws(PCMDevice.Failure) -> Int64 {
    let now = CardClock.now()
    // The machine or this process slept, and the device with it.
    if clock.hasSlept() || now - dueAt > Self.oversleep {
      watch.overslept(at: now)
      try relock(device, at: now)
    }
    var wantsStepBack = wantsStepBack
    if clock.wantsLook(at: now) {
      let written = mixer.frame - Int64(pending)
      let believed = clock.map.frame(at: now)
      try check(played: clock.look(at: device, written: written), written: written)
      // It stood still, or did not do what it said: what is queued was placed by a wrong belief.
      let moved = abs(clock.map.frame(at: now) - believed)
      wantsStepBack = wantsStepBack || moved > Int64(rate) * Self.wrong / 1_000_000_000
      allowLate()
    }
    if wantsStepBack { try takeBack(device, at: now) }
    settle(at: now)
    fill.relax(at: now)
    let isFar = rewinds && mixer.voiceCount == 0 && clock.isLocked
    let queued = try write(
      to: device,
      until: clock.map.frame(at: CardClock.now() + (isFar ? Self.farFill : nearLength))
        + clock.deviceDelay)
    let done = CardClock.now()
    // While it learns, at the learner's pace; then when half of the queue has been played. A device
    // may have taken less than it was to have.
    let rest = isFar ? Self.farRest : clock.isLocked ? nearLength / 2 : nearLength - Self.pace
    let most = Int64(device.bufferFrames) * 1_000_000_000 / Int64(rate)
    dueAt = done + max(Self.shortest, min(queued, most) - min(rest, queued / 2))
    return isFar ? dueAt - done : clock.goodInstant(from: done + Self.pace / 2, to: dueAt) - done
  }

  /// How much is queued while a cue is near: more where it can be taken back, or none will come
  /// before somebody goes on.
  private var nearLength: Int64 {
    rewinds || isPaused && mixer.voiceCount == 0 ? max(fill.length, Self.nearFill) : fill.length
  }

  /// Learns anew where the device is, from what it says now.
  private mutating func relock(_ device: PCMDevice, at now: Int64) throws(PCMDevice.Failure) {
    let written = mixer.frame - Int64(pending)
    let delay: Int64
    do throws(PCMDevice.Failure) {
      delay = try device.observe().delay
    } catch .noTiming {
      delay = 0
    }
    clock.relearn(frame: written - delay, at: now)
    startedAt = now
    dueAt = now
  }

  /// A cue that answers a command is late by what is on its way already, and a little more by waking
  /// up.
  private mutating func allowLate() {
    mixer.allow(
      late: nearLength + clock.deviceDelay * 1_000_000_000 / Int64(rate)
        + max(0, settings.latency) + 60_000_000)
  }

  /// Takes back what can still be changed.
  private mutating func takeBack(_ device: PCMDevice, at now: Int64) throws(PCMDevice.Failure) {
    var written = mixer.frame - Int64(pending)
    if rewinds {
      let surplus = written - clock.map.frame(at: now + Self.fetched) - clock.deviceDelay
      if surplus > 0 {
        let back = Int64(try device.rewind(Int(surplus)))
        written -= back
        // It does not keep what it promised at the start.
        rewinds = back >= surplus - Int64(device.periodFrames)
      }
    }
    pending = 0
    mixer.stepBack(to: written)
  }

  /// What is queued will not be heard, and what should have been heard meanwhile was not: the next
  /// frame rendered is the one of now.
  private mutating func realign(at now: Int64) {
    pending = 0
    let here = clock.map.frame(at: now)
    mixer.stepBack(to: max(0, here))
    mixer.skip(to: here)
  }

  /// Takes back what the device has not taken.
  private mutating func dropPending() {
    mixer.stepBack(to: mixer.frame - Int64(pending))
    pending = 0
  }

  private mutating func check(played: Int64, written: Int64) throws(PCMDevice.Failure) {
    switch watch.look(played: played, written: written, at: CardClock.now()) {
    case .waiting, .plays: break
    case .stuck: throw .stuck
    case .proven:
      backOff.reset()
      if isLost { mixer.reportBack(at: startedAt) }
      isLost = false
      hardware.close()
    }
  }

  /// Reports what has been heard: by the clock, but never more than the device has played.
  private mutating func settle(at now: Int64) {
    let frame = min(clock.map.frame(at: now), mixer.frame - Int64(pending))
    tape.pass(upTo: frame)
    mixer.heard(upTo: min(frame, clock.confirmed ?? frame), map: map, by: .heard)
  }

  /// Renders and writes until `end`, as far as the device takes it. Returns how much is queued then,
  /// in nanoseconds.
  private mutating func write(
    to device: PCMDevice, until end: Int64
  ) throws(PCMDevice.Failure) -> Int64 {
    while true {
      if pending == 0 {
        let count = min(Int64(Self.block), end - mixer.frame)
        guard count > 0 else { break }
        render(Int(count), channels: device.channels)
      }
      let taken: Int
      do throws(PCMDevice.Failure) {
        taken = try device.write(interleaved, frames: pending)
      } catch .again {
        break
      }
      guard taken > 0 else { break }
      pending -= taken
      let channels = device.channels
      interleaved.update(from: interleaved + taken * channels, count: pending * channels)
    }
    return clock.map.nanoseconds(of: mixer.frame - Int64(pending) - clock.deviceDelay)
      - CardClock.now()
  }

  /// Renders the next frames into `interleaved` and the recording.
  private mutating func render(_ count: Int, channels: Int) {
    let first = mixer.frame
    mixer.render(into: mono, count: count, map: map)
    tape.keep(mono, count: count, from: first)
    dither?.add(to: mono, count: count)
    for frame in 0..<count {
      for channel in 0..<channels { interleaved[frame * channels + channel] = mono[frame] }
    }
    pending = count
  }

  /// Fills the queue and starts; frame and instant are tied together anew.
  private mutating func begin(
    _ device: PCMDevice, isNew: Bool = false
  ) throws(PCMDevice.Failure) {
    dropPending()
    allowLate()
    let first = mixer.frame
    clock.restart(frame: first, earliest: CardClock.now(), latest: CardClock.now())
    let length = nearLength * Int64(rate) / 1_000_000_000
    _ = try write(to: device, until: first + length)
    if rewinds {
      // Some say that they can and do not.
      dropPending()
      let half = Int(mixer.frame - first) / 2
      let back = try device.rewind(half)
      rewinds = back == half
      mixer.stepBack(to: mixer.frame - Int64(back))
      _ = try write(to: device, until: first + length)
    }
    // Telling allocates, which is over before the device plays.
    if isNew { events(.plays(reach: rewinds ? Self.fetched + Self.handOver : nil)) }
    let before = CardClock.now()
    try device.start()
    startedAt = CardClock.now()
    clock.restart(frame: first, earliest: before, latest: startedAt)
    dueAt = startedAt
    // What is queued was placed as if it had begun when it was rendered.
    if mixer.voiceCount > 0 { try takeBack(device, at: startedAt) }
  }

  // MARK: Recovery

  /// Returns how long to wait before the next turn.
  private mutating func recover(_ device: PCMDevice, from failure: PCMDevice.Failure) -> Int64 {
    do throws(PCMDevice.Failure) {
      switch failure {
      case .xrun: try recoverFromXrun(device)
      case .suspended: return try recoverFromSleep(device)
      case .again, .noTiming:
        // Some that are lost say so for ever.
        let now = CardClock.now()
        if watch.isStill(at: now) { throw .stuck }
        dueAt = now + Self.pace
        return Self.pace
      case .stuck, .lost: throw failure
      }
      return 1_000_000
    } catch {
      letGo()
      retryLater(after: PCMDevice.error(error, of: settings.device ?? ""))
      return Self.silentPace
    }
  }

  private mutating func recoverFromXrun(_ device: PCMDevice) throws(PCMDevice.Failure) {
    let now = CardClock.now()
    if watch.ranDry(after: now - startedAt, at: now) { throw .stuck }
    // What it has had the time for has been heard.
    let heard = min(clock.map.frame(at: now), mixer.frame - Int64(pending))
    mixer.heard(upTo: heard, map: map, by: .heard)
    tape.pass(upTo: heard)
    realign(at: now)
    mixer.reportXrun(at: now)
    fill.ranDry(at: now)
    try device.prepare()
    try begin(device)
  }

  private mutating func recoverFromSleep(_ device: PCMDevice) throws(PCMDevice.Failure) -> Int64 {
    do throws(PCMDevice.Failure) {
      try device.wakeUp()
      try relock(device, at: CardClock.now())
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

  private mutating func retryLater(after error: SoundOutputError) {
    let now = CardClock.now()
    if !isLost { events(.lost(error, nanoseconds: now)) }
    isLost = true
    hardware.open()
    retryAt = now + backOff.next()
  }

  private mutating func open() {
    guard let name = settings.device else { return }
    // A configuration read before the device came back may not know it.
    if isLost { snd_config_update_free_global() }
    do throws(SoundOutputError) {
      _ = goOnSilently()
      let opened = try PCMDevice.open(name, rate: rate)
      // What has become due while it was opened is late, not missed.
      mixer.skip(to: clock.map.frame(at: CardClock.now()))
      let known = identity
      identity = opened.identity(of: name)
      if known == nil || known != identity {
        fill = QueueFill(period: Int64(opened.periodFrames) * 1_000_000_000 / Int64(rate))
      }
      isServer = opened.isServer
      rewinds = !isServer
      resumeTries = 0
      let first = mixer.frame
      clock = CardClock(
        rate: rate, drift: identity.flatMap(settings.drifts.recall), isServer: isServer)
      do throws(PCMDevice.Failure) {
        try begin(opened, isNew: true)
      } catch {
        opened.close()
        throw PCMDevice.error(error, of: name)
      }
      watch = ProgressWatch(frame: first, at: startedAt, isServer: isServer)
      device = opened
    } catch {
      retryLater(after: error)
    }
  }

  // MARK: Without a device

  /// Renders what nobody hears, at the pace of the clock, so that the sound comes back in place.
  /// Returns how long to wait before the next turn.
  private mutating func goOnSilently() -> Int64 {
    let now = CardClock.now()
    let end = clock.map.frame(at: now)
    // After a sleep there is nothing to catch up with.
    if end - mixer.frame > Int64(2 * rate) { mixer.skip(to: end) }
    while mixer.frame < end {
      let first = mixer.frame
      let count = Int(min(Int64(Self.block), end - first))
      mixer.render(into: mono, count: count, map: map)
      tape.keep(mono, count: count, from: first)
    }
    tape.pass(upTo: mixer.frame)
    let audience: Mixer.Audience =
      settings.device != nil ? .lost : tape.isRecording ? .heard : .silent
    mixer.heard(upTo: mixer.frame, map: map, by: audience)
    return mixer.voiceCount > 0 ? Self.silentPace : 5 * Self.silentPace
  }
}
