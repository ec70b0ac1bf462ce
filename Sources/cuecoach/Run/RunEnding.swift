/// Which workouts of a run have been stopped, and how long the run then waits: a driver may hang.
struct RunEnding {
  /// How often it is looked whether the last words are over.
  static let check = Duration.milliseconds(50)

  private let lanes: Int
  /// How far these came may still be told.
  private(set) var stopped: Set<Int> = []
  private var deadline: ContinuousClock.Instant?

  init(lanes: Int) { self.lanes = lanes }

  /// Until the run ends whatever still sounds; nil until all workouts have been stopped.
  var timeLeft: Duration? {
    deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
  }
  var isGivenUp: Bool { timeLeft == .zero }

  /// - Parameter isTold: whether it is said how far the last one came.
  mutating func stop(_ some: [Int], isTold: Bool = true) {
    stopped.formUnion(some)
    guard stopped.count == lanes else { return }
    let end = ContinuousClock.now + .seconds(isTold ? 10 : 2)
    deadline = deadline.map { min($0, end) } ?? end
  }
}
