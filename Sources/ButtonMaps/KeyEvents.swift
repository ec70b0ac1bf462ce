/// A key went down or up.
package struct KeyEvent: Hashable, Sendable {
  package var code: UInt16
  package var isDown: Bool
  /// Nanoseconds of CLOCK_BOOTTIME.
  package var at: Int64
}

/// What a device sends, a `struct input_event` of 64-bit Linux each, as what happened to its keys.
package struct KeyEventReader: Sendable {
  package enum Item: Hashable, Sendable {
    case key(KeyEvent)
    /// Events are lost: no key is known to be down any more.
    case lost
  }

  /// Seconds and microseconds of 8 bytes each, a type and a code of 2, a value of 4.
  package static let size = 24
  /// How old an event may be: another stamp is none, or that of another clock.
  private static let oldest: Int64 = 10_000_000_000

  /// The beginning of an event.
  private var rest: [UInt8] = []
  /// Events up to the next report belong to what was lost.
  private var isLosing = false

  private static let (synchronisation, key) = (UInt16(0), UInt16(1))
  private static let (report, dropped) = (UInt16(0), UInt16(3))

  package init() {}

  /// - Parameters:
  ///   - bytes: in whatever pieces they come.
  ///   - now: nanoseconds of CLOCK_BOOTTIME.
  package mutating func take(_ bytes: some Sequence<UInt8>, at now: Int64) -> [Item] {
    let all = rest + bytes
    var items: [Item] = []
    var start = 0
    all.withUnsafeBytes { all in
      while start + Self.size <= all.count {
        if let item = take(UnsafeRawBufferPointer(rebasing: all[start..<start + Self.size]), now) {
          items.append(item)
        }
        start += Self.size
      }
    }
    rest = Array(all[start...])
    return items
  }

  private mutating func take(_ event: UnsafeRawBufferPointer, _ now: Int64) -> Item? {
    let type = event.loadUnaligned(fromByteOffset: 16, as: UInt16.self)
    let code = event.loadUnaligned(fromByteOffset: 18, as: UInt16.self)
    let value = event.loadUnaligned(fromByteOffset: 20, as: Int32.self)
    if type == Self.synchronisation, code == Self.dropped {
      isLosing = true
      return .lost
    }
    if type == Self.synchronisation, code == Self.report { isLosing = false }
    // 2 is a repetition of a key that is held.
    guard type == Self.key, !isLosing, value == 0 || value == 1 else { return nil }
    return .key(KeyEvent(code: code, isDown: value == 1, at: Self.instant(event, now)))
  }

  private static func instant(_ event: UnsafeRawBufferPointer, _ now: Int64) -> Int64 {
    let seconds = event.loadUnaligned(fromByteOffset: 0, as: Int64.self)
    let microseconds = event.loadUnaligned(fromByteOffset: 8, as: Int64.self)
    guard (0...now / 1_000_000_000).contains(seconds), (0..<1_000_000).contains(microseconds)
    else { return now }
    let stamp = seconds * 1_000_000_000 + microseconds * 1000
    return (now - oldest...now).contains(stamp) ? stamp : now
  }
}
