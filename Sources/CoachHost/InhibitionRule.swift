import IntervalTimeline

/// Whether the machine is to be kept awake: while a workout runs, and in pauses of up to ten minutes.
package struct InhibitionRule: Hashable, Sendable {
  /// Whether the machine is to be kept awake, and until when that holds.
  package struct Decision: Hashable, Sendable {
    /// True: keep it awake.
    package var isNeeded: Bool
    /// When the decision changes though nothing happens; nil: never.
    package var until: BootInstant?

    package init(isNeeded: Bool, until: BootInstant?) {
      self.isNeeded = isNeeded
      self.until = until
    }
  }

  package static let longestPause = Duration.seconds(600)

  /// Since when workouts have been paused and none has run.
  private var pausedSince: BootInstant?

  /// The rule before any workout runs.
  package init() {}

  /// The decision as of `now`; to be asked for whenever a state has changed, and at `Decision.until`.
  ///
  /// - Parameter states: of every lane.
  package mutating func decide(
    _ states: some Sequence<Transport.State>, at now: BootInstant
  ) -> Decision {
    var isPaused = false
    for state in states {
      switch state {
      case .running:
        pausedSince = nil
        return Decision(isNeeded: true, until: nil)
      case .paused: isPaused = true
      case .ready, .stopped, .finished: break
      }
    }
    guard isPaused else {
      pausedSince = nil
      return Decision(isNeeded: false, until: nil)
    }
    let since = pausedSince ?? now
    pausedSince = since
    let end = since + Self.longestPause
    return now < end ? Decision(isNeeded: true, until: end) : Decision(isNeeded: false, until: nil)
  }
}
