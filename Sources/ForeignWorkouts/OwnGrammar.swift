import IntervalTimeline

extension Workout {
  /// Without what no other program's file has: send-offs become rests of a fixed length.
  ///
  /// - Parameter keepsFacts: the format has a description, an author and tags.
  func withoutWhatOthersLack(keepsFacts: Bool, _ losses: inout ConversionWarnings) -> Workout {
    var workout = self
    if note != nil || link != nil { losses.note("notes and links are not kept") }
    if !keepsFacts, !facts.isEmpty { losses.note("what it says of itself is not kept") }
    for block in blocks.indices {
      for step in blocks[block].steps.indices {
        let phase = blocks[block].steps[step].phase
        if phase.note != nil || phase.link != nil { losses.note("notes and links are not kept") }
        if phase.total != nil { losses.note("rounds are not counted") }
        if phase.isSurprise { losses.note("surprises are phases like any other") }
        guard case .open(.sendOff(let time), _) = phase.length else { continue }
        losses.note("a send-off is a rest of a fixed length after a phase of one")
        let before = step > 0 ? blocks[block].steps[step - 1].phase.length.usual : .zero
        let length = min(before, time - Self.shortestRest)
        guard length > .zero else { continue }
        workout.blocks[block].steps[step - 1].phase.length = .fixed(length)
        workout.blocks[block].steps[step].phase.length = .fixed(time - length)
      }
    }
    return workout
  }

  private static let shortestRest = Duration.seconds(1)
}

extension PhaseLength {
  /// About how long it lasts, or at most; a minute where nobody knows.
  fileprivate var usual: Duration { about ?? duration ?? .seconds(60) }
}
