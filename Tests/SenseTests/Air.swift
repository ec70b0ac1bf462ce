import Foundation
import TestSupport

/// A system bus of its own with a BlueZ that is simulated on it: Tests/bluetooth/mock-bluez.
final class Air {
  private let bus: PrivateBus
  var address: String { bus.address }

  static let isInstalled = PrivateBus.isInstalled

  init() throws {
    bus = try PrivateBus("Tests/bluetooth/mock-bluez", variable: "DBUS_SYSTEM_BUS_ADDRESS")
  }

  /// Returns once it is done: "done", or what was asked.
  @discardableResult
  func tell(_ line: String) -> String { bus.tell(line) }
}

/// Waits for a state. What is counted is how often it was looked, not the time: on a busy machine a look may be long in
/// coming.
func until(_ what: String, _ isTrue: () throws -> Bool) async throws {
  for _ in 0..<30_000 {
    if try isTrue() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  throw PrivateBus.Fault(what: "\(what): did not happen")
}
