import Dispatch
import IntervalTimeline

/// The timer and its check, on the queue.
extension CueEngine {
  /// The timer exists only while something runs. On the queue.
  func updateTimer() {
    updateActivity()
    let isNeeded = state.value.coach.needsChecks && !state.value.isShutDown
    if isNeeded, state.value.timer == nil {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      let interval = DispatchTimeInterval.nanoseconds(Int(settings.checkInterval.wholeNanoseconds))
      state.value.slept = sleepClock()
      state.value.checkedAt = clock()
      timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(20))
      timer.setEventHandler { [weak self] in self?.check() }
      state.value.timer = timer
      timer.activate()
    } else if !isNeeded, let timer = state.value.timer {
      timer.cancel()
      state.value.timer = nil
    }
  }

  /// Passes the output its activity. On the queue.
  private func updateActivity() {
    let activity = state.value.coach.activity
    guard activity != state.value.activity else { return }
    state.value.activity = activity
    output.setActivity(activity)
  }

  /// Runs the check at once, for tests on a clock of their own. Not from an `events` closure.
  package func checkNow() { wait { [self] in check() } }

  private func check() {
    guard !state.value.isShutDown else { return }
    let slept = sleepClock()
    let more = slept - state.value.slept
    state.value.slept = slept
    if let least = settings.pausedBySleep, more > least {
      state.value.coach.wakeUp(after: more, at: clock())
    }
    let now = clock()
    let gap = state.value.checkedAt.duration(to: now)
    state.value.checkedAt = now
    if state.value.coach.check(at: now, after: gap > settings.stall ? gap : nil) { output.wake() }
    beat?(now)
    updateTimer()
  }
}
