import Instants

/// The Bluetooth adapter that is used.
struct UsedAdapter: Sendable {
  var state = AdapterState.missing
  private var remedies = Remedies()

  /// BlueZ says that it has been switched on or off. True where it is off now, and was ready.
  mutating func powered(_ path: String, _ isOn: Bool, at now: BootInstant) -> Bool {
    switch state {
    case .off(path, _):
      if isOn { state = .ready(path: path) }
      return false
    case .ready(path):
      if !isOn { rest(path, at: now) }
      return !isOn
    case .missing, .switching, .off, .ready: return false
    }
  }

  /// It is off, and switched on later.
  mutating func rest(_ path: String, at now: BootInstant) {
    state = .off(path: path, until: now + remedies.nextRest())
  }

  var deadline: BootInstant? { if case .off(_, let until) = state { until } else { nil } }
}

enum AdapterState: Hashable, Sendable {
  case missing
  case switching(path: String, on: Bool, call: Int)
  /// Off; switched on at that time.
  case off(path: String, until: BootInstant)
  case ready(path: String)

  var path: String? {
    switch self {
    case .missing: nil
    case .switching(let path, _, _), .off(let path, _), .ready(let path): path
    }
  }
}

/// The search for sensors that are absent.
struct DeviceScan: Sendable {
  enum State: Hashable, Sendable {
    case none
    case starting(call: Int)
    case running(until: BootInstant)
    case stopping(call: Int)
    case resting(until: BootInstant)
  }

  static let length = Duration.seconds(20)

  var state = State.none
  private var remedies = Remedies()

  var deadline: BootInstant? {
    switch state {
    case .running(let until), .resting(let until): until
    case .none, .starting, .stopping: nil
    }
  }

  /// It runs, or has been asked for.
  var isOn: Bool {
    switch state {
    case .starting, .running: true
    case .none, .stopping, .resting: false
    }
  }

  mutating func began(at now: BootInstant) {
    remedies.reset()
    state = .running(until: now + Self.length)
  }

  /// It could not begin. True where only the adapter, switched off and on, may help; else it rests.
  mutating func failed(at now: BootInstant) -> Bool {
    switch remedies.next() {
    case .again: state = .none
    case .rest(let rest): state = .resting(until: now + rest)
    case .powerCycle:
      state = .resting(until: now + Remedies.longestRest)
      return true
    }
    return false
  }
}
