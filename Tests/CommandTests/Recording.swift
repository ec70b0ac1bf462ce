import Foundation
import Testing

/// A WAV file: mono, 16 bit.
struct Recording: Sendable {
  struct NotAWave: Error {}

  let rate: Int
  let samples: [Int16]
  /// True if the sizes in the header match the file.
  let isWhole: Bool

  init(_ data: Data) throws {
    let bytes = [UInt8](data)
    func text(_ place: Int) -> String { String(decoding: bytes[place..<place + 4], as: UTF8.self) }
    func number(_ place: Int, bytes count: Int = 4) -> Int {
      bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count >= 12, text(0) == "RIFF", text(8) == "WAVE" else { throw NotAWave() }
    var rate = 0
    var samples: [Int16] = []
    var place = 12
    while place + 8 <= bytes.count {
      let (name, size, start) = (text(place), number(place + 4), place + 8)
      if name == "fmt ", start + 16 <= bytes.count {
        guard number(start + 2, bytes: 2) == 1, number(start + 14, bytes: 2) == 16 else {
          throw NotAWave()
        }
        rate = number(start + 4)
      } else if name == "data" {
        let end = min(bytes.count, start + size)
        samples = Self.samples(of: bytes[start..<end])
      }
      place = start + size + size % 2
    }
    self.rate = rate
    self.samples = samples
    // Chunks have an even length, so the last may have a padding byte.
    isWhole = place == bytes.count && number(4) == bytes.count - 8
  }

  private static func samples(of bytes: ArraySlice<UInt8>) -> [Int16] {
    [Int16](unsafeUninitializedCapacity: bytes.count / 2) { samples, count in
      count = bytes.copyBytes(to: UnsafeMutableRawBufferPointer(samples)) / 2
    }
  }

  var peak: Int { samples.map { abs(Int($0)) }.max() ?? 0 }

  /// The frames at which sound begins after a fifth of a second of silence.
  var onsets: [Int] {
    var onsets: [Int] = []
    var silence = rate / 5
    for (frame, sample) in samples.enumerated() {
      if sample == 0 {
        silence += 1
      } else {
        if silence >= rate / 5 { onsets.append(frame) }
        silence = 0
      }
    }
    return onsets
  }
}

extension Recording: CustomTestStringConvertible {
  var testDescription: String { "\(samples.count) frames\(isWhole ? "" : ", not whole")" }
}
