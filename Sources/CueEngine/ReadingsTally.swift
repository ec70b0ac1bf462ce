import IntervalTimeline

/// How the readings stood to the targets, by phase, as seen at each check.
struct ReadingsTally {
  private(set) var phases: [PhaseReadings] = []
  /// The last look at a known value.
  private var last: (phase: Int, at: BootInstant)?

  /// A longer time between two looks counts as this: the checks come each 0.5 s.
  private static let longestStep = Duration.seconds(1)

  mutating func restore(_ kept: [PhaseReadings]) {
    phases = Array(kept.prefix(PhaseReadings.maxCount))
  }

  /// - Parameter live: nil in a phase without a target, and where a pause begins or ends.
  mutating func note(_ live: TargetCoach.Live?, phase: Int, at now: BootInstant) {
    guard let live, let value = live.value else {
      last = nil
      return
    }
    defer { last = (phase, now) }
    guard let last, last.phase == phase, last.at < now else { return }
    // A phase that is done again after `back` adds to what it had.
    let index = phases.lastIndex { $0.phase == phase && $0.kind == live.kind } ?? phases.count
    if index == phases.count {
      guard phases.count < PhaseReadings.maxCount else { return }
      phases.append(PhaseReadings(phase: phase, kind: live.kind))
    }
    phases[index].add(
      value, for: min(last.at.duration(to: now), Self.longestStep),
      isOnTarget: live.position == .inside)
  }
}
