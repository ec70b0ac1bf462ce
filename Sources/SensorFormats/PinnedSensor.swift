import Instants

/// A sensor that is wanted, and how far its connection has come.
struct PinnedSensor: Sendable {
  enum State: Hashable, Sendable {
    /// Not seen, or did not answer: scan.
    case absent
    /// To be connected as soon as no scan runs.
    case due
    /// After a failure, until then.
    case resting(until: BootInstant)
    /// Connect is called.
    case connecting(call: Int, since: BootInstant)
    /// Connected; its services become known.
    case resolving(until: BootInstant)
    /// The objects are listed for its characteristics.
    case listing(call: Int)
    /// The calls of StartNotify that are not answered.
    case subscribing(calls: Set<Int>)
    case heard
  }

  let wanted: WantedSensor
  /// The object of its device. Nil: BlueZ does not know it.
  var path: String?
  var state = State.absent
  var isResolved = false
  var remedies = Remedies()
  /// Those that were subscribed to, by their paths.
  var characteristics: [String: SensorCharacteristic] = [:]
  var decoder = SensorDecoder()

  init(_ wanted: WantedSensor) { self.wanted = wanted }

  /// Connected as far as is known, or about to be.
  var isConnected: Bool {
    switch state {
    case .absent, .due, .resting: false
    case .connecting, .resolving, .listing, .subscribing, .heard: true
    }
  }

  var isConnecting: Bool {
    if case .connecting = state { true } else { false }
  }

  var deadline: BootInstant? {
    switch state {
    case .resting(let until), .resolving(let until): until
    case .absent, .due, .connecting, .listing, .subscribing, .heard: nil
    }
  }

  /// What an answer to StartNotify makes of a sensor.
  enum Subscription {
    /// It has not called.
    case none
    case waits
    case hasNothing
    case isHeard
  }

  /// A call of StartNotify for a characteristic was answered.
  mutating func subscribed(_ path: String, call: Int, hasFailed: Bool) -> Subscription {
    guard case .subscribing(var calls) = state, calls.remove(call) != nil else { return .none }
    state = .subscribing(calls: calls)
    if hasFailed {
      // What else the sensor measures is heard all the same.
      characteristics[path] = nil
      if characteristics.isEmpty { return .hasNothing }
    }
    guard calls.isEmpty else { return .waits }
    state = .heard
    remedies.reset()
    return .isHeard
  }

  /// The connection is gone, and perhaps the object with it.
  mutating func forget(path: Bool) {
    if path { self.path = nil }
    state = self.path == nil ? .absent : .due
    isResolved = false
    characteristics = [:]
  }
}
