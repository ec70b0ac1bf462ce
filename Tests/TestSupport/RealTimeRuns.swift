import Foundation

/// Counts the runs in real time that a busy machine can disturb, and their repetitions.
///
/// Appends a line for each, with the number of tries and the test, to the file named by
/// CUECOACH_RUNS; `make test` adds them up.
package enum RealTimeRuns {
  private static let path = ProcessInfo.processInfo.environment["CUECOACH_RUNS"]

  package static func note(_ tries: Int, of test: String) throws {
    guard let path else { return }
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(file) }
    // One write for each line, because tests end concurrently.
    let line = Array("\(tries) \(test)\n".utf8)
    guard write(file, line, line.count) == line.count else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
