/// The rendered sound: how much of it the device has taken, and how much has been heard.
struct RenderedSound: ~Copyable {
  var mixer: Mixer
  private var tape: PlayedHistory
  /// The block rendered last, and how many frames at its end the device has not taken.
  private var block = 0
  private(set) var pending = 0
  /// Takes what is rendered for no device.
  private let scratch: UnsafeMutablePointer<Int16>

  /// - Parameter tap: the ring of a tap that outlives this.
  init(_ mixer: consuming Mixer, tap: Ring<Int16>?) {
    self.mixer = mixer
    tape = PlayedHistory(tap)
    scratch = .allocate(capacity: OutputControl.block)
  }

  deinit { scratch.deallocate() }

  /// The frame to be rendered next.
  var next: Frames { mixer.frame }
  /// Up to where the device has been given frames.
  var written: Frames { mixer.frame - Frames(pending) }
  /// Where in the last block the frames begin that the device has not taken.
  var pendingStart: Int { block - pending }
  var isRecording: Bool { tape.isRecording }

  /// Renders the next frames, for the recording too.
  mutating func render(into target: UnsafeMutablePointer<Int16>, count: Int, map: FrameMap) {
    let first = mixer.frame
    mixer.render(into: target, count: count, map: map)
    tape.keep(target, count: count, from: first)
  }

  /// Renders for the recording alone.
  mutating func renderSilently(upTo end: Frames, map: FrameMap) {
    while next < end {
      let count = min(OutputControl.block, Int(end - next))
      render(into: scratch, count: count, map: map)
    }
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

  /// Nothing that is queued will be heard, nor was anything since: the next frame rendered is `frame`.
  mutating func resync(to frame: Frames) {
    stepBack(to: max(0, frame))
    mixer.skip(to: frame)
  }

  /// Everything before `frame` was heard; reports go no further than `confirmed`, up to where the device
  /// itself says it has played.
  mutating func heard(
    upTo frame: Frames, confirmed: Frames?, map: FrameMap, by audience: Mixer.Audience
  ) {
    tape.pass(upTo: frame)
    mixer.heard(upTo: min(frame, confirmed ?? frame), map: map, by: audience)
  }

  /// Nothing more will be rendered.
  mutating func end() {
    tape.pass(upTo: .max)
    mixer.abandon()
  }
}
