/// How far one kind of voice gives way to another, frame by frame.
///
/// It is a function of where the other voices begin and end, and of nothing else, so that no cutting
/// of the output into blocks changes it. For the audio thread: nothing here allocates but `init`.
struct Dip {
  struct Shape: BitwiseCopyable {
    /// Linear, of a full dip.
    let gain: Float
    /// Nanoseconds from no dip to a full one, and back.
    let attack: Int64
    let release: Int64

    /// Words under a sound, by 4 dB: the sound stands out and the words stay understood.
    static var wordsUnderSound: Shape {
      Shape(gain: 0.630_957_34, attack: 5_000_000, release: 60_000_000)
    }

    /// A sound under a number of a count, by 16 dB: 14 are the least with which a speech recogniser
    /// understood every number over every sound (`make listen`).
    static var soundUnderNumber: Shape {
      Shape(gain: 0.158_489_32, attack: 20_000_000, release: 60_000_000)
    }
  }

  /// Of the frames since `begin`, once finished.
  let gains: UnsafeMutablePointer<Float>
  /// In frames.
  let attack: Int64
  private let release: Int64
  private let gain: Float
  private var first: Int64 = 0
  private var count = 0
  private var isDipped = false
  /// Where a full dip would have ended whose release is that of all voices kept.
  private var kept = Int64.min / 2

  init(_ shape: Shape, rate: Int, capacity: Int) {
    gains = .allocate(capacity: capacity)
    attack = max(1, shape.attack * Int64(rate) / 1_000_000_000)
    release = max(1, shape.release * Int64(rate) / 1_000_000_000)
    gain = shape.gain
  }

  func deallocate() { gains.deallocate() }

  /// Begins with `count` frames from `frame` on, within the capacity, and the voices kept.
  mutating func begin(_ frame: Int64, count: Int) {
    first = frame
    self.count = count
    isDipped = false
    rise(from: frame, end: kept)
  }

  /// Something to give way to is heard from `start` until before `stop`.
  mutating func add(from start: Int64, to stop: Int64) {
    let from = max(start, first)
    let to = min(stop, first + Int64(count))
    if from < to {
      open()
      let part = gains + Int(from - first)
      for offset in 0..<Int(to - from) {
        let depth = Float(min(attack, from + Int64(offset) + 1 - start)) / Float(attack)
        part[offset] = max(part[offset], depth)
      }
    }
    rise(from: stop, end: fullEnd(from: start, to: stop))
  }

  /// What has been heard to its end will not be added again.
  mutating func keep(from start: Int64, to stop: Int64) {
    kept = max(kept, fullEnd(from: start, to: stop))
  }

  /// Turns depths into gains. False when nothing dips in any frame.
  mutating func finish() -> Bool {
    guard isDipped else { return false }
    for index in 0..<count { gains[index] = 1 - (1 - gain) * gains[index] }
    return true
  }

  /// What is shorter than the attack makes no full dip: as if it had ended earlier.
  private func fullEnd(from start: Int64, to stop: Int64) -> Int64 {
    stop - release * max(0, attack - (stop - start)) / attack
  }

  /// Most blocks dip nowhere and need no depths.
  private mutating func open() {
    guard !isDipped else { return }
    isDipped = true
    gains.update(repeating: 0, count: count)
  }

  private mutating func rise(from stop: Int64, end: Int64) {
    let from = max(stop, first)
    let to = min(end + release, first + Int64(count))
    guard from < to else { return }
    open()
    let part = gains + Int(from - first)
    for offset in 0..<Int(to - from) {
      let depth = Float(end + release - from - Int64(offset)) / Float(release)
      part[offset] = max(part[offset], depth)
    }
  }
}
