import Synchronization

/// A piece of mono sound at a fixed place in memory, which the audio thread reads by its address while
/// another owner keeps it alive.
public final class PCMClip: @unchecked Sendable {
  // Unchecked: the memory is written in init alone and freed in its owner's deinit.

  /// Frames a second, above zero.
  public let rate: Int
  /// Its memory, which is valid as long as the clip lives: for the audio thread, and for loops over many
  /// samples.
  package let memory: UnsafeBufferPointer<Int16>

  /// Samples from −32 768 to 32 767.
  public var samples: Samples { Samples(clip: self) }

  /// The samples of a clip, which they keep alive.
  public struct Samples: RandomAccessCollection, Sendable {
    fileprivate let clip: PCMClip

    public var startIndex: Int { 0 }
    public var endIndex: Int { clip.count }

    /// - Precondition: the index is one of the collection's.
    public subscript(index: Int) -> Int16 {
      guard index >= 0, index < clip.count else {
        fatalError("a clip of \(clip.count) samples has no \(index)")
      }
      return clip.base[index]
    }

    /// Calls `body` with all samples in their place in memory, which is valid during the call.
    public func withContiguousStorageIfAvailable<Result>(
      _ body: (UnsafeBufferPointer<Int16>) throws -> Result
    ) rethrows -> Result? {
      try withExtendedLifetime(clip) { try body(clip.memory) }
    }
  }

  /// Copies the samples.
  /// - Parameters:
  ///   - rate: frames a second, above zero.
  ///   - samples: one a frame; may be empty.
  public init(rate: Int, samples: [Int16]) {
    guard rate > 0 else { fatalError("a clip of \(rate) samples a second") }
    self.rate = rate
    let memory = UnsafeMutablePointer<Int16>.allocate(capacity: max(1, samples.count))
    memory.initialize(from: samples, count: samples.count)
    self.memory = UnsafeBufferPointer(start: memory, count: samples.count)
    base = memory
    owner = nil
  }

  /// - Parameter fill: writes every sample; they are zero before.
  package convenience init(
    rate: Int, count: Int, fill: (UnsafeMutableBufferPointer<Int16>) -> Void
  ) {
    self.init(rate: rate, unwritten: count) { samples in
      // Not one by one: debug builds call for each sample.
      _ = samples.update(fromContentsOf: [Int16](repeating: 0, count: count))
      fill(samples)
    }
  }

  /// - Parameter write: writes every sample; they hold anything before.
  package init(
    rate: Int, unwritten count: Int, write: (UnsafeMutableBufferPointer<Int16>) -> Void
  ) {
    self.rate = rate
    let memory = UnsafeMutablePointer<Int16>.allocate(capacity: max(1, count))
    self.memory = UnsafeBufferPointer(start: memory, count: count)
    base = memory
    owner = nil
    write(UnsafeMutableBufferPointer(start: memory, count: count))
  }

  fileprivate let base: UnsafeMutablePointer<Int16>
  /// Owns the memory; nil where this clip does.
  private let owner: PCMClip?

  deinit { if owner == nil { base.deallocate() } }

  /// Silence, which shares its memory with every other.
  package static func silence(rate: Int, count: Int) -> PCMClip {
    let zeros = zeros.withLock { zeros in
      if zeros.count < count {
        let longer = max(count, 2 * zeros.count)
        zeros = PCMClip(rate: 1, samples: [Int16](repeating: 0, count: longer))
      }
      return zeros
    }
    return PCMClip(rate: rate, beginningOf: zeros, count: count)
  }
  private static let zeros = Mutex(PCMClip(rate: 1, samples: []))

  private init(rate: Int, beginningOf owner: PCMClip, count: Int) {
    self.rate = rate
    self.owner = owner
    base = owner.base
    memory = UnsafeBufferPointer(start: owner.base, count: count)
  }

  /// How many samples, which are as many frames.
  public var count: Int { memory.count }

  /// How long it sounds.
  public var length: Duration { SampleRate.length(of: Frames(count), at: rate) }

  /// The greatest absolute sample, 0…32 768.
  package var peak: Int {
    // Plain indices and comparisons: debug builds call for everything else.
    var (least, greatest): (Int16, Int16) = (0, 0)
    var index = 0
    let end = count
    while index < end {
      let sample = base[index]
      if sample > greatest { greatest = sample } else if sample < least { least = sample }
      index += 1
    }
    return max(Int(greatest), -Int(least))
  }

  /// The same sound by a linear gain; what would be beyond full scale stays at it.
  package func scaled(by gain: Float) -> PCMClip {
    guard gain != 1 else { return self }
    return PCMClip(rate: rate, unwritten: count) { target in
      for index in 0..<count { target[index] = Self.whole(Float(memory[index]) * gain) }
    }
  }

  /// The nearest sample, halves away from zero; what would be beyond full scale stays at it.
  @inline(__always)
  package static func whole(_ value: Float) -> Int16 {
    guard value < 32_767 else { return .max }
    guard value > -32_768 else { return .min }
    return nearest(to: value)
  }

  /// The nearest sample to a value within full scale, halves away from zero.
  @inline(__always)
  static func nearest(to value: Float) -> Int16 {
    // Not `rounded()`, which is a call for each sample where the processor has no such instruction.
    // As far up as this, floats are whole numbers: the sum is rounded, and its last bits say to what.
    let high: Float = 12_582_912
    let sum = value + high
    let whole = Int16(truncatingIfNeeded: sum.bitPattern)
    // The sum takes halves to the even number, which may be the one nearer to zero.
    let rest = value - (sum - high)
    guard rest.magnitude == 0.5, (value > 0) == (rest > 0) else { return whole }
    return value > 0 ? whole + 1 : whole - 1
  }

  /// Without the silence before the first and after the last audible sample.
  ///
  /// Audible: above `threshold` of the clip's own peak. `margin` is kept at both ends, which fade over
  /// that time so that the cut does not click. A clip without an audible sample becomes empty.
  package func trimmed(
    threshold: Double = 0.01, margin: Duration = .milliseconds(1)
  ) -> PCMClip {
    let peak = peak
    let level = Int(Double(peak) * threshold)
    guard peak > 0, let first = memory.firstIndex(where: { abs(Int($0)) > level }),
      let last = memory.lastIndex(where: { abs(Int($0)) > level })
    else { return PCMClip(rate: rate, samples: []) }
    let margin = Int(SampleRate.frames(in: margin, at: rate))
    let from = max(0, first - margin)
    let to = min(count, last + 1 + margin)
    return PCMClip(rate: rate, unwritten: to - from) { kept in
      _ = kept.update(fromContentsOf: memory[from..<to])
      let fade = min(margin, kept.count / 2)
      for index in 0..<fade {
        let gain = Double(index + 1) / Double(fade + 1)
        kept[index] = Int16((Double(kept[index]) * gain).rounded())
        let end = kept.count - 1 - index
        kept[end] = Int16((Double(kept[end]) * gain).rounded())
      }
    }
  }
}
