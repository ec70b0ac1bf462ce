/// A press of a key of a device, and what it asks for.
package struct Press: Hashable, Sendable {
  package var action: ButtonAction
  package var code: UInt16
  package var gesture: Gesture
  /// Nanoseconds of CLOCK_BOOTTIME.
  package var at: Int64
}

/// One device that is there: bytes in, presses out. It goes with the device, and so does what its keys were about to mean.
package struct DeviceReader: Sendable {
  private let device: ButtonMap.Device
  private var events = KeyEventReader()
  /// The keys that were ever down.
  private var keys: [UInt16: KeyPress] = [:]

  package init(_ device: ButtonMap.Device) { self.device = device }

  package var deadline: Int64? { keys.values.compactMap(\.deadline).min() }

  package mutating func take(_ bytes: some Sequence<UInt8>, at now: Int64) -> [Press] {
    var presses: [Press] = []
    for item in events.take(bytes, at: now) {
      switch item {
      case .lost: keys = [:]
      case .key(let event):
        guard let code = device.key(of: event.code), let key = device.keys[code] else { continue }
        let done = keys[code, default: KeyPress(Set(key.keys))].take(
          isDown: event.isDown, at: event.at)
        presses += self.presses(done, of: code)
      }
    }
    return presses
  }

  /// What has become of keys by an instant. Everything that the device has sent before must have been taken.
  package mutating func check(at now: Int64) -> [Press] {
    guard let deadline, deadline <= now else { return [] }
    var presses: [Press] = []
    for code in keys.keys.sorted() {
      if let done = keys[code]?.check(at: now) { presses += self.presses(done, of: code) }
    }
    return presses
  }

  private func presses(_ done: [KeyPress.Done], of code: UInt16) -> [Press] {
    done.compactMap { done in
      device.keys[code]?[done.gesture].map {
        Press(action: $0, code: code, gesture: done.gesture, at: done.at)
      }
    }
  }
}

/// How many presses are passed on: nobody presses more often, and a device at fault may.
package struct PressLimit: Sendable {
  package static let mostASecond = 20
  private var second: Int64 = -1
  private var count = 0

  package init() {}

  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package mutating func allows(at now: Int64) -> Bool {
    if now / 1_000_000_000 != second { (second, count) = (now / 1_000_000_000, 0) }
    count += 1
    return count <= Self.mostASecond
  }
}
