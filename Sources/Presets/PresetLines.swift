import IntervalTimeline

/// A preset's workout, and the lines of its phases in the file.
package struct PresetDocument: Hashable, Sendable {
  package let workout: Workout
  package let lines: PresetLines
  /// What is other than in the file, one sentence for each kind of it.
  package let reports: [Sentence]
  /// What a preset that is written from the workout no longer has, one sentence for each kind of it.
  package let writtenOut: [Sentence]

  package init(
    workout: Workout, lines: PresetLines, reports: [Sentence], writtenOut: [Sentence] = []
  ) {
    self.workout = workout
    self.lines = lines
    self.reports = reports
    self.writtenOut = writtenOut
  }
}

/// The lines of a preset's phases and of their texts, from 1.
///
/// Blocks and steps are numbered from 0, as in the workout. A nil step is the phase between two
/// sets, as in `Timeline.Entry.step`.
package struct PresetLines: Hashable, Sendable {
  private struct Lines: Hashable {
    let steps: [Int]
    let remarks: [[Int]]
    let between: Int?
  }

  private let blocks: [Lines]

  package init(_ blocks: [PlacedBlock]) {
    self.blocks = blocks.map { placed in
      Lines(
        steps: placed.steps.map(\.line), remarks: placed.steps.map(\.remarkLines),
        between: placed.between?.line)
    }
  }

  /// The line of a phase's kind; nil if there is no such phase.
  package func line(block: Int, step: Int?) -> Int? {
    guard blocks.indices.contains(block) else { return nil }
    guard let step else { return blocks[block].between }
    return blocks[block].steps.indices.contains(step) ? blocks[block].steps[step] : nil
  }

  /// The line of the text with index `remark` in `Phase.remarks`; nil if there is none.
  package func line(ofRemark remark: Int, block: Int, step: Int?) -> Int? {
    guard let step, line(block: block, step: step) != nil else { return nil }
    let lines = blocks[block].remarks[step]
    return lines.indices.contains(remark) ? lines[remark] : nil
  }
}
