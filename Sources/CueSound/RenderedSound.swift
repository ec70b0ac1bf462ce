/// What is rendered, and how far the device has taken it and the person has heard it.
struct RenderedSound: ~Copyable {
  var mixer: Mixer
  private var tape: HeardTape
  /// The block rendered last, and how many frames at its end the device has not taken.
  private var block = 0
  private(set) var pending = 0
  /// For what no device takes.
  private let scratch: UnsafeMutablePointer<Int16>

  /// - Parameter tap: the ring of a tap that outlives this.
  init(_ mixer: consuming Mixer, tap: Ring<Int16>?) {
    self.mixer = mixer
    tape = HeardTape(tap)
    scratch = .allocate(capacity: OutputControl.block)
  }

  deinit { scratch.deallocate() }

  /// The frame to be rendered next.
  var next: Int64 { mixer.frame }
  /// How many frames the device has been given.
  var written: Int64 { mixer.frame - Int64(pending) }
  /// Where in the last block the frames begin that the device has not taken.
  var pendingStart: Int { block - pending }
  var isRecording: Bool { tape.isRecording }

  /// Renders the next frames, for the recording too.
  mutating func render(into target: UnsafeMutablePointer<Int16>, count: Int, map: FrameMap) {
    let first = mixer.frame
    mixer.render(into: target, count: count, map: map)
    tape.keep(target, count: count, from: first)
  }

  /// Renders for nobody but the recording.
  mutating func renderSilently(upTo end: Int64, map: FrameMap) {
    while next < end {
      let count = Int(min(Int64(OutputControl.block), end - next))
      render(into: scratch, count: count, map: map)
    }
  }

  /// The block just rendered is for the device.
  mutating func offer(_ count: Int) {
    block = count
    pending = count
  }

  /// The device took so many frames.
  mutating func took(_ count: Int) { pending -= count }

  /// The device has been given nothing from `frame` on.
  mutating func stepBack(to frame: Int64) {
    pending = 0
    mixer.stepBack(to: frame)
  }

  /// Takes back what the device has not taken.
  mutating func dropPending() { stepBack(to: written) }

  /// No device will take what is pending.
  mutating func forgetPending() { pending = 0 }

  /// What is queued will not be heard, and what should have been heard meanwhile was not: the next
  /// frame rendered is `frame`.
  mutating func realign(to frame: Int64) {
    stepBack(to: max(0, frame))
    mixer.skip(to: frame)
  }

  /// Everything before `frame` was heard; a report needs the device's own `confirmed` word too.
  mutating func heard(
    upTo frame: Int64, confirmed: Int64?, map: FrameMap, by audience: Mixer.Audience
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
