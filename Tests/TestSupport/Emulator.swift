import Foundation

/// The emulator of another processor's user programs, qemu-user, under which the tests may run.
package enum Emulator {
  /// Set by the script that starts the tests under it.
  package static let isUsed = ProcessInfo.processInfo.environment["CUECOACH_EMULATOR"] != nil
}
