/// Whether an output's device is open, with what is known of the device.
enum DeviceSituation: BitwiseCopyable {
  /// With the device that was open last; nil before the first.
  case closed(last: OpenDevice?)
  case open(OpenDevice)

  var isOpen: Bool { if case .open = self { true } else { false } }

  /// The device that is open or was last; nil before the first.
  var last: OpenDevice? {
    switch self {
    case .closed(let last): last
    case .open(let device): device
    }
  }
}
