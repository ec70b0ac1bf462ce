import ArgumentParser
import CueEngine
import SessionStore

struct HistoryShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything of one session.")

  @Argument(help: "The session's id, or as much of its beginning as no other has.")
  var id: String
  @Flag(help: "As a JSON object.") var json = false

  func run() throws {
    let entry = try PastSessions.read().entry(id)
    if json {
      Console.print(HistoryFields.object(entry).text)
    } else {
      Console.printSentences(HistoryTable.detailLines(entry, in: WallTime.localZone))
    }
  }
}
