/// The address that a connection comes from, in the form of IPv6.
package struct PeerAddress: Hashable, Sendable {
  /// Sixteen bytes; an address of IPv4 lies behind ::ffff:.
  package let bytes: [UInt8]

  /// Nil unless there are sixteen bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// An address of IPv4.
  package init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
    bytes = Self.prefixOfIPv4 + [a, b, c, d]
  }

  package static let loopback = PeerAddress(127, 0, 0, 1)

  private static let prefixOfIPv4: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff]

  private var isIPv4: Bool { bytes.starts(with: Self.prefixOfIPv4) }

  package var isLoopback: Bool {
    isIPv4 ? bytes[12] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// Whom to count it for: one host has a /64 of IPv6 addresses to choose from.
  package var household: PeerAddress {
    isIPv4
      ? self : PeerAddress(Array(bytes.prefix(8)) + Array(repeating: 0, count: 8)) ?? self
  }
}
