import Instants

/// Where a phase is: its time without the pauses.
struct PhaseClock: Sendable {
  private let began: BootInstant
  /// The phase's beginning, or the end of the last pause.
  private(set) var started: BootInstant
  private var pauses = Duration.zero
  private var paused: BootInstant?

  init(beganAt instant: BootInstant) {
    began = instant
    started = instant
  }

  var isPaused: Bool { paused != nil }

  mutating func pause(at now: BootInstant) {
    paused = paused ?? now
  }

  mutating func resume(at now: BootInstant) {
    guard let paused else { return }
    pauses += now - paused
    started = now
    self.paused = nil
  }

  /// The phase's time at an instant since the last pause.
  func time(at instant: BootInstant) -> Duration {
    max(.zero, min(instant, paused ?? instant) - began - pauses)
  }
}
