/// Takes little-endian fields off the front of a packet.
///
/// Fields that are whole are read. From the first one that is not, everything is nil: a sensor cuts a notification that
/// is longer than the link permits, which leaves its beginning right.
struct PacketReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Bytes that were not read.
  var count: Int { rest.count }

  /// - Parameter width: 1…4 bytes.
  mutating func unsigned(_ width: Int) -> Int? {
    guard rest.count >= width else {
      rest = []
      return nil
    }
    let bytes = rest.prefix(width)
    rest = rest.dropFirst(width)
    return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Two bytes.
  mutating func signed() -> Int? { unsigned(2).map { $0 < 0x8000 ? $0 : $0 - 0x10000 } }

  /// Nothing is left where the packet is shorter.
  mutating func skip(_ width: Int) { rest = rest.dropFirst(width) }
}

/// The flags of a packet: which fields it has.
struct PacketFlags {
  let bits: Int

  subscript(bit: Int) -> Bool { bits >> bit & 1 == 1 }
}
