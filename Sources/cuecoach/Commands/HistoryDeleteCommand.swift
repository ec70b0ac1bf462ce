import ArgumentParser
import Glibc
import SessionStore

struct HistoryDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Take sessions out of the history, for good.",
    discussion: """
      On a terminal it asks first. Without one it needs --yes.
      """)

  @Argument(help: "The sessions' ids, or as much of each beginning as no other has.")
  var ids: [String]
  @Flag(help: "Do not ask.") var yes = false

  func run() throws {
    let past = try PastSessions.read()
    var entries: [HistoryEntry] = []
    for id in ids {
      let entry = try past.entry(id)
      if !entries.contains(entry) { entries.append(entry) }
    }
    guard try yes || isMeant(entries) else {
      throw UserError.failed("nothing was deleted")
    }
    try PastSessions.delete(entries.map(\.id))
    Console.print("\(entries.count) session\(entries.count == 1 ? "" : "s") deleted")
  }

  private func isMeant(_ entries: [HistoryEntry]) throws -> Bool {
    guard Terminal.canAsk else {
      throw UserError.usage("nobody can be asked here: give --yes to delete without a question")
    }
    for entry in entries {
      let started = WallTime(entry.startedAt, in: WallTime.localZone).minuteText
      Console.print("\(started)  \(entry.lane)  \(entry.workout)".singleLine)
    }
    let them = entries.count == 1 ? "this session" : "these \(entries.count) sessions"
    Console.write("Delete \(them) for good? [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }
}
