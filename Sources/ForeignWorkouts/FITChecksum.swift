/// The CRC-16 of Garmin's FIT protocol.
enum FITChecksum {
  /// For each value of four bits.
  private static let table: [UInt16] = [
    0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401,
    0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01, 0x8801, 0x4400,
  ]

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(0) { crc, byte in
      var crc = crc
      for half in [byte & 0xF, byte >> 4] {
        crc = (crc >> 4) ^ table[Int(crc & 0xF)] ^ table[Int(half)]
      }
      return crc
    }
  }
}
