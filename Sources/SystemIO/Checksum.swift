/// FNV-1a, 64 bits: detects a flipped bit or a torn end. It does not protect against deliberate
/// changes.
package enum Checksum {
  package static func of(_ bytes: some Sequence<UInt8>) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int64(bitPattern: hash)
  }
}
