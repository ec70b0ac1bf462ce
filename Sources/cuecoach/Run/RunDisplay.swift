import CueEngine
import IntervalTimeline

/// Shows a run to the person. Used by the main thread alone.
protocol RunDisplay: AnyObject {
  /// Brings what is shown up to date. Returns how long that stays right; nil: until something
  /// happens.
  func show(_ lanes: [LaneStatus], chosen: Int?) -> Duration?
  func phaseBegan(_ lane: LaneStatus)
  func obeyed(_ command: Command, _ lane: LaneStatus)
  func finished(_ lane: LaneStatus)
  func warn(_ message: String)
  /// The window has another size, or its contents are gone.
  func resized()
  /// The run is over and the terminal as it was.
  ///
  /// - Parameter areKept: what did not finish was interrupted and can be resumed.
  func end(_ lanes: [LaneStatus], areKept: Bool)
}

extension LaneStatus {
  /// "set 3 of 8", or nothing.
  var setText: String? { self.set.map { "set \($0)\(sets.map { " of \($0)" } ?? "")" } }

  /// Where it is: "set 3 of 8, Low, 0:12 left".
  var placeText: String {
    let left = phaseLeft.map { "\($0.leftText) left" }
    return [setText, label, left].compactMap { $0 }.joined(separator: ", ")
  }

  /// How the run went, in one line.
  ///
  /// - Parameter isKept: it was interrupted and can be resumed.
  func summary(isKept: Bool = false) -> String {
    let how = state == .finished ? "complete" : isKept ? "interrupted" : "stopped"
    let skips = skipped > 0 ? ", \(skipped) skipped" : ""
    let time = elapsed.passedText
    return "\(workout): \(how) after \(time), \(done) of \(phases) phases done\(skips)"
  }
}
