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
    let entry = try Self.find(id, in: PastSessions.read().entries)
    if json {
      Console.print(HistoryFields.object(entry).text)
    } else {
      let lines = HistoryTable.detailLines(entry, in: WallTime.localZone)
      Console.print(lines.joined(separator: "\n"))
    }
  }

  private static func find(
    _ id: String, in entries: [HistoryEntry]
  ) throws(UserError) -> HistoryEntry {
    if let entry = entries.first(where: { $0.id == id }) { return entry }
    let found = id.isEmpty ? [] : entries.filter { $0.id.hasPrefix(id) }
    guard found.count < 2 else {
      throw .usage("\(found.count) sessions begin with \"\(id.singleLine)\"; give more of the id")
    }
    guard let entry = found.first else {
      throw .usage(
        "there is no session \"\(id.singleLine)\" in the history; cuecoach history lists them")
    }
    return entry
  }
}
