import ArgumentParser
import CueEngine
import Glibc
import IntervalTimeline
import SessionStore

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the weeks and the sessions, the latest first.",
    discussion: """
      Times are local, lengths are without pauses, and a week begins on Monday. The streak is the \
      number of weeks in a row with a session that was not abandoned. With --json and --csv, times \
      are in UTC and lengths in seconds.
      """)

  @Flag(help: "Print one JSON object per session.") var json = false
  @Flag(help: "Print comma-separated values with a header.") var csv = false
  @OptionGroup var filter: HistoryFilter

  func validate() throws {
    if json, csv { throw ValidationError("--csv cannot be combined with --json") }
  }

  func run() throws {
    let all = try PastSessions.read().entries
    let entries = try filter.apply(to: all, in: context.zone)
    if csv {
      context.write(HistoryFields.csv(entries))
    } else if json {
      let lines = entries.map { HistoryFields.object($0).text + "\n" }
      context.write(lines.joined())
    } else if !entries.isEmpty {
      var table = HistoryTable(entries: entries, zone: context.zone)
      table.columns = context.size.columns
      let lines = table.weekLines(now: MachineClocks.wall) + [""] + table.sessionLines
      context.print(lines.joined(separator: "\n"))
    }
    if entries.isEmpty, !all.isEmpty {
      context.complain("none of the \(all.count) sessions in the history matches")
    }
    if all.isEmpty { context.complain("no session has ended yet; the history is empty") }
  }
}
