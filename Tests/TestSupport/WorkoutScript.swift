import IntervalTimeline

/// Workouts in few words.
package protocol WorkoutScript {}

extension WorkoutScript {
  package func phase(
    _ kind: PhaseKind, _ seconds: Int, _ remarks: [(Int, Template)] = []
  ) -> Block.Step {
    .init(
      Phase(
        kind, .fixed(.seconds(seconds)),
        remarks: remarks.map { Remark($0.1, at: .fromStart(.seconds($0.0))) }))
  }

  package func workout(sets: Int? = nil, _ steps: [Block.Step]) -> Workout {
    Workout(name: "Test", blocks: [Block(sets: sets, steps: steps)])
  }
}

extension CuePlan {
  /// For tests of everything else: phases are not announced, and half of a short phase is announced.
  package static let plain: CuePlan = {
    var plan = CuePlan()
    plan.tells = false
    plan.halfwayFrom = .seconds(40)
    return plan
  }()
}

extension Workout {
  /// One block of these phases.
  package init(_ name: String, sets: Int? = nil, _ phases: [Phase], between: Phase? = nil) {
    self.init(
      name: name,
      blocks: [Block(sets: sets, steps: phases.map { Block.Step($0) }, between: between)])
  }

  /// The same with phases of whole seconds.
  package static func sets(
    _ count: Int?, _ phases: [(PhaseKind, Int)], between: Phase? = nil
  ) -> Workout {
    Workout(
      "Test", sets: count, phases.map { Phase($0.0, .fixed(.seconds($0.1))) }, between: between)
  }
}
