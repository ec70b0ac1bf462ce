import ArgumentParser
import CueEngine
import IntervalTimeline
import SessionStore

struct HistoryShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything about one session.")

  @Argument(help: "The id of the session; a unique beginning is enough.")
  var id: String
  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let entry = try PastSessions.read().entry(id)
    if json {
      context.print(HistoryFields.object(entry).text)
    } else {
      context.printSentences(HistoryTable.detailLines(entry, in: context.zone))
    }
  }
}
