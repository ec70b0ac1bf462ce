import CueEngine
import IntervalTimeline

/// A run on something that is no terminal: one line for each phase.
final class PlainProgress: RunDisplay {
  private let namesLanes: Bool

  init(lanes: Int) {
    namesLanes = lanes > 1
  }

  func show(_ lanes: [LaneStatus], chosen: Int?) -> Duration? { nil }

  func phaseBegan(_ lane: LaneStatus) {
    let start = (lane.elapsed - lane.phaseElapsed).passedText
    let length = lane.length.map { ", \($0.text)" } ?? ""
    let next = lane.next.map { " (next: \($0))" } ?? ""
    let parts = [start, lane.setText, "\(lane.label ?? "")\(length)\(next)"].compactMap { $0 }
    print(lane, parts.joined(separator: "  "))
  }

  func obeyed(_ command: Command, _ lane: LaneStatus) {
    switch command {
    case .pause: print(lane, "paused")
    case .resume: print(lane, "resumed")
    case .start, .next, .back, .stop, .whereAmI, .sayName: break
    }
  }

  func finished(_ lane: LaneStatus) {}

  func warn(_ message: String) { Console.complain(message) }

  func resized() {}

  func end(_ lanes: [LaneStatus], areKept: Bool) {
    for lane in lanes { print(lane, lane.summary(isKept: areKept)) }
  }

  private func print(_ lane: LaneStatus, _ line: String) {
    Console.print(namesLanes ? "\(lane.name): \(line)" : line)
  }
}
