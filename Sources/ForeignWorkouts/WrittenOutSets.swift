import IntervalTimeline
import Presets

/// Finds what is repeated in phases that are written out: 20 s, 10 s, 20 s, 10 s, … are sets of two phases.
///
/// A set begins with no rest, and has an effort. The rests at the end of the last set may be missing. Of several
/// patterns the shortest that comes three times wins, so that a round's intervals are the sets and not the rounds;
/// of patterns that come twice the one that covers most.
struct WrittenOutSets {
  /// The most phases of a set that is looked for.
  private static let maximumPattern = 30

  private struct Found {
    var pattern: Int
    var sets: Int
    var covered: Int
  }

  private let steps: [PlacedStep]
  /// Equal phases have equal numbers.
  private let numbers: [Int]
  /// How many of the phases before each index are an effort, and how many no set has.
  private let efforts: [Int]
  private let strangers: [Int]

  static func blocks(of steps: [PlacedStep]) -> [PlacedBlock] {
    let search = WrittenOutSets(steps)
    var blocks: [PlacedBlock] = []
    var plain: [PlacedStep] = []
    var index = 0
    while index < steps.count {
      guard let found = search.best(at: index) else {
        plain.append(steps[index])
        index += 1
        continue
      }
      if !plain.isEmpty { blocks.append(PlacedBlock(plain)) }
      plain = []
      blocks.append(search.block(found, at: index))
      index += found.covered
    }
    if !plain.isEmpty { blocks.append(PlacedBlock(plain)) }
    return blocks
  }

  private init(_ steps: [PlacedStep]) {
    self.steps = steps
    var known: [Phase: Int] = [:]
    numbers = steps.map { placed in
      if let number = known[placed.step.phase] { return number }
      known[placed.step.phase] = known.count
      return known.count - 1
    }
    efforts = Self.sums(steps) { $0.kind.isEffort }
    strangers = Self.sums(steps) {
      [.prepare, .warmup, .cooldown].contains($0.kind) || $0.course != nil
    }
  }

  private static func sums(_ steps: [PlacedStep], _ counts: (Phase) -> Bool) -> [Int] {
    steps.reduce(into: [0]) { sums, placed in
      sums.append(sums[sums.count - 1] + (counts(placed.step.phase) ? 1 : 0))
    }
  }

  private func best(at start: Int) -> Found? {
    guard !steps[start].step.phase.kind.isRest else { return nil }
    var best: Found?
    for pattern in 1...Self.maximumPattern where start + pattern < steps.count {
      guard strangers[start + pattern] == strangers[start] else { break }
      guard efforts[start + pattern] > efforts[start] else { continue }
      var same = 0
      while start + pattern + same < steps.count,
        numbers[start + same] == numbers[start + pattern + same]
      {
        same += 1
      }
      let whole = (same + pattern) / pattern
      var found = Found(pattern: pattern, sets: whole, covered: whole * pattern)
      let tail = (same + pattern) % pattern
      // Every effort of a set is there, and only rests are missing.
      if tail > 0, efforts[start + tail] > efforts[start],
        steps[(start + tail)..<(start + pattern)].allSatisfy({ $0.step.phase.kind.isRest })
      {
        found.sets += 1
        found.covered += tail
      }
      if found.sets >= 3 { return found }
      if found.sets == 2, found.covered > best?.covered ?? 0 { best = found }
    }
    return best
  }

  private func block(_ found: Found, at start: Int) -> PlacedBlock {
    let kept = found.covered % found.pattern
    let set = (0..<found.pattern).map { offset in
      var placed = steps[start + offset]
      placed.step.skippedInLastSet = kept > 0 && offset >= kept
      return placed
    }
    return PlacedBlock(sets: (found.sets, steps[start].line), set)
  }
}
