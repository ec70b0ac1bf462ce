/// Writes FIT files for tests, from the protocol's description and not with the code that reads them.
package struct FITBytes {
  private var records: [UInt8] = []
  package var isBigEndian = false

  /// file_id of a workout.
  package init(type: UInt8 = 5) {
    define(0, 0, [(0, 1, 0x00)])
    records += [0, type]
  }

  private func two(_ value: UInt16) -> [UInt8] {
    let (high, low) = (UInt8(value >> 8), UInt8(value & 0xFF))
    return isBigEndian ? [high, low] : [low, high]
  }

  private func four(_ value: UInt32) -> [UInt8] {
    let bytes = (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  package mutating func define(_ local: UInt8, _ global: UInt16, _ fields: [(UInt8, UInt8, UInt8)])
  {
    records += [0x40 | local, 0, isBigEndian ? 1 : 0] + two(global) + [UInt8(fields.count)]
    for field in fields { records += [field.0, field.1, field.2] }
  }

  package mutating func append(_ bytes: [UInt8]) { records += bytes }

  private static func text(_ text: String, _ count: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(count - 1))
    return bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }

  package mutating func name(_ name: String) {
    define(1, 26, [(8, 16, 0x07)])
    records += [1] + Self.text(name, 16)
  }

  /// A workout_step; 0xFFFFFFFF and 0xFF stand for no value.
  package mutating func step(
    _ name: String = "", type: UInt8, value: UInt32 = .max, intensity: UInt8 = 0xFF,
    target: (type: UInt8, value: UInt32, low: UInt32, high: UInt32) = (2, 0, .max, .max),
    notes: String = ""
  ) {
    define(
      2, 27,
      [
        (254, 2, 0x84), (0, 16, 0x07), (1, 1, 0x00), (2, 4, 0x86), (3, 1, 0x00), (4, 4, 0x86),
        (5, 4, 0x86), (6, 4, 0x86), (7, 1, 0x00), (8, 32, 0x07),
      ])
    let parts: [[UInt8]] = [
      [2], two(0), Self.text(name, 16), [type], four(value), [target.type], four(target.value),
      four(target.low), four(target.high), [intensity], Self.text(notes, 32),
    ]
    records += parts.flatMap { $0 }
  }

  /// Goes back to a step until all have been done `count` times.
  package mutating func repetition(from step: UInt32, _ count: UInt32) {
    self.step(type: 6, value: step, target: (2, count, .max, .max))
  }

  /// With header and checksums.
  package func file(headerSize: UInt8 = 14) -> [UInt8] {
    let size = UInt32(records.count)
    var bytes: [UInt8] = [headerSize, 0x20, 0x54, 0x08]
    bytes += (0..<4).map { UInt8(size >> (8 * $0) & 0xFF) }
    bytes += Array(".FIT".utf8)
    if headerSize == 14 { bytes += Self.checksum(bytes) }
    bytes += records
    return bytes + Self.checksum(bytes)
  }

  /// The CRC-16 of the polynomial 0xA001, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var crc: UInt16 = 0
    for byte in bytes {
      crc ^= UInt16(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
    }
    return [UInt8(crc & 0xFF), UInt8(crc >> 8)]
  }

  /// Gives a file the length and the checksums that its bytes have.
  static func mend(_ bytes: inout [UInt8]) {
    let headerSize = bytes.first.map(Int.init) ?? 0
    guard headerSize == 12 || headerSize == 14, bytes.count >= headerSize + 2 else { return }
    let size = UInt32(bytes.count - headerSize - 2)
    for index in 0..<4 { bytes[4 + index] = UInt8(size >> (8 * index) & 0xFF) }
    if headerSize == 14 { bytes.replaceSubrange(12..<14, with: checksum(Array(bytes[..<12]))) }
    bytes.replaceSubrange((bytes.count - 2)..., with: checksum(Array(bytes.dropLast(2))))
  }
}
