import CSystemd
import Glibc

/// A connection to a D-Bus by sd-bus, for a loop of one's own: nothing waits. Used by one thread.
package final class BusConnection {
  package enum Bus: Sendable {
    /// The machine's.
    case system
    /// That of the user's session.
    case own
  }

  private let kind: Bus
  /// For sd-bus; nil while there is no connection.
  package private(set) var bus: OpaquePointer?

  package init(_ kind: Bus) { self.kind = kind }

  deinit { close() }

  /// To be waited for; below zero while there is no connection.
  package var descriptor: Int32 { bus.map(cuecoach_bus_descriptor) ?? -1 }
  package var wantsToWrite: Bool { bus.map { cuecoach_bus_events($0) & POLLOUT != 0 } ?? false }

  /// When `process` is needed without an event, nanoseconds of CLOCK_MONOTONIC; nil: not.
  package var timeout: Int64? {
    guard let bus else { return nil }
    let timeout = cuecoach_bus_timeout(bus)
    return timeout > UInt64(Int64.max / 1000) ? nil : Int64(timeout) * 1000
  }

  /// Returns why not.
  package func open() -> String? {
    close()
    let result = cuecoach_bus_open(&bus, kind == .own)
    guard result < 0 else { return nil }
    bus = nil
    let name = kind == .own ? "the bus of the session" : "the system bus"
    return result == -ENOSYS
      ? "libsystemd is not installed" : "\(name): \(String(cString: strerror(-result)))"
  }

  /// What is still to be sent is given up.
  package func close() {
    if let bus { cuecoach_bus_close(bus) }
    bus = nil
  }

  /// Handles what has come.
  ///
  /// - Parameter most: messages, so that others have their turn.
  /// - Returns: how many, or why the bus is gone.
  package func process(most: Int = .max) -> Result<Int, BusFault> {
    var count = 0
    while let bus, count < most {
      let result = cuecoach_bus_process(bus)
      guard result >= 0 else { return .failure(BusFault(String(cString: strerror(-result)))) }
      if result == 0 { break }
      count += 1
    }
    return .success(count)
  }
}

/// Why a bus is gone, on one line.
package struct BusFault: Error, Hashable, Sendable {
  package let description: String

  init(_ description: String) { self.description = description }
}
