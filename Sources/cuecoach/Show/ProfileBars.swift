import IntervalTimeline
import Phrases

/// A workout as bars in a row, a whole number of columns in all: each as wide as its phase is long and as high as
/// its kind is hard.
struct ProfileBars {
  struct Bar: Equatable {
    var kind: PhaseKind
    /// From 1 to `maxHeight`. Where a column has several phases, their mean over its time.
    var height: Double
    /// Nobody knows how long the phase is.
    var isOpen: Bool
    var columns: Int
    /// The phase; the first where it has several.
    var phase: Int
  }

  static let maxHeight = 5
  /// How long an open phase without a longest length is drawn.
  static let openLength = Duration.seconds(60)

  let bars: [Bar]

  /// - Parameter columns: 1 or more.
  init(_ timeline: Timeline, columns: Int) {
    let lengths = timeline.entries.map { entry in
      (entry.phase.length.duration ?? Self.openLength) / .milliseconds(1)
    }
    // Half of the columns for the phases that are as short as they can be leaves the others their share.
    bars =
      timeline.count * 2 <= columns
      ? Self.each(timeline, lengths, columns) : Self.merged(timeline, lengths, columns)
  }

  /// One bar for each phase, a column wide at least.
  private static func each(
    _ timeline: Timeline, _ lengths: [Double], _ columns: Int
  ) -> [Bar] {
    let total = lengths.reduce(0, +)
    var bars: [Bar] = []
    var (passed, edge) = (0.0, 0)
    for (index, entry) in timeline.entries.enumerated() {
      passed += lengths[index]
      let left = timeline.count - 1 - index
      let exact = Int((passed / total * Double(columns)).rounded())
      let end = left == 0 ? columns : min(max(exact, edge + 1), columns - left)
      bars.append(
        Bar(
          kind: entry.phase.kind, height: Double(entry.phase.kind.level),
          isOpen: entry.phase.length.duration == nil, columns: end - edge, phase: index))
      edge = end
    }
    return bars
  }

  /// One bar for each column, of the kind that takes most of its time.
  private static func merged(
    _ timeline: Timeline, _ lengths: [Double], _ columns: Int
  ) -> [Bar] {
    let width = lengths.reduce(0, +) / Double(columns)
    var bars: [Bar] = []
    var (index, left) = (0, lengths[0])
    for column in 0..<columns {
      let first = index
      var (room, height, open) = (width, 0.0, 0.0)
      var shares: [PhaseKind: Double] = [:]
      while room > 0 {
        let phase = timeline.entries[index].phase
        let isLast = index + 1 == timeline.count
        // What rounding leaves over belongs to the last phase.
        let part = isLast ? room : min(room, left)
        height += Double(phase.kind.level) * part
        shares[phase.kind, default: 0] += part
        if phase.length.duration == nil { open += part }
        room -= part
        left -= part
        if left <= 0, !isLast {
          index += 1
          left = lengths[index]
        }
        if isLast { break }
      }
      let kind = shares.max {
        ($0.value, $0.key.level) < ($1.value, $1.key.level)
      }
      bars.append(
        Bar(
          kind: kind?.key ?? .rest, height: max(1, height / width), isOpen: open * 2 > width,
          columns: 1, phase: column == 0 ? 0 : first))
    }
    return bars
  }
}
