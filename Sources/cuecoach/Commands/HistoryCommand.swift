import ArgumentParser

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show the sessions that are over.",
    discussion: """
      Examples:
        cuecoach history                       weeks, and a line for each session
        cuecoach history --csv > history.csv   everything, for a spreadsheet
        cuecoach history --json                the same for programs
        cuecoach history --since 2026-11-01 --lane anna   some of it
        cuecoach history show 3f2a             everything of one session
        cuecoach history delete 3f2a           take it out of the history
      """,
    subcommands: [HistoryListCommand.self, HistoryShowCommand.self, HistoryDeleteCommand.self],
    defaultSubcommand: HistoryListCommand.self)
}
