/// How far speech gives way to the sounds above it, frame by frame.
///
/// It is a function of where sounds begin and end, and of nothing else, so that no cutting of the
/// output into blocks changes it. For the audio thread: nothing here allocates but `init`.
struct SpeechDip {
  /// −4 dB: the sound stands out and the word stays understood.
  static var gain: Float { 0.630_957_34 }
  /// Nanoseconds, down and up again.
  static var times: (attack: Int64, release: Int64) { (5_000_000, 60_000_000) }

  /// Of the frames since `begin`, once finished.
  let gains: UnsafeMutablePointer<Float>
  private let attack: Int64
  private let release: Int64
  private var first: Int64 = 0
  private var count = 0
  private var isDipped = false
  /// Where a full dip would have ended whose release is that of all sounds kept.
  private var kept = Int64.min / 2

  init(rate: Int, capacity: Int) {
    gains = .allocate(capacity: capacity)
    attack = max(1, Self.times.attack * Int64(rate) / 1_000_000_000)
    release = max(1, Self.times.release * Int64(rate) / 1_000_000_000)
  }

  func deallocate() { gains.deallocate() }

  /// Begins with `count` frames from `frame` on, within the capacity, and the sounds kept.
  mutating func begin(_ frame: Int64, count: Int) {
    first = frame
    self.count = count
    isDipped = false
    gains.update(repeating: 0, count: count)
    rise(from: frame, end: kept)
  }

  /// A sound is heard from `start` until before `stop`.
  mutating func add(from start: Int64, to stop: Int64) {
    let from = max(start, first)
    let to = min(stop, first + Int64(count))
    if from < to {
      isDipped = true
      let part = gains + Int(from - first)
      for offset in 0..<Int(to - from) {
        let depth = Float(min(attack, from + Int64(offset) + 1 - start)) / Float(attack)
        part[offset] = max(part[offset], depth)
      }
    }
    rise(from: stop, end: fullEnd(from: start, to: stop))
  }

  /// A sound that has been heard to its end will not be added again.
  mutating func keep(from start: Int64, to stop: Int64) {
    kept = max(kept, fullEnd(from: start, to: stop))
  }

  /// Turns depths into gains. False when speech keeps its loudness in every frame.
  mutating func finish() -> Bool {
    guard isDipped else { return false }
    for index in 0..<count { gains[index] = 1 - (1 - Self.gain) * gains[index] }
    return true
  }

  /// A sound shorter than the attack does not dip in full: as if it had ended earlier.
  private func fullEnd(from start: Int64, to stop: Int64) -> Int64 {
    stop - release * max(0, attack - (stop - start)) / attack
  }

  private mutating func rise(from stop: Int64, end: Int64) {
    let from = max(stop, first)
    let to = min(end + release, first + Int64(count))
    guard from < to else { return }
    isDipped = true
    let part = gains + Int(from - first)
    for offset in 0..<Int(to - from) {
      let depth = Float(end + release - from - Int64(offset)) / Float(release)
      part[offset] = max(part[offset], depth)
    }
  }
}
