import CueEngine
import IntervalTimeline

/// A run on a terminal: phase, set, a large countdown, bars, what comes next.
final class Screen: RunDisplay {
  private var warning: String?
  private var shown: [String] = []
  private var size = Terminal.size
  private let usesColor = Terminal.usesColor
  private let point: Character = Terminal.usesUnicode ? "█" : "#"
  private let gap: Character = Terminal.usesUnicode ? "░" : "-"
  private var warnings: [String] = []
  /// Rows taken by the list of lanes.
  private var extraRows = 0

  func show(_ lanes: [LaneStatus], chosen: Int?) -> Duration? {
    let focus = lanes[chosen ?? 0]
    extraRows = lanes.count > 1 ? lanes.count + 1 : 0
    var lines =
      lanes.count > 1 ? lanes.indices.map { laneLine(lanes, $0, chosen: chosen) } + [""] : []
    lines += page(of: focus)
    lines += ["", keys(lanes.count)]
    if let warning { lines.append(warning) }
    draw(lines)
    return untilNextSecond(lanes)
  }

  func phaseBegan(_ lane: LaneStatus) {}
  func obeyed(_ command: Command, _ lane: LaneStatus) {}
  func finished(_ lane: LaneStatus) {}

  func warn(_ message: String) {
    warning = message
    if warnings.last != message { warnings.append(message) }
  }

  func resized() {
    size = Terminal.size
    shown = []
  }

  func end(_ lanes: [LaneStatus], areKept: Bool) {
    // The screen took them with it.
    for warning in warnings { Console.complain(warning) }
    for lane in lanes {
      Console.print(
        lanes.count > 1
          ? "\(lane.name): \(lane.summary(isKept: areKept))" : lane.summary(isKept: areKept))
    }
  }

  // MARK: Content

  private func page(of lane: LaneStatus) -> [String] {
    let state = lane.state == .paused ? "  PAUSED" : ""
    let set = lane.setText.map { "\($0)  " } ?? ""
    let title = "\(set)\(lane.label ?? "Complete")\(state)"
    let clock = clockText(lane)
    var lines = [lane.workout, "", title, ""]
    let big = BigDigits.lines(clock, point: point)
    let isRoomy = size.rows >= 18 + extraRows && big[0].count <= size.columns
    lines += isRoomy ? big : [clock]
    lines += [
      "", "phase    \(bar(lane.phaseElapsed, lane.phaseLeft))",
      "workout  \(bar(lane.elapsed, lane.workoutLeft))", "",
      lane.next.map { "Next: \($0)" } ?? (lane.state == .finished ? "" : "Then it is done"),
    ]
    return lines
  }

  /// What is left, in whole seconds rounded up; an open phase shows what has passed.
  private func clockText(_ lane: LaneStatus) -> String {
    lane.phaseLeft?.leftText ?? lane.phaseElapsed.passedText
  }

  private func bar(_ elapsed: Duration, _ left: Duration?) -> String {
    guard let left else { return "open, since \(elapsed.passedText)" }
    let width = max(10, min(50, size.columns - 22))
    let whole = elapsed + left
    let part = whole > .zero ? elapsed / whole : 1
    let filled = min(width, Int(part * Double(width)))
    return String(repeating: point, count: filled) + String(repeating: gap, count: width - filled)
      + " \(left.leftText)"
  }

  private func laneLine(_ lanes: [LaneStatus], _ index: Int, chosen: Int?) -> String {
    let lane = lanes[index]
    let mark = chosen == nil || chosen == index ? ">" : " "
    let parts = [
      lane.name, lane.setText, lane.label ?? "complete", clockText(lane),
      lane.state == .paused ? "paused" : nil,
    ]
    return "\(mark) \(index + 1) \(parts.compactMap { $0 }.joined(separator: "  "))"
  }

  private func keys(_ lanes: Int) -> String {
    "space pause/go on   n next   b back   w where am I   q stop"
      + (lanes > 1 ? "   1-\(lanes) choose   0 all" : "")
  }

  /// Until some lane's clock shows another second.
  private func untilNextSecond(_ lanes: [LaneStatus]) -> Duration? {
    lanes.filter { $0.state == .running }.map { lane in
      let time = lane.phaseLeft ?? lane.phaseElapsed
      let part = Duration(secondsComponent: 0, attosecondsComponent: time.components.attoseconds)
      let wait = lane.phaseLeft == nil ? .seconds(1) - part : part
      // A hair later, so that the second has really passed; never a busy loop.
      return max(.milliseconds(20), wait + .milliseconds(2))
    }.min()
  }

  // MARK: Drawing

  /// Writes the lines that differ from what is there.
  private func draw(_ lines: [String]) {
    let lines = lines.prefix(size.rows).map { Columns.cut($0, to: size.columns) }
    var output = shown.isEmpty ? "\u{1b}[2J" : ""
    for row in 0..<max(lines.count, shown.count) {
      let line = row < lines.count ? lines[row] : ""
      guard row >= shown.count || shown[row] != line else { continue }
      // After a full row the cursor still stands on its last character, which would be erased.
      let rest = Columns.width(line) < size.columns ? "\u{1b}[K" : ""
      output += "\u{1b}[\(row + 1);1H\(colored(line))\(rest)"
    }
    shown = lines
    if !output.isEmpty { Console.write(output, to: 1) }
  }

  private func colored(_ line: String) -> String {
    guard usesColor, line.contains(point) else { return line }
    return "\u{1b}[36m\(line)\u{1b}[0m"
  }
}
