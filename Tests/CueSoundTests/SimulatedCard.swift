@testable import CueSound

/// A sound card in simulated time, which performs the steps of an `OutputControl`.
struct SimulatedCard: ~Copyable {
  /// How the card behaves.
  struct Behaviour: Sendable {
    var drift = 0.0
    /// The pointer's step in seconds; 0 for a continuous pointer.
    var step = 0.0
    /// The greatest delay of the pointer's steps, in seconds.
    var lateness = 0.0
    /// The greatest error of the pointer during the first half second, in seconds.
    var lie = 0.0
    /// The time from the reported start to the real one, in seconds.
    var startDelay = 0.0
    /// How much the card takes out of its buffer before it plays it, in seconds.
    var fetchesAhead = 0.0
    /// Its position counts what it has fetched as played.
    var hidesFetched = false
    /// It reports that it rewinds, but does not.
    var keepsFrames = false
    var isServer = false
    var rewinds = true
  }

  /// The card's current fault.
  enum Fault: Sendable {
    case none
    /// It cannot be opened; one that is open is lost.
    case gone
    /// It accepts sound and plays nothing.
    case stalled
    /// It never accepts anything.
    case full
    /// It reports no position.
    case noTiming
    /// It is suspended, and cannot be resumed yet.
    case suspended
    /// It is suspended, and `resume` wakes it.
    case canResume
    /// It is suspended, and only `prepare` wakes it.
    case cannotResume
    /// The same, and it says that it has run dry, as dmix does where another program has started it again.
    case saysItRanDry
  }

  var control: OutputControl
  let link: MixerLink
  let behaviour: Behaviour
  var fault = Fault.none
  var activity = OutputActivity.running
  /// A device comes, or its permissions change, before the next turn.
  var hardwareChanges = false
  /// The most frames that it gives back.
  var returnable = Int.max
  private(set) var seconds = 0.0
  /// The frames that the card has skipped since its start.
  var jumped = 0.0
  /// The names of all requested steps except rendering and writing.
  var trace: [String] = []
  /// The last wait.
  private(set) var lastWait = Duration.zero
  /// The frames at which sound begins after silence, in what the card finally played.
  private(set) var onsets: [Frames] = []
  /// A voice that the check hands over at an instant, in seconds: it wakes the audio thread.
  var handOver: (voice: Voice, at: Double)?
  /// Something was handed over during the turn, so the next one comes at once.
  private var isWoken = false
  private var random: SplitMix
  private var remembered: Double?
  private var wasOpen = false
  private var startedAt = 0.0
  private var base: Frames = 0
  private var isRunning = false
  /// The machine's sleep so far, seconds.
  private var asleep = 0.0
  private let block: UnsafeMutablePointer<Int16>
  private var rate: Double { 48_000 * (1 + behaviour.drift * 1e-6) }

  private static let buffer = 36_000
  private static let period = 480

  init(
    _ behaviour: Behaviour = Behaviour(), remembered: Double? = nil, seed: UInt64 = 1,
    latency: Duration = .zero,
    staysOpen: Bool = false
  ) {
    self.behaviour = behaviour
    self.remembered = remembered
    link = MixerLink(voices: 64)
    control = OutputControl(
      mixer: Mixer(link: link, rate: 48_000), rate: 48_000, latency: latency, hasDevice: true,
      staysOpen: staysOpen, tap: nil, at: 0, asleep: 0)
    random = SplitMix(state: seed)
    block = .allocate(capacity: OutputControl.block)
  }

  deinit { block.deallocate() }

  // MARK: The truth

  var now: BootInstant { BootInstant(nanoseconds: Int64(seconds * 1e9)) }

  /// The frame that is really heard.
  func truth(at seconds: Double) -> Double {
    Double(base.value) + max(0, seconds - startedAt - behaviour.startDelay) * rate + jumped
  }

  /// When that frame is really heard, in seconds.
  func instant(of frame: Frames) -> Double {
    startedAt + behaviour.startDelay + (Double((frame - base).value) - jumped) / rate
  }

