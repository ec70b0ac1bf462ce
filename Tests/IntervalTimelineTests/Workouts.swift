import IntervalTimeline
import TestSupport

extension Workout {
  /// One block whose steps say to which set each belongs.
  static func marked(_ sets: [Int?]) -> Workout {
    Workout(
      name: "Test",
      blocks: [
        Block(
          numbering: .marked,
          steps: sets.map { Block.Step(Phase(.work, .fixed(.seconds(1))), set: $0) })
      ])
  }

  static let peakRush = sets(12, [(.low, 30), (.high, 30)])

  /// Two exercises, each of reps and a rest; then an open rest, and a fixed end.
  static let strength = Workout(
    name: "Strength",
    blocks: [
      Block(
        sets: 2,
        steps: [
          Block.Step(Phase(.work, .open(.reps(12)), name: "Push-ups")),
          Block.Step(Phase(.rest, .fixed(.seconds(20)))),
        ]),
      Block(steps: [Block.Step(Phase(.rest, .open(.untilNext)))]),
      Block(steps: [Block.Step(Phase(.cooldown, .fixed(.seconds(60))))]),
    ])
}

/// When a test begins.
let begin = BootInstant(nanoseconds: 1_000_000_000_000)

/// So many seconds later.
func at(_ seconds: Double) -> BootInstant { begin + .milliseconds(Int(seconds * 1000)) }

extension Session {
  /// What its checks each half second come to.
  mutating func check(from first: Double = 0, to last: Double) -> [SessionEffect] {
    stride(from: first, through: last, by: 0.5).flatMap { check(at: at($0)) }
  }
}
