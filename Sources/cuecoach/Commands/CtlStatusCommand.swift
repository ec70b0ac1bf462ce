import ArgumentParser
import ControlProtocol
import IntervalTimeline

struct CtlStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show where every workout of the coach is.",
    discussion: """
      On a terminal it is the picture of a run's screen, elsewhere a line for each workout. With
      --watch it follows every change, waits for a coach that is restarted, and ends with Ctrl-C.

      Examples:
        cuecoach ctl status
        cuecoach ctl status --watch
        cuecoach ctl status --json | jq -r '.lanes[].label'
      """)

  @Flag(help: "Print the snapshot as one JSON object; with --watch, one for each change.")
  var json = false
  @Flag(help: "Follow every change.") var watch = false
  @OptionGroup var coach: CoachLink.Options

  func run() throws {
    if watch { Console.exit(try StatusWatch(coach.paths, json: json).run()) }
    let snapshot = try coach.connect().snapshot()
    if json { return try Console.printObject(snapshot) }
    var catalogues: [String: PhraseCatalogue] = [:]
    let shown = ShownSnapshot(snapshot, &catalogues)
    guard Terminal.isInteractive else { return Console.printSentences(shown.lines) }
    let canvas = Canvas()
    // The prompt's row stays free. In a high window the digits stay readable beside other output.
    let rows = max(1, min(canvas.size.rows - 1, Self.greatestRows))
    var lines = shown.picture(columns: canvas.size.columns, rows: rows, style: canvas.style)
    while lines.last == "" { lines.removeLast() }
    for line in lines { Console.write(canvas.colored(line) + "\n", to: 1) }
  }

  private static let greatestRows = 16
}
