import Instants

/// The Bluetooth adapter that is used.
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
enum ScanState: Hashable, Sendable {
  case none
  case starting(call: Int)
  case running(until: BootInstant)
  case stopping(call: Int)
  case resting(until: BootInstant)
}
