import CueEngine
import IntervalTimeline

/// Shows a run to the user. Used only by the main thread.
protocol RunDisplay: AnyObject {
  /// Updates the display. Returns how long it stays valid; nil: until something happens.
  func show(_ lanes: [LaneStatus], chosen: Int?) -> Duration?
  func phaseBegan(_ lane: LaneStatus)
  func obeyed(_ command: Command, _ lane: LaneStatus)
  func finished(_ lane: LaneStatus)
  func warn(_ message: String)
  /// Shows a question that is answered with a key; nil removes it.
  func ask(_ question: String?)
  /// The window has another size, or its contents are lost.
  func resized()
  /// The run is over, and the terminal is restored.
  ///
  /// - Parameter areKept: true if unfinished workouts were interrupted and can be resumed.
  func end(_ lanes: [LaneStatus], areKept: Bool)
}

extension LaneStatus {
  /// "set 3 of 8", or nothing.
  var setText: String? {
    self.set.map { phrases.screen(.set, ["set": "\($0)", "sets": "\(sets ?? $0)"]) }
  }

  /// "12 reps", if the phase has repetitions.
  var repsText: String? {
    guard let length, case .open(.reps) = length else { return nil }
    return phrases.length(length)
  }

  /// "4:00", "12 reps", "until next"; nil once the workout is over.
  var lengthText: String? {
    length.map { $0.duration?.clockText ?? repsText ?? phrases.screen(.untilNext) }
  }

  /// The position: "set 3 of 8, Low, 0:12 left".
  var placeText: String {
    let left = phaseLeft.map { phrases.screen(.left, ["time": $0.leftText]) }
    return [setText, label, left].compactMap { $0 }.joined(separator: ", ")
  }

  /// The result of the run, in one line.
  ///
  /// - Parameter isKept: true if it was interrupted and can be resumed.
  func summary(isKept: Bool = false) -> String {
    let how: ScreenKey = state == .finished ? .complete : isKept ? .interrupted : .stopped
    let parts = [
      phrases.screen(how, ["time": elapsed.passedText]),
      phrases.screen(.done, ["done": "\(done)", "phases": "\(phases)"]),
      skipped > 0 ? phrases.screen(.skipped, ["skipped": "\(skipped)"]) : nil,
    ]
    return "\(workout.shownName): " + parts.compactMap { $0 }.joined(separator: ", ")
  }
}
