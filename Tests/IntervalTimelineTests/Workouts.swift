import IntervalTimeline

extension Workout {
  /// One block of sets; phases as kinds and whole seconds.
  static func sets(
    _ count: Int?, _ phases: [(PhaseKind, Int)], between: Phase? = nil
  ) -> Workout {
    Workout(
      name: "Test",
      blocks: [
        Block(
          sets: count,
          steps: phases.map { Block.Step(Phase($0.0, .fixed(.seconds($0.1)))) },
          between: between)
      ])
  }

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

/// A reproducible random generator (SplitMix64, Steele et al. 2014).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
