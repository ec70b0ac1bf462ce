import ArgumentParser

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show the sessions that are over.",
    discussion: """
      Examples:
        cuecoach history                       weeks, and a line for each session
        cuecoach history --csv > history.csv   everything, for a spreadsheet
        cuecoach history --json                the same for programs
        cuecoach history show 3f2a             everything of one session
      """,
    subcommands: [HistoryListCommand.self, HistoryShowCommand.self],
    defaultSubcommand: HistoryListCommand.self)
}