  /// The error of the map 50 ms ahead, in seconds.
  var error: Double {
    let ahead = seconds + 0.05
    let map = control.sound.clock.map
    let claimed =
      Double(map.frame.value)
      + (ahead * 1e9 - Double(map.instant.nanoseconds)) * map.rate * 1e-9
    return (claimed - truth(at: ahead)) / rate
  }

  var isOpen: Bool { control.situation.isOpen }

  // MARK: Time

  /// Turns until `end`; the greatest error from `from` on, in seconds.
  mutating func run(to end: Double, from: Double = 0) -> Double {
    var worst = 0.0
    while seconds < end {
      turn()
      // Nothing wakes it up.
      if lastWait == .unlimited { seconds = max(seconds, end) }
      if isRunning, seconds >= from { worst = max(worst, abs(error)) }
    }
    return worst
  }

  /// The machine sleeps, and the card stands still.
  mutating func sleep(_ length: Double) {
    jumped -= length * rate
    seconds += length
    asleep += length
  }

  /// The process is delayed while the card plays.
  mutating func holdUp(_ length: Double) { seconds += length }

  /// Another device is chosen, which behaves in the same way.
  mutating func changeDevice() {
    control.changeDevice(at: now)
    isRunning = false
    wasOpen = false
  }

  /// One turn of the audio thread, and the wait after it.
  mutating func turn() {
    var step = control.turn(
      at: now, asleep: .nanoseconds(Int64(asleep * 1e9)), for: activity,
      hardwareChanged: hardwareChanges)
    hardwareChanges = false
    while true {
      note(step)
      switch step {
      case .wait(let wait):
        pass(wait)
        return
      case .rest(let wait):
        isRunning = false
        pass(wait)
        return
      default: step = perform(step)
      }
    }
  }

  private mutating func pass(_ wait: Duration) {
    lastWait = wait
    guard wait < .unlimited else { return }
    let call = handOver.map { max(0, $0.at - seconds) } ?? .infinity
    // A thread wakes up a little late.
    let passed = (isWoken ? 0 : min(wait.inSeconds, call)) + random.next(in: 20e-6...300e-6)
    seconds += passed
    handsOver()
    isWoken = false
    if fault == .suspended { jumped -= passed * rate }
  }

  private mutating func handsOver() {
    guard let (voice, at) = handOver, seconds >= at else { return }
    _ = link.commands.push(.play(voice))
    handOver = nil
    isWoken = true
  }

  private mutating func note(_ step: OutputStep) {
    switch step {
    case .open: trace.append("open")
    case .countQueued: trace.append("count")
    case .rewind: trace.append("rewind")
    case .start: trace.append("start")
    case .prepare: trace.append("prepare")
    case .resume: trace.append("resume")
    case .giveUp: trace.append("give up")
    case .rest: trace.append("rest")
    case .observe, .render, .write, .wait: break
    }
  }

  // MARK: The card

  private mutating func perform(_ step: OutputStep) -> OutputStep {
    let begin = now
    do throws(DeviceFailure) {
      switch step {
      case .open: return open()
      case .observe:
        let position = try observe()
        return control.observed(position, from: begin, to: now)
      case .countQueued:
        return control.counted(queued: queued, at: now)
      case .render(let frames): return control.render(into: block, frames: frames)
      case .write(let first, let frames):
        let taken = try write(from: first, frames: frames)
        return control.wrote(taken, at: now)
      case .rewind(let frames):
        let count = behaviour.keepsFrames ? 0 : min(frames, Int(queued), returnable)
        let end = control.sound.written - Frames(count)
        onsets.removeAll { $0 >= end }
        return control.rewound(count, at: now)
      case .start:
        seconds += random.next(in: 5e-6...10e-6)
        startedAt = seconds
        seconds += random.next(in: 2e-6...5e-6)
        base = control.device.firstFrame
        jumped = 0
        isRunning = true
        return control.started(from: begin, to: now)
      case .prepare:
        if fault == .gone { throw .lost(code: -19, in: "prepare") }
        isRunning = false
        if fault == .cannotResume || fault == .saysItRanDry { fault = .none }
        return control.prepared(at: now)
      case .resume:
        if fault == .suspended { throw .again }
        if fault == .canResume { fault = .none }
        if fault == .cannotResume { throw .lost(code: -38, in: "resume") }
        return control.resumed(at: now)
      case .giveUp:
        isRunning = false
        return control.lost(at: now)
      case .rest, .wait: preconditionFailure("not for a card")
      }
    } catch {
      return control.failed(error, from: begin, to: now)
    }
  }

