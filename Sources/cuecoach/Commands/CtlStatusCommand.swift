import ArgumentParser
import ControlProtocol
import IntervalTimeline
import Phrases

struct CtlStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show where every workout of the coach is.",
    discussion: """
      On a terminal it is the picture of a run's screen, elsewhere a line for each workout. With \
      --watch it follows every change, waits for a coach that is restarted, and ends with Ctrl-C.

      Examples:
        cuecoach ctl status
        cuecoach ctl status --watch
        cuecoach ctl status --json | jq -r '.lanes[].label'
      """)

  @Flag(help: "Print the snapshot as one JSON object; with --watch, one for each change.")
  var json = false
  @Flag(help: "Follow every change.") var watch = false
  @OptionGroup var coach: CoachClient.Options

  func run() throws {
    if watch { throw ExitCode(try StatusWatch(coach.paths, json: json).run()) }
    let snapshot = try coach.connect().snapshot()
    if json { return try context.printObject(snapshot) }
    var catalogues: [String: PhraseCatalogue] = [:]
    let shown = ShownSnapshot(snapshot, &catalogues)
    guard context.isInteractive else { return context.printSentences(shown.lines) }
    let canvas = Canvas()
    let (columns, height) = canvas.size
    // The prompt's row stays free. Every workout has its row, though the window be lower.
    let rows = max(min(height - 1, Self.maxRows), shown.lanes.count, 1)
    var lines = shown.picture(columns: columns, rows: rows, style: canvas.style, notes: [])
    while lines.last == "" { lines.removeLast() }
    lines += shown.notes.flatMap { Columns.wrapped($0.singleLine, to: columns) }
    for line in lines { context.write(canvas.colored(line) + "\n", to: context.output) }
  }

  /// In a high window, digits of five rows.
  private static let maxRows = 16
}
