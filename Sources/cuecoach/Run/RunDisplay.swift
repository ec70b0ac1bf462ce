import IntervalTimeline

/// Shows a run to the user. Used only by the main thread.
protocol RunDisplay: AnyObject {
  /// Updates the display. Returns how long it stays valid; nil: until something happens.
  func show(_ lanes: [ShownLane], chosen: Int?) -> Duration?
  func phaseBegan(_ lane: ShownLane)
  func obeyed(_ command: Command, _ lane: ShownLane)
  func finished(_ lane: ShownLane)
  func warn(_ message: String)
  /// Shows a question that is answered with a key; nil removes it.
  func ask(_ question: String?)
  /// The window has another size, or its contents are lost.
  func resized()
  /// The run is over, and the terminal is restored.
  ///
  /// - Parameter areKept: true if unfinished workouts were interrupted and can be resumed.
  func end(_ lanes: [ShownLane], areKept: Bool)
}
