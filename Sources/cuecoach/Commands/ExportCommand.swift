import ArgumentParser
import Glibc
import SessionStore

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the whole history to standard output.",
    discussion: """
      A header and one JSON object for each session, the oldest first. Ends with
      1 when something of the history cannot be read.

      Example:
        cuecoach export > history.jsonl
        cuecoach import-history history.jsonl   on another machine
      """)

  func run() throws {
    let past = try PastSessions.read()
    try Self.write(HistoryFile.bytes(of: past.entries.reversed()))
    if past.damaged > 0 { throw ExitCode(1) }
  }

  /// Unlike lines for a person: a copy of which some is missing must not look like a whole one.
  private static func write(_ bytes: [UInt8]) throws(UserError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        var event = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&event, 1, -1)
      } else if errno != EINTR {
        throw .failed("the history cannot be written: \(String(cString: strerror(errno)))")
      }
    }
  }
}
