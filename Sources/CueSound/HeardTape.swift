/// Rendered sound on its way to a recording, which gets it once nothing can take it back.
public struct HeardTape: ~Copyable {
  private let tap: Ring<Int16>?
  private let samples: UnsafeMutablePointer<Int16>
  /// Rendered up to here, and passed on up to there.
  private var end: Int64 = 0
  private var passed: Int64 = 0

  /// Well over what any device holds; a power of two.
  private static var capacity: Int64 { 1 << 17 }

  /// - Parameter tap: the ring of a tap that outlives the tape; nil for no recording.
  public init(_ tap: Ring<Int16>?) {
    self.tap = tap
    samples = .allocate(capacity: tap == nil ? 0 : Int(Self.capacity))
  }

  public var isRecording: Bool { tap != nil }

  deinit { samples.deallocate() }

  /// Keeps `count` frames rendered as from `frame`; later ones than that were taken back.
  public mutating func keep(_ rendered: UnsafePointer<Int16>, count: Int, from frame: Int64) {
    guard tap != nil else { return }
    if frame - end > Self.capacity {
      // A sleep is in no recording.
      pass(upTo: end)
      passed = frame
      end = frame
    }
    // A moment for which nothing was rendered is silence.
    while end < frame {
      if end - passed == Self.capacity { pass(upTo: end) }
      samples[Int(end & (Self.capacity - 1))] = 0
      end += 1
    }
    if end - passed + Int64(count) > Self.capacity { pass(upTo: end) }
    for index in 0..<count {
      samples[Int((frame + Int64(index)) & (Self.capacity - 1))] = rendered[index]
    }
    end = frame + Int64(count)
  }

  /// Passes on what was heard.
  public mutating func pass(upTo frame: Int64) {
    guard let tap else { return }
    let until = min(frame, end)
    while passed < until {
      let offset = passed & (Self.capacity - 1)
      let count = min(until - passed, Self.capacity - offset)
      _ = tap.push(samples + Int(offset), count: Int(count))
      passed += count
    }
  }
}
