import IntervalTimeline

/// Shows a run on a terminal: phase, set, a large countdown, bars, what comes next.
final class Screen: RunDisplay {
  private var warning: String?
  private var question: String?
  private var canvas = Canvas()
  private var warnings: [String] = []

  func show(_ lanes: [ShownLane], chosen: Int?) -> Duration? {
    // The screen belongs to the shell in the background, and for a moment after a stop.
    guard Terminal.isOurs else {
      canvas.forget()
      return nil
    }
    let page = ScreenPage(
      lanes: lanes, chosen: chosen, columns: canvas.size.columns, rows: canvas.size.rows,
      style: canvas.style, notes: [question, warning].compactMap { $0 })
    canvas.draw(page.lines)
    return lanes.compactMap(\.untilNextSecond).min()
  }

  func phaseBegan(_ lane: ShownLane) {}
  func obeyed(_ command: Command, _ lane: ShownLane) {}
  func finished(_ lane: ShownLane) {}

  func warn(_ message: String) {
    warning = message
    if warnings.last != message { warnings.append(message) }
  }

  func ask(_ question: String?) { self.question = question }

  func resized() { canvas.resized() }

  func end(_ lanes: [ShownLane], areKept: Bool) {
    // They disappeared with the screen.
    for warning in warnings { context.complain(warning) }
    for lane in lanes {
      let summary = lane.summary(isKept: areKept)
      context.printSentences([lanes.count > 1 ? "\(lane.name): \(summary)" : summary])
    }
  }
}