  private mutating func open() -> OutputStep {
    seconds += 0.004
    if fault == .gone { return control.lost(at: now) }
    defer { wasOpen = true }
    return control.opened(
      PCMDescription(
        buffer: Self.buffer, period: Self.period, isServer: behaviour.isServer,
        rewinds: behaviour.rewinds && !behaviour.isServer, isSame: wasOpen,
        drift: remembered),
      at: now)
  }

  /// The frames that are queued in the card.
  private var queued: Frames {
    guard isRunning else { return control.sound.written - control.device.firstFrame }
    let fetched = played(at: seconds) + Frames(Int64(behaviour.fetchesAhead * 48_000))
    return max(0, control.sound.written - fetched)
  }

  /// The frame that is heard, by the card's count; a stalled card has not moved since its start.
  private func played(at seconds: Double) -> Frames {
    fault == .stalled ? base : Frames(Int64(truth(at: seconds).rounded(.down)))
  }

  private mutating func check() throws(DeviceFailure) {
    if fault == .gone { throw .lost(code: -19, in: "check") }
    switch fault {
    case .suspended, .canResume, .cannotResume: throw .suspended(queued: queued)
    case .saysItRanDry: throw .xrun
    default: break
    }
    if isRunning, played(at: seconds) >= control.sound.written {
      isRunning = false
      throw .xrun
    }
  }

  private mutating func write(from first: Int, frames: Int) throws(DeviceFailure) -> Int {
    try check()
    let free = Self.buffer - Int(queued)
    let taken = min(frames, free)
    guard taken > 0, fault != .full else { throw .again }
    var isSilent = true
    for index in 0..<taken {
      let isSound = block[first + index] != 0
      if isSound, isSilent, onsets.last.map({ control.sound.written - $0 > 4_800 }) ?? true {
        onsets.append(control.sound.written + Frames(index))
      }
      isSilent = !isSound
    }
    return taken
  }

  private mutating func observe() throws(DeviceFailure) -> DevicePosition {
    let isHeldUp = random.next(in: 0...1) < 0.05
    let bracket = random.next(in: isHeldUp ? 50e-6...200e-6 : 3e-6...40e-6)
    let instant = seconds + bracket * random.next(in: 0...1)
    seconds += bracket
    handsOver()
    try check()
    if fault == .noTiming { throw .noTiming }
    return DevicePosition(
      isRunning: isRunning, delay: control.sound.written - pointer(at: instant), queued: queued)
  }

  /// The frame that the card reports as heard.
  private func pointer(at instant: Double) -> Frames {
    if fault == .stalled { return base }
    var frame = truth(at: instant)
    if behaviour.hidesFetched { frame += behaviour.fetchesAhead * 48_000 }
    if behaviour.step > 0 || behaviour.lateness > 0 {
      let frames = max(1, behaviour.step * 48_000)
      var steps = ((frame - Double(base.value)) / frames).rounded(.down)
      // The latest step appears slightly late.
      var late = SplitMix(state: UInt64(bitPattern: Int64(steps)) &+ 7)
      let since = (frame - Double(base.value) - steps * frames) / rate
      if since < late.next(in: 0...max(1e-12, behaviour.lateness)) { steps -= 1 }
      frame = Double(base.value) + max(0, steps) * frames
    }
    let age = instant - startedAt
    if behaviour.lie > 0, age < 0.5 {
      frame -= behaviour.lie * 48_000 * (1 - 2 * age) * (1 - 8 * abs(age - 0.25))
    }
    return Frames(Int64(frame.rounded(.down)))
  }
}

/// SplitMix64, so that failures are reproducible.
struct SplitMix {
  var state: UInt64

  mutating func next(in range: ClosedRange<Double>) -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return range.lowerBound + (range.upperBound - range.lowerBound) * Double(mixed >> 11) * 0x1p-53
  }
}
