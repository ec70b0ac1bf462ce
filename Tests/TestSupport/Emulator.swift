import Foundation

/// The emulator of another processor's user programs, qemu-user, under which the tests may run.
package enum Emulator {
  /// Set by the script that starts the tests under it.
  package static let isUsed = ProcessInfo.processInfo.environment["CUECOACH_EMULATOR"] != nil

  /// False for a child that never became its program. qemu-user forks for posix_spawn, and the child waits for ever
  /// if another thread held a lock of the emulator at that instant.
  package static func hasBegun(_ child: pid_t) -> Bool {
    let own = CommandLine.arguments.first ?? ""
    for _ in 0..<3000 {
      let line = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
      // A program that has ended has none.
      guard let line, line.contains(own) else { return true }
      usleep(10_000)
    }
    return false
  }
}
