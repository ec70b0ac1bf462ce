import Synchronization

/// The device that an output is to play on. Set by any thread; followed by the audio thread.
final class DeviceSelection: Sendable {
  /// Grows with each change.
  private let number = Atomic(0)
  /// Protects the name; the audio thread takes it only after a change, while nothing is heard.
  private let name: Mutex<String?>

  init(_ name: String?) { self.name = Mutex(name) }

  func set(_ device: String) {
    name.withLock { $0 = device }
    number.add(1, ordering: .releasing)
  }

  /// The device, where it is another one than at the last call.
  ///
  /// - Parameter seen: of the caller, 0 at first.
  func change(since seen: inout Int) -> String? {
    let now = number.load(ordering: .acquiring)
    guard now != seen else { return nil }
    seen = now
    return name.withLock { $0 }
  }
}
