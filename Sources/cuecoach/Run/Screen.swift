import CueEngine
import IntervalTimeline

/// Shows a run on a terminal: phase, set, a large countdown, bars, what comes next.
final class Screen: RunDisplay {
  private var warning: String?
  private var question: String?
  private var shown: [String] = []
  private var size = Terminal.size
  private let usesColor = Terminal.usesColor
  private let style =
    Terminal.usesUnicode
    ? ScreenPage.Style() : ScreenPage.Style(point: "#", gap: "-", ellipsis: "...")
  private var warnings: [String] = []

  func show(_ lanes: [LaneStatus], chosen: Int?) -> Duration? {
    // The screen belongs to the shell in the background, and for a moment after a stop.
    guard Terminal.isOurs else {
      shown = []
      return nil
    }
    let page = ScreenPage(
      lanes: lanes, chosen: chosen, columns: size.columns, rows: size.rows, style: style,
      notes: [question, warning].compactMap { $0 })
    draw(page.lines)
    return untilNextSecond(lanes)
  }

  func phaseBegan(_ lane: LaneStatus) {}
  func obeyed(_ command: Command, _ lane: LaneStatus) {}
  func finished(_ lane: LaneStatus) {}

  func warn(_ message: String) {
    warning = message
    if warnings.last != message { warnings.append(message) }
  }

  func ask(_ question: String?) { self.question = question }

  func resized() {
    size = Terminal.size
    shown = []
  }

  func end(_ lanes: [LaneStatus], areKept: Bool) {
    // They disappeared with the screen.
    for warning in warnings { Console.complain(warning) }
    for lane in lanes {
      let summary = lane.summary(isKept: areKept)
      Console.printSentences([lanes.count > 1 ? "\(lane.name): \(summary)" : summary])
    }
  }

  /// The time until some lane's clock shows another second.
  private func untilNextSecond(_ lanes: [LaneStatus]) -> Duration? {
    lanes.filter { $0.state == .running }.map { lane in
      let time = lane.phaseLeft ?? lane.phaseElapsed
      let part = Duration(secondsComponent: 0, attosecondsComponent: time.components.attoseconds)
      let wait = lane.phaseLeft == nil ? .seconds(1) - part : part
      // Slightly later, so that the second has passed; at least 20 ms, to avoid a busy loop.
      return max(.milliseconds(20), wait + .milliseconds(2))
    }.min()
  }

  // MARK: Drawing

  /// Writes the lines that have changed.
  private func draw(_ lines: [String]) {
    var output = shown.isEmpty ? "\u{1b}[2J" : ""
    for row in 0..<max(lines.count, shown.count) {
      let line = row < lines.count ? lines[row] : ""
      guard row >= shown.count || shown[row] != line else { continue }
      // After a full row the cursor is still on its last character, which would be erased.
      let rest = Columns.width(line) < size.columns ? "\u{1b}[K" : ""
      output += "\u{1b}[\(row + 1);1H\(colored(line))\(rest)"
    }
    shown = lines
    if !output.isEmpty { Console.write(output, to: 1) }
  }

  private func colored(_ line: String) -> String {
    guard usesColor, line.contains(style.point) else { return line }
    return "\u{1b}[36m\(line)\u{1b}[0m"
  }
}
