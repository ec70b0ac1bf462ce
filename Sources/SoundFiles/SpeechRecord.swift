import CueSound

/// One text in the file of a `SpeechCacheFile`: a head of fixed size, the key's bytes, the samples.
///
/// Numbers are stored in this machine's byte order: the file never leaves the machine, and another
/// order is not recognised as a record.
struct SpeechRecord {
  /// Who says a text: hashes of what is known of a synthesizer at once, and of that with what it says of itself.
  struct Maker: Hashable {
    let settings: UInt64
    let identity: UInt64
  }

  /// By what a record is found: who says it, and the hash of its key.
  struct Name: Hashable {
    let maker: UInt64
    let id: UInt64
  }

  static let headSize = 64
  /// More bytes than any text to be spoken has.
  static let maxKey = 8192
  /// More samples than any text to be spoken takes, at any rate.
  static let maxCount = 120 * 192_000
  private static let mark: UInt32 = 0x3245_5053

  let maker: Maker
  /// The key's hash.
  let id: UInt64
  let keySize: Int
  let length: Duration
  /// Samples; 0 where the length alone is kept.
  let count: Int
  /// Covers the key and the samples.
  let checksum: UInt64

  var size: Int { Self.headSize + keySize + count * 2 }

  var name: Name { Name(maker: maker.identity, id: id) }

  init(maker: Maker, key: [UInt8], length: Duration, samples: UnsafeBufferPointer<Int16>) {
    self.maker = maker
    id = Self.id(of: key)
    keySize = key.count
    self.length = length
    count = samples.count
    checksum = Self.checksum(key: key, samples: UnsafeRawBufferPointer(samples))
  }

  /// Reads a head; nil where there is none.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headSize,
      bytes.loadUnaligned(as: UInt32.self) == Self.mark,
      bytes.loadUnaligned(fromByteOffset: 56, as: UInt64.self)
        == Self.hash(UnsafeRawBufferPointer(rebasing: bytes[..<56]))
    else { return nil }
    keySize = Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    id = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    length = .nanoseconds(bytes.loadUnaligned(fromByteOffset: 16, as: Int64.self))
    count = Int(bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
    checksum = bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    maker = Maker(
      settings: bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self),
      identity: bytes.loadUnaligned(fromByteOffset: 48, as: UInt64.self))
    guard (1...Self.maxKey).contains(keySize), count <= Self.maxCount, length > .zero
    else { return nil }
  }

  var head: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.headSize)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: Self.mark, as: UInt32.self)
      bytes.storeBytes(of: UInt32(keySize), toByteOffset: 4, as: UInt32.self)
      bytes.storeBytes(of: id, toByteOffset: 8, as: UInt64.self)
      bytes.storeBytes(of: length.wholeNanoseconds, toByteOffset: 16, as: Int64.self)
      bytes.storeBytes(of: UInt32(count), toByteOffset: 24, as: UInt32.self)
      bytes.storeBytes(of: checksum, toByteOffset: 32, as: UInt64.self)
      bytes.storeBytes(of: maker.settings, toByteOffset: 40, as: UInt64.self)
      bytes.storeBytes(of: maker.identity, toByteOffset: 48, as: UInt64.self)
      let sum = Self.hash(UnsafeRawBufferPointer(rebasing: bytes[..<56]))
      bytes.storeBytes(of: sum, toByteOffset: 56, as: UInt64.self)
    }
    return bytes
  }

  /// Everything that determines how a text sounds, except the gain.
  static func key(_ text: String, _ voice: SpeechVoice) -> [UInt8] {
    let parts = [
      voice.name ?? "", voice.variant ?? "", "\(voice.rate)", "\(voice.pitch)", text,
    ]
    return Array(parts.joined(separator: "\0").utf8)
  }

  static func id(of key: [UInt8]) -> UInt64 { key.withUnsafeBytes { hash($0) } }

  static func checksum(key: [UInt8], samples: UnsafeRawBufferPointer) -> UInt64 {
    hash(samples, from: key.withUnsafeBytes { hash($0) })
  }

  /// FNV-1a, eight bytes at a time: finds a flipped bit or a torn end, but no forgery.
  static func hash(
    _ bytes: UnsafeRawBufferPointer, from first: UInt64 = 0xcbf2_9ce4_8422_2325
  ) -> UInt64 {
    var hash = first ^ UInt64(bytes.count)
    var index = 0
    while index + 8 <= bytes.count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x100_0000_01b3
      hash ^= hash >> 32
      index += 8
    }
    while index < bytes.count {
      hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3
      index += 1
    }
    return hash
  }
}
