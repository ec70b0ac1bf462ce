import IntervalTimeline

/// A block and its line in the file.
package struct PlacedBlock {
  package let block: Block
  package let steps: [PlacedStep]
  package let between: PlacedStep?
  /// The line of its number of sets; nil for a block without sets.
  package let setsLine: Int?

  package init(
    sets: (count: Int, line: Int)? = nil, numbering: Block.Numbering? = nil, _ steps: [PlacedStep],
    between: PlacedStep? = nil
  ) {
    block = Block(
      sets: sets?.count, numbering: numbering, steps: steps.map(\.step),
      between: between?.step.phase)
    self.steps = steps
    self.between = between
    setsLine = sets?.line
  }
}

/// A step of a block and its line in the file.
package struct PlacedStep {
  package var step: Block.Step
  /// The line of its kind.
  package let line: Int
  /// The lines of its texts.
  package var remarkLines: [Int]

  package init(_ step: Block.Step, line: Int, remarkLines: [Int] = []) {
    self.step = step
    self.line = line
    self.remarkLines = remarkLines
  }

  /// Adds a number that is said when it begins; `line` is that of the key that asks for it.
  mutating func say(_ number: Int, line: Int) {
    step.phase.remarks.insert(Remark(Template(plain: String(number)), at: .fromStart(.zero)), at: 0)
    remarkLines.insert(line, at: 0)
  }
}

/// Checks that a workout's phases, counted through all sets, fit into a timeline.
///
/// It multiplies, so that a workout that would not fit is never laid out.
package struct PresetTotals {
  private var phases = 0
  private var length = Duration.zero

  package static func check(_ blocks: [PlacedBlock]) throws(FileFault) {
    var totals = PresetTotals()
    for placed in blocks {
      let block = placed.block
      let sets = block.sets ?? 1
      for (index, step) in block.steps.enumerated() {
        let line = placed.setsLine ?? placed.steps[index].line
        try totals.add(step.phase, times: step.skippedInLastSet ? sets - 1 : sets, line: line)
      }
      if let between = block.between {
        try totals.add(between, times: sets - 1, line: placed.setsLine)
      }
    }
  }

  /// Checked after each step, so that the sums stay far below an overflow.
  private mutating func add(_ phase: Phase, times: Int, line: Int?) throws(FileFault) {
    phases += times
    guard phases <= Timeline.maximumPhaseCount else {
      throw FileFault.tooManyPhases(line: line)
    }
    length += (phase.length.duration ?? .zero) * times
    guard length <= Timeline.maximumLength else {
      throw FileFault(
        line: line, "more than 24 h in all, every set counted", expected: "at most 24 h")
    }
  }
}
