/// What helps against failures of the radio, in order: another try at once, longer and longer rests, and last the
/// adapter switched off and on.
struct Remedies: Sendable {
  enum Remedy: Hashable, Sendable {
    case again
    case rest(Duration)
    case powerCycle
  }

  /// Interference passes: five tries in all (bleak #666, #1255).
  private static let tries = 5
  /// From the shortest to the longest rest.
  private static let rests = [2, 4, 8, 16, 30].map { Duration.seconds($0) }
  static var longestRest: Duration { rests[rests.count - 1] }

  private var failures = 0

  /// The remedy against one more failure. After the last one it begins again with the first.
  mutating func next() -> Remedy {
    failures += 1
    if failures < Self.tries { return .again }
    if failures - Self.tries < Self.rests.count { return .rest(Self.rests[failures - Self.tries]) }
    failures = 0
    return .powerCycle
  }

  /// The next of the rests alone; the longest one is repeated.
  mutating func nextRest() -> Duration {
    failures = min(failures + 1, Self.rests.count)
    return Self.rests[failures - 1]
  }

  /// It works.
  mutating func reset() { failures = 0 }
}
