import ArgumentParser

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show past sessions.",
    discussion: """
      Examples:
        cuecoach history                       weeks, and a line for each session
        cuecoach history --csv > history.csv   everything, for a spreadsheet
        cuecoach history --json                the same, for programs
        cuecoach history --since 2026-11-01 --lane anna   only some of them
        cuecoach history show 3f2a             everything about one session
        cuecoach history delete 3f2a           remove it from the history
      """,
    subcommands: [HistoryListCommand.self, HistoryShowCommand.self, HistoryDeleteCommand.self],
    defaultSubcommand: HistoryListCommand.self)
}
