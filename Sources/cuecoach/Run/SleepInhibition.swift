import CoachHost
import CueEngine
import Dispatch
import IntervalTimeline
import Synchronization
import SystemdLink

/// Keeps the machine awake while a host's workouts run.
final class SleepInhibition: Sendable {
  private struct State {
    var rule = InhibitionRule()
    var subscription: Subscription?
    /// Raised by each look, so that only the latest timer counts.
    var looks = 0
  }

  private let host: CoachHost
  private let inhibitor: SleepInhibitor
  /// logind is asked here: a subscriber must not wait for it.
  private let queue = DispatchQueue(label: "cuecoach.inhibition")
  /// Protects the state; never held while the host is asked.
  private let state = Mutex(State())

  /// - Parameter report: called with one line where logind refuses.
  init(of host: CoachHost, report: @escaping @Sendable (String) -> Void) {
    self.host = host
    inhibitor = SleepInhibitor(report: report)
    let subscription = host.subscribe { [weak self] event in
      if event.changesWhatRuns { self?.lookSoon() }
    }
    state.withLock { $0.subscription = subscription }
    // Workouts may run already.
    lookSoon()
  }

  /// Ends the inhibition. Returns at once.
  func end() {
    state.withLock { state in
      state.subscription = nil
      state.looks += 1
    }
    queue.async { [inhibitor] in inhibitor.set(false, reason: "") }
  }

  private func lookSoon() {
    host.statuses { [weak self, queue] lanes in queue.async { [weak self] in self?.look(lanes) } }
  }

  private func look(_ lanes: [LaneStatus]) {
    let now = BootClock.now()
    let (decision, number) = state.withLock { state in
      state.looks += 1
      // What ends does not begin again.
      guard state.subscription != nil else { return (InhibitionRule.Decision?.none, state.looks) }
      return (state.rule.decide(lanes.map(\.state), at: now), state.looks)
    }
    guard let decision else { return }
    inhibitor.set(decision.isNeeded, reason: "a workout is running")
    guard let until = decision.until else { return }
    let wait = DispatchTimeInterval.nanoseconds(Int(now.duration(to: until).wholeNanoseconds))
    queue.asyncAfter(deadline: .now() + wait) { [weak self] in
      guard let self, self.state.withLock({ $0.looks == number }) else { return }
      self.lookSoon()
    }
  }
}

extension HostEvent {
  fileprivate var changesWhatRuns: Bool {
    switch self {
    case .engine(.phaseBegan), .engine(.obeyed), .engine(.finished), .engine(.ended),
      .engine(.slept):
      true
    default: false
    }
  }
}
