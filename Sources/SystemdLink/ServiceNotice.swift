import CSystemd
import Glibc
import SystemIO

/// What a service reports to the service manager (`Type=notify`).
package enum ServiceNotice {
  /// The service takes requests.
  case ready
  /// The configuration is being read anew; `ready` follows.
  case reloading
  case stopping

  /// Sends it. Does nothing if no service manager asked for notices.
  package func send() {
    guard getenv("NOTIFY_SOCKET") != nil else { return }
    _ = cuecoach_notify(text)
  }

  var text: String {
    switch self {
    case .ready: return "READY=1"
    case .reloading:
      return "RELOADING=1\nMONOTONIC_USEC=\(MachineTime.monotonic / 1000)"
    case .stopping: return "STOPPING=1"
    }
  }
}
