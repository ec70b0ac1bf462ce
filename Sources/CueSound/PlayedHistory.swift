/// Keeps rendered sound until it has been heard and can no longer be taken back, then passes it to a
/// recording.
package struct PlayedHistory: ~Copyable {
  private let tap: Ring<Int16>?
  private let samples: UnsafeMutablePointer<Int16>
  /// Rendered up to here, and passed on up to there.
  private var end: Frames = 0
  private var passed: Frames = 0

  /// Well over what any device holds; a power of two.
  private static var capacity: Int { 1 << 17 }

  /// - Parameter tap: the ring of a tap that outlives the tape; nil for no recording.
  package init(_ tap: Ring<Int16>?) {
    self.tap = tap
    samples = .allocate(capacity: tap == nil ? 0 : Self.capacity)
  }

  package var isRecording: Bool { tap != nil }

  deinit { samples.deallocate() }

  /// Keeps `count` frames rendered from `frame` on; what it had from there on was taken back.
  package mutating func keep(_ rendered: UnsafePointer<Int16>, count: Int, from frame: Frames) {
    guard tap != nil else { return }
    if frame - end > Frames(Self.capacity) {
      // The machine slept: the recording leaves that out.
      pass(upTo: end)
      passed = frame
      end = frame
    }
    // Frames that were not rendered are silent.
    while end < frame {
      if end - passed == Frames(Self.capacity) { pass(upTo: end) }
      samples[Self.place(of: end)] = 0
      end += 1
    }
    if end - passed + Frames(count) > Frames(Self.capacity) { pass(upTo: end) }
    let first = Int(frame)
    for index in 0..<count {
      samples[(first + index) & (Self.capacity - 1)] = rendered[index]
    }
    end = frame + Frames(count)
  }

  /// Passes on what was heard.
  package mutating func pass(upTo frame: Frames) {
    guard let tap else { return }
    let until = min(frame, end)
    while passed < until {
      let place = Self.place(of: passed)
      let count = min(Int(until - passed), Self.capacity - place)
      _ = tap.push(samples + place, count: count)
      passed += Frames(count)
    }
  }

  private static func place(of frame: Frames) -> Int { Int(frame) & (capacity - 1) }
}
