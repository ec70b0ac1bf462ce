/// Noise of one 16-bit step: inaudible, and enough to keep a speaker awake that sleeps on silence.
struct Dither: BitwiseCopyable {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func add(to samples: UnsafeMutablePointer<Int16>, count: Int) {
    for index in 0..<count {
      // xorshift64; two bits make -1, 0, 0 or 1.
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let noise =
        Int16(truncatingIfNeeded: state >> 62 & 1) - Int16(truncatingIfNeeded: state >> 63)
      samples[index] =
        samples[index].addingReportingOverflow(noise).overflow
        ? samples[index] : samples[index] + noise
    }
  }
}
