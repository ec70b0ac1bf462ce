/// A workout of equal sets that somebody asks for by its numbers. What is decoded is checked by `mistake`.
package struct QuickTimer: Hashable, Codable, Sendable {
  package var sets: Int
  /// Seconds.
  package var work: Int
  /// Seconds between two sets; 0: none.
  package var rest: Int
  /// Seconds before the first set; 0: none. Nil: 10.
  package var prepare: Int?

  package init(sets: Int, work: Int, rest: Int, prepare: Int? = nil) {
    (self.sets, self.work, self.rest, self.prepare) = (sets, work, rest, prepare)
  }

  /// Its keys.
  package static let names = ["sets", "work", "rest", "prepare"]

  /// Which number is none that it takes: "work 0: expected a whole number from 1 to 3600". Nil where all are.
  package var mistake: String? {
    let numbers = [
      ("sets", sets, 1...99), ("work", work, 1...3600), ("rest", rest, 0...3600),
      ("prepare", prepare ?? 0, 0...60),
    ]
    if let (name, number, range) = numbers.first(where: { !$0.2.contains($0.1) }) {
      return
        "\(name) \(number): expected a whole number from \(range.lowerBound) to \(range.upperBound)"
    }
    return (prepare ?? 10) + sets * work + (sets - 1) * rest <= 24 * 3600
      ? nil : "sets \(sets): expected at most 24 hours in all"
  }

  /// The same as a workout. Its name is its numbers, "8 × 0:30 / 0:15", which every language reads.
  package var workout: Workout {
    let (work, rest) = (Duration.seconds(work), Duration.seconds(rest))
    let prepare = Duration.seconds(prepare ?? 10)
    let times = [work, rest].filter { $0 > .zero }.map(\.clockText)
    let sets = Block(
      sets: sets, steps: [Block.Step(Phase(.work, .fixed(work)))],
      between: rest > .zero ? Phase(.rest, .fixed(rest)) : nil)
    let lead = Block(steps: [Block.Step(Phase(.prepare, .fixed(prepare)))])
    return Workout(
      name: "\(self.sets) × \(times.joined(separator: " / "))",
      blocks: prepare > .zero ? [lead, sets] : [sets])
  }
}
