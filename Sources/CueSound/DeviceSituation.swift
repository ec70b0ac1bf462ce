/// Whether an output's device is open, with what is known of the device.
enum DeviceSituation: BitwiseCopyable {
  /// No device was requested.
  case unwanted
  /// With the device that was open last; nil before the first.
  case closed(last: OpenDevice?)
  case open(OpenDevice)

  var isOpen: Bool { if case .open = self { true } else { false } }

  /// The device that is open. Where none is, the holder gave a result that nobody asked for, and this traps.
  var device: OpenDevice {
    guard case .open(let device) = self else {
      fatalError("a result was given for a device that is not open")
    }
    return device
  }

  /// The device that was open last is not the one that is opened next.
  mutating func forget() { if case .closed = self { self = .closed(last: nil) } }

  var isWanted: Bool { if case .unwanted = self { false } else { true } }

  /// The device that is open or was last; nil before the first.
  var last: OpenDevice? {
    switch self {
    case .unwanted: nil
    case .closed(let last): last
    case .open(let device): device
    }
  }
}
