import ArgumentParser
import Glibc
import SessionStore

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the whole history to standard output.",
    discussion: """
      A header, then one JSON object per session, the oldest first. Exits with 1 if part of the \
      history cannot be read.

      Examples:
        cuecoach export > history.jsonl
        cuecoach import-history history.jsonl   on another machine
      """)

  func run() throws {
    let past = try PastSessions.read()
    context.write(HistoryFile.bytes(of: past.entries.reversed())[...])
    if !past.isWhole { throw ExitCode(1) }
  }
}
