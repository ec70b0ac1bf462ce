/// How far one kind of voice dips under another, frame by frame.
///
/// It depends on where the other voices begin and end and on nothing else, so the division of the output
/// into blocks does not change it. For the audio thread: only `init` allocates.
struct Dip {
  struct Shape: BitwiseCopyable {
    /// Linear, of a full dip.
    let gain: Float
    /// From no dip to a full one, and back.
    let attack: Duration
    let release: Duration

    /// Words under a sound, by 4 dB: the sound stands out and the words stay understood.
    static var wordsUnderSound: Shape {
      Shape(gain: 0.630_957_34, attack: .milliseconds(5), release: .milliseconds(60))
    }

    /// A sound under a number of a count, by 16 dB: a speech recogniser needs 14 dB to understand every
    /// number over every sound (`make listen`).
    static var soundUnderNumber: Shape {
      Shape(gain: 0.158_489_32, attack: .milliseconds(20), release: .milliseconds(60))
    }
  }

  /// The gain of each frame since `begin`, once finished.
  let gains: UnsafeMutablePointer<Float>
  let attack: Frames
  private let release: Frames
  private let gain: Float
  private var first: Frames = 0
  private var count = 0
  private var isDipped = false
  /// The end of a full dip with the same release as all voices kept; long before any frame at first.
  private var kept = Frames(Int64.min / 2)

  init(_ shape: Shape, rate: Int, capacity: Int) {
    gains = .allocate(capacity: capacity)
    attack = max(1, SampleRate.frames(in: shape.attack, at: rate))
    release = max(1, SampleRate.frames(in: shape.release, at: rate))
    gain = shape.gain
  }

  func deallocate() { gains.deallocate() }

  /// Begins with `count` frames from `frame` on, within the capacity, and the voices kept.
  mutating func begin(_ frame: Frames, count: Int) {
    first = frame
    self.count = count
    isDipped = false
    rise(from: frame, end: kept)
  }

  /// Something to dip under is heard from `start` until before `stop`.
  mutating func add(from start: Frames, to stop: Frames) {
    let from = max(start, first)
    let to = min(stop, first + Frames(count))
    if from < to {
      open()
      let part = gains + Int(from - first)
      let (begun, full) = (Int(from - start) + 1, Int(attack))
      for offset in 0..<Int(to - from) {
        let depth = Float(min(full, begun + offset)) / Float(full)
        part[offset] = max(part[offset], depth)
      }
    }
    rise(from: stop, end: fullEnd(from: start, to: stop))
  }

  /// A voice that has been heard to its end is not added again, but its release continues.
  mutating func keep(from start: Frames, to stop: Frames) {
    kept = max(kept, fullEnd(from: start, to: stop))
  }

  /// Turns depths into gains. False when nothing dips in any frame.
  mutating func finish() -> Bool {
    guard isDipped else { return false }
    for index in 0..<count { gains[index] = 1 - (1 - gain) * gains[index] }
    return true
  }

  /// What is shorter than the attack makes no full dip: as if it had ended earlier.
  private func fullEnd(from start: Frames, to stop: Frames) -> Frames {
    let missing = max(0, attack - (stop - start))
    return stop - Frames(release.value * missing.value / attack.value)
  }

  /// Most blocks have no dip and need no depths.
  private mutating func open() {
    guard !isDipped else { return }
    isDipped = true
    gains.update(repeating: 0, count: count)
  }

  private mutating func rise(from stop: Frames, end: Frames) {
    let from = max(stop, first)
    let to = min(end + release, first + Frames(count))
    guard from < to else { return }
    open()
    let part = gains + Int(from - first)
    let (left, whole) = (Int(end + release - from), Float(release.value))
    for offset in 0..<Int(to - from) {
      let depth = Float(left - offset) / whole
      part[offset] = max(part[offset], depth)
    }
  }
}
