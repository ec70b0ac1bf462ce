import Instants
import Targets

@testable import SensorFormats

/// Bytes in hexadecimal; spaces are ignored.
func bytes(_ text: String) -> [UInt8] {
  var digits = text.filter { $0 != " " }[...]
  var bytes: [UInt8] = []
  while let byte = UInt8(digits.prefix(2), radix: 16), digits.count >= 2 {
    bytes.append(byte)
    digits = digits.dropFirst(2)
  }
  return bytes
}

/// Seconds of the running clock.
func at(_ seconds: Double) -> BootInstant { BootInstant.boot + .seconds(1_000 + seconds) }

/// A packet of the crank's counters: 2A5B without a wheel.
func crank(_ revolutions: UInt16, _ time: UInt16) -> [UInt8] {
  [2, UInt8(revolutions & 255), UInt8(revolutions >> 8), UInt8(time & 255), UInt8(time >> 8)]
}

extension SensorReport {
  /// The readings, each as "watts 200.0".
  var texts: [String] { readings.map { "\($0.kind.rawValue) \($0.value)" } }
}
