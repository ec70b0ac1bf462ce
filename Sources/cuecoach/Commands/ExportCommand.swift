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
    Console.write(HistoryFile.bytes(of: past.entries.reversed())[...])
    if past.damaged > 0 { throw ExitCode(1) }
  }
}
