/// The repetitions and rounds that were counted, by phase.
///
/// Rounds are kept of phases before the running one only, in order: going back forgets them.
struct PhaseCounts: Sendable {
  /// The most rounds that are counted in a phase.
  private static let maximumRounds = 10_000

  /// The repetitions, or the rounds, of one phase.
  struct Count: Hashable, Codable, Sendable {
    var phase: Int
    var count: Int
  }

  /// The rounds of each phase that has ended and has any.
  private(set) var rounds: [Count]
  /// What was counted last.
  private var last: Count

  /// The counts of a workout that is in phase `phase`, with `count` in it.
  init(rounds: [Count] = [], phase: Int = 0, count: Int = 0) {
    self.rounds = rounds
    last = Count(phase: phase, count: count)
  }

  /// What was counted in the running phase.
  func count(in phase: Int) -> Int { last.phase == phase ? last.count : 0 }

  /// Counts one more in the running phase: its number, and whether it ends the phase. Nil where the phase
  /// counts nothing, or has them all.
  mutating func add(to phase: Int, of timeline: Timeline) -> (number: Int, isLast: Bool)? {
    let content = timeline.entries[phase].phase
    var target = Self.maximumRounds
    if case .reps(let reps) = content.length.end { target = reps }
    let number = count(in: phase) + 1
    guard content.isCounted, number <= target else { return nil }
    last = Count(phase: phase, count: number)
    return (number, number == target && !content.countsRounds)
  }

  /// Keeps the rounds of a phase that ends. Nil where there are none.
  mutating func close(_ phase: Int, of timeline: Timeline) -> Count? {
    let total = Count(phase: phase, count: count(in: phase))
    guard timeline.entries[phase].phase.countsRounds, total.count > 0 else { return nil }
    rounds.append(total)
    return total
  }

  /// The workout moves to the start of a phase.
  mutating func move(to phase: Int) {
    last = Count(phase: phase, count: 0)
    rounds.removeAll { $0.phase >= phase }
  }
}
