import Glibc
import Synchronization
import SystemdLink
import Testing

/// A bus that nobody answers on is what a test machine has; one with a logind is in
/// Tests/inhibit-check.
@Suite struct SleepInhibitorTests {
  @Test func aRefusalIsOneLine() {
    let lines = Mutex<[String]>([])
    let inhibitor = SleepInhibitor { line in lines.withLock { $0.append(line) } }
    for _ in 0..<3 {
      inhibitor.set(true, reason: "a test runs")
      inhibitor.set(false, reason: "")
    }
    inhibitor.finish()
    #expect(!inhibitor.isHeld)
    let found = lines.withLock { $0 }
    #expect(found.count <= 1)
    #expect(
      found.allSatisfy { $0.hasPrefix("sleep is not inhibited while a workout runs: ") })
  }
}
