import IntervalTimeline
import Presets

/// Finds rolling courses in phases that are written out: many short ones, each of about the power with which the one
/// before ends. They are told as stretches.
enum RollingCourse {
  private static let fewest = 4
  private static let longestPhase = Duration.seconds(120)
  /// Of a stretch, in milliseconds: as long as one listens to a single sentence of it.
  private static let (shortest, usual, longest) = (
    120_000 as Int64, 240_000 as Int64, 300_000 as Int64
  )

  /// A power in one measure, and how far another one may be from it.
  private struct Power {
    let measure: Intensity.Measure
    let first: Double
    let last: Double

    /// Nil unless the phase says one power, alone.
    init?(_ phase: Phase) {
      guard let intensity = phase.intensity.flatMap(Intensity.init(reading:)),
        intensity.parts.count == 1, case .target(let measure, let amount) = intensity.parts[0],
        measure == .thresholdPower || measure == .watts
      else { return nil }
      if case .range = amount { return nil }
      (self.measure, first, last) = (measure, amount.first, amount.last)
    }

    func goesOn(in next: Power) -> Bool {
      measure == next.measure && (next.first - last).magnitude <= (measure == .watts ? 8 : 3)
    }
  }

  /// Gives each phase of a rolling course its place in a stretch. The stretches are of about four minutes.
  static func mark(_ steps: inout [PlacedStep]) {
    for run in runs(in: steps) {
      let starts = starts(
        of: steps[run].map { $0.step.phase.length.duration?.wholeMilliseconds ?? 0 })
      for (index, place) in run.enumerated() {
        steps[place].step.phase.course = starts.contains(index) ? .begins : .continues
      }
    }
  }

  private static func runs(in steps: [PlacedStep]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    var before: Power?
    func end(at index: Int) {
      if index - start >= fewest { runs.append(start..<index) }
    }
    for (index, placed) in steps.enumerated() {
      let power = power(of: placed.step.phase)
      if !(power.flatMap { power in before.map { $0.goesOn(in: power) } } ?? false) {
        end(at: index)
        start = power == nil ? index + 1 : index
      }
      before = power
    }
    end(at: steps.count)
    return runs
  }

  /// Nil for a phase that is told by itself: a long one, one with a name of its own, one of no power.
  private static func power(of phase: Phase) -> Power? {
    guard case .fixed(let length) = phase.length, length <= longestPhase,
      PowerZone.isName(phase.name)
    else { return nil }
    return Power(phase)
  }

  /// Where the stretches begin: the division with the least differences from the usual length, none too long and, where
  /// that can be, none too short.
  private static func starts(of lengths: [Int64]) -> Set<Int> {
    // For each number of phases the least cost, and where the last stretch begins.
    var best: [(cost: Double, start: Int)] = [(0, 0)]
    for end in 1...lengths.count {
      var found = (cost: Double.infinity, start: end - 1)
      var length: Int64 = 0
      for start in (0..<end).reversed() {
        length += lengths[start]
        if length > longest { break }
        let cost = best[start].cost + cost(of: length)
        if cost < found.cost { found = (cost, start) }
      }
      best.append(found)
    }
    var starts: Set<Int> = []
    var end = lengths.count
    while end > 0 {
      end = best[end].start
      starts.insert(end)
    }
    return starts
  }

  private static func cost(of length: Int64) -> Double {
    let difference = Double(length - usual)
    return difference * difference + (length < shortest ? 1e15 : 0)
  }
}
