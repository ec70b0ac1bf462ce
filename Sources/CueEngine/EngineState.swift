import CueSound
import Dispatch

/// What an engine's check queue works with.
struct EngineState {
  var coach: Coach
  /// While checks are needed, unless the engine's holder makes them.
  var timer: (any DispatchSourceTimer)?
  /// Whether checks are needed: something runs or is still to be heard.
  var isChecking = false
  var activity = OutputActivity.idle
  /// When `shutDown` was called; what is asked afterwards is as of then.
  var shutDownAt: BootInstant?
  /// When `prepare` was last called.
  var preparedAt: BootInstant?
  /// When it opened the output; nil while the output may be closed.
  var openedAt: BootInstant?
  /// How long the machine has slept since it booted, at the last check.
  var slept = Duration.zero
  /// The instant of the last check, or of the timer's start.
  var checkedAt = BootInstant.never

  /// Words that were awaited and have been rendered, by the number of their rendering.
  var rendered: [Int] = []

  var isShutDown: Bool { shutDownAt != nil }

  /// True while the check has something to do.
  var needsChecks: Bool {
    (coach.isRunning || !coach.performer.messages.isEmpty) && !isShutDown
  }

  /// The instant as of which states are given: time ends with `shutDown`.
  func instant(at now: BootInstant) -> BootInstant { shutDownAt ?? now }

  /// Follows whether the output is open: a start needs less time then.
  mutating func note(_ event: OutputEvent, at clock: () -> BootInstant) {
    switch event {
    case .plays: openedAt = openedAt ?? clock()
    case .closed: openedAt = nil
    case .lost, .notRealtime: break
    }
  }

  /// A machine that takes longer to get ready is slow, or busy.
  private static let quickPreparation = Duration.milliseconds(12)

  /// Workout time zero for a start command given at `now`: by then the device has been opened and has
  /// played what it had queued.
  func start(at now: BootInstant) -> BootInstant {
    let settings = coach.settings
    guard let openedAt, let preparedAt else {
      return now + settings.startLead
    }
    if let minimumLeadTime = coach.performer.mixerClient.minimumLeadTime,
      settings.startLead <= CueEngine.Settings().startLead
    {
      // On a machine that took long to get here, the first sound takes long too; and longer still where
      // one processor saves the session and plans the cue at the same time.
      let preparation = preparedAt.duration(to: now)
      let halves = preparation < Self.quickPreparation ? 3 : 4
      return now + min(settings.startLead, minimumLeadTime + preparation * halves / 2)
    }
    let least = min(settings.startLead, CueEngine.Settings().startLead + settings.outputLatency)
    return max(now + least, openedAt + settings.startLead)
  }
}

extension OutputEvent {
  /// Whether an attempt to open the output has ended.
  var isOfOpening: Bool {
    switch self {
    case .plays, .lost: true
    case .closed, .notRealtime: false
    }
  }
}
