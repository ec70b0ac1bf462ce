import ControlProtocol
import IntervalTimeline
import Phrases

/// The picture of a phase for lock screens: its colour, and where it is in the workout. Two that are equal look the same.
package struct PhasePicture: Hashable, Sendable {
  private let kind: PhaseKind
  private let outline: [OutlineSegment]
  /// The segment that the phase is, or is part of; nil where that is not known.
  private let current: Int?

  private static let size = 512
  private static let chart = (left: 32.0, width: 448.0, bottom: 448.0, level: 48.0)
  /// How long an open phase without a longest length is drawn.
  private static let openLength = 60.0

  /// Nil without a workout, and after its last phase.
  package init?(_ workouts: RunningWorkouts) {
    guard let lane = workouts.chosen, let kind = lane.kind else { return nil }
    self.kind = kind
    outline = workouts.outline(of: lane.name)
    let isEach = outline.count == lane.phases
    // Of a long workout a segment is a whole set.
    current =
      isEach
      ? lane.phase
      : outline.firstIndex { $0.set == lane.set && $0.sets == lane.sets && $0.set != nil }
  }

  /// In SVG.
  package var text: String {
    let total = outline.reduce(0) { $0 + ($1.seconds ?? Self.openLength) }
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.size)\" height=\"\(Self.size)\""
        + " viewBox=\"0 0 \(Self.size) \(Self.size)\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"\(kind.color)\"/>",
    ]
    var passed = 0.0
    for (index, segment) in outline.enumerated() where total > 0 {
      let length = segment.seconds ?? Self.openLength
      let left = Self.chart.left + passed / total * Self.chart.width
      let height = Double(segment.kind.level) * Self.chart.level
      // The phases before are paler than those to come, and the present one is white.
      let opacity = index == current ? "1" : index < current ?? 0 ? "0.25" : "0.5"
      lines.append(
        "<rect x=\"\(Self.tenths(left))\" y=\"\(Self.tenths(Self.chart.bottom - height))\""
          + " width=\"\(Self.tenths(max(1, length / total * Self.chart.width - 1)))\""
          + " height=\"\(Self.tenths(height))\" fill=\"#ffffff\" fill-opacity=\"\(opacity)\"/>")
      passed += length
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}
