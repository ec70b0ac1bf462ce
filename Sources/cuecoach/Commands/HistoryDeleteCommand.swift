import ArgumentParser
import Glibc
import IntervalTimeline
import SessionStore

struct HistoryDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete sessions from the history for good.",
    discussion: """
      On a terminal it asks first. Elsewhere it needs --yes.
      """)

  @Argument(help: "The ids of the sessions; a unique beginning of each is enough.")
  var ids: [String]
  @Flag(help: "Do not ask.") var yes = false

  func run() throws {
    let past = try PastSessions.read()
    var entries: [HistoryEntry] = []
    for id in ids {
      let entry = try past.entry(id)
      if !entries.contains(entry) { entries.append(entry) }
    }
    guard try yes || isConfirmed(entries) else {
      throw UserError.failed("nothing was deleted")
    }
    try PastSessions.delete(entries.map(\.id))
    context.print("\(entries.count) session\(entries.count == 1 ? "" : "s") deleted")
  }

  private func isConfirmed(_ entries: [HistoryEntry]) throws -> Bool {
    guard context.canAsk else {
      throw UserError.usage("there is no terminal to ask on; pass --yes to delete without asking")
    }
    let lines = entries.map { entry in
      let started = WallTime(entry.startedAt, in: context.zone).minuteText
      return "\(started)  \(entry.lane)  \(entry.workout)"
    }
    let them = entries.count == 1 ? "this session" : "these \(entries.count) sessions"
    let answer = TerminalQuestion.answer(to: "Delete \(them) for good? [y/N]", below: lines)
    return ["y", "yes"].contains(answer?.lowercased() ?? "")
  }
}
