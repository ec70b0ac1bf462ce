/// The rendered sound on the card's clock: how much of it the device has taken, when each frame is heard, and
/// how much has been heard.
struct RenderedSound: ~Copyable {
  var mixer: Mixer
  var clock: CardClock
  /// What is queued is no longer what is to be heard: a command changed it, or a wrong map placed it.
  var isOutOfDate = false
  private var tape: PlayedHistory
  /// The block rendered last, and how many frames at its end the device has not taken.
  private var block = 0
  private(set) var pending = 0
  /// Takes what is rendered for no device.
  private let scratch: UnsafeMutablePointer<Int16>
  let rate: Int
  private let latency: Duration

  /// The most that is rendered at a time, frames.
  static var maxBlock: Int { 480 }
  /// When the map turns out to be wrong by more than this, the queued sound is rendered again.
  private static let mapTolerance: Duration = .milliseconds(5)
  /// How late a cue may be beyond what is queued: the time to wake up.
  private static let wakingUp: Duration = .milliseconds(60)

  /// - Parameters:
  ///   - latency: of whatever follows the device.
  ///   - tap: the ring of a tap that outlives this.
  init(
    _ mixer: consuming Mixer, rate: Int, latency: Duration, tap: Ring<Int16>?, at now: BootInstant
  ) {
    self.mixer = mixer
    self.rate = rate
    self.latency = latency
    clock = CardClock(rate: rate, drift: nil, isServer: false, at: now)
    tape = PlayedHistory(tap)
    scratch = .allocate(capacity: Self.maxBlock)
  }

  deinit { scratch.deallocate() }

  // MARK: Frames

  /// The frame to be rendered next.
  var next: Frames { mixer.frame }
  /// Up to where the device has been given frames.
  var written: Frames { mixer.frame - Frames(pending) }
  /// Where in the last block the frames begin that the device has not taken.
  var pendingStart: Int { block - pending }
  var isRecording: Bool { tape.isRecording }

  /// When the listener hears which frame: after the latency of whatever follows the device.
  var map: FrameMap {
    var map = clock.map
    map.instant += latency
    return map
  }

  /// The delay behind the device's own buffer.
  var delay: Duration { SampleRate.length(of: clock.deviceDelay, at: rate) }

  func frames(in span: Duration) -> Frames { SampleRate.frames(in: span, at: rate) }

  // MARK: Rendering

  /// Takes the commands that have come. What is queued may be out of date afterwards.
  mutating func takeCommands() {
    if mixer.takeCommands(map: map) { isOutOfDate = true }
  }

  /// A reading moved the map, which expected `frame` at `instant`: the device stood still, or had reported a
  /// wrong position.
  mutating func mapHasMoved(from frame: Frames, at instant: BootInstant) {
    let moved = clock.map.frame(at: instant) - frame
    if moved.magnitude > frames(in: Self.mapTolerance) { isOutOfDate = true }
  }

  /// Renders the next frames, for the recording too.
  mutating func render(into target: UnsafeMutablePointer<Int16>, count: Int) {
    let first = mixer.frame
    mixer.render(into: target, count: count, map: map)
    tape.keep(target, count: count, from: first)
  }

  /// Renders at the pace of the clock, though no device plays it, so that the sound comes back in place.
  ///
  /// - Parameter isLost: a device is missing. Where none was asked for, a recording counts as hearing it.
  mutating func renderSilently(at now: BootInstant, isLost: Bool) {
    let end = clock.map.frame(at: now)
    // What passed during a sleep is skipped.
    if end - next > Frames(2 * rate) { mixer.skip(to: end) }
    while next < end { render(into: scratch, count: min(Self.maxBlock, Int(end - next))) }
    heard(upTo: next, confirmed: nil, by: isLost ? .lost : isRecording ? .heard : .silent)
  }

  /// A cue that answers a command is late by what is on its way already, and by the time to wake up.
  mutating func allowLate(queued: Duration) {
    mixer.allow(late: queued + delay + max(.zero, latency) + Self.wakingUp)
  }

  // MARK: The device's queue

  /// A device is open, with a clock of its own.
  mutating func opened(_ device: PCMDescription, at now: BootInstant) {
    // What became due while it was opened is late, not missed.
    mixer.skip(to: clock.map.frame(at: now))
    clock = CardClock(rate: rate, drift: device.drift, isServer: device.isServer, at: now)
  }

  /// The block just rendered is for the device.
  mutating func offer(_ count: Int) {
    block = count
    pending = count
  }

  /// The device took this many frames.
  mutating func took(_ count: Int) { pending -= count }

  /// The device has been given nothing from `frame` on.
  mutating func stepBack(to frame: Frames) {
    pending = 0
    mixer.stepBack(to: frame)
  }

  /// Takes back what the device has not taken.
  mutating func dropPending() { stepBack(to: written) }

  /// Drops what is pending: no device will take it.
  mutating func forgetPending() { pending = 0 }

  // MARK: What has been heard

  /// Reports what has been heard: by the map, but no more than the device confirms, where it does.
  mutating func settle(at now: BootInstant) { settle(at: now, confirmed: clock.confirmed) }

  /// The device had less than it played: all that it was given has been heard by now.
  mutating func underrun(at now: BootInstant) {
    settle(at: now, confirmed: nil)
    resync(to: clock.map.frame(at: now))
    mixer.reportXrun(at: now)
  }

  /// The device was stopped with this many frames in its own buffer, after this process was.
  mutating func stopped(queued: Frames) {
    let end = written - max(0, queued) - clock.deviceDelay
    heard(upTo: end, confirmed: end, by: .heard)
  }

  /// What is queued will not be heard: what has begun by now is over, and what begins later waits again.
  mutating func writeOffQueue(at now: BootInstant) {
    settle(at: now)
    resync(to: clock.map.frame(at: now))
    mixer.breakOff()
  }

  /// Nothing more will be rendered.
  mutating func end() {
    tape.pass(upTo: .max)
    mixer.abandon()
  }

  private mutating func settle(at now: BootInstant, confirmed: Frames?) {
    heard(upTo: min(clock.map.frame(at: now), written), confirmed: confirmed, by: .heard)
  }

  /// Everything before `frame` was heard; reports go no further than `confirmed`, up to where the device
  /// itself says it has played.
  private mutating func heard(
    upTo frame: Frames, confirmed: Frames?, by audience: Mixer.Audience
  ) {
    tape.pass(upTo: frame)
    mixer.heard(upTo: min(frame, confirmed ?? frame), map: map, by: audience)
  }

  /// Nothing that is queued will be heard, nor was anything since: the next frame rendered is `frame`.
  private mutating func resync(to frame: Frames) {
    stepBack(to: max(0, frame))
    mixer.skip(to: frame)
  }
}
