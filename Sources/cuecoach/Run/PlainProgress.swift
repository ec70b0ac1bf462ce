import CueEngine
import IntervalTimeline

/// Shows a run without a terminal: one line for each phase.
final class PlainProgress: RunDisplay {
  private let namesLanes: Bool

  init(lanes: Int) {
    namesLanes = lanes > 1
  }

  func show(_ lanes: [ShownLane], chosen: Int?) -> Duration? { nil }

  func phaseBegan(_ lane: ShownLane) {
    let start = (lane.elapsed - lane.phaseElapsed).passedText
    let length = lane.lengthText.map { ", \($0)" } ?? ""
    let next = lane.next.map { " (\(lane.phrases.screen(.then, ["next": $0])))" } ?? ""
    let parts = [start, lane.setText, "\(lane.label ?? "")\(length)\(next)"].compactMap { $0 }
    print(lane, parts.joined(separator: "  "))
    if let note = lane.noteText { print(lane, "    \(note)") }
  }

  func obeyed(_ command: Command, _ lane: ShownLane) {
    switch command {
    case .pause: print(lane, lane.phrases.screen(.paused))
    case .resume: print(lane, lane.phrases.screen(.resumed))
    case .whereAmI: print(lane, lane.placeText)
    case .start, .next, .back, .stop, .rep, .sayTime, .sayName, .askStop: break
    }
  }

  func finished(_ lane: ShownLane) {}

  func warn(_ message: String) { context.complain(message) }

  func ask(_ question: String?) {
    if let question { context.complain(question) }
  }

  func resized() {}

  func end(_ lanes: [ShownLane], areKept: Bool) {
    for lane in lanes { print(lane, lane.summary(isKept: areKept)) }
  }

  private func print(_ lane: ShownLane, _ line: String) {
    context.printSentences([namesLanes ? "\(lane.name): \(line)" : line])
  }
}
