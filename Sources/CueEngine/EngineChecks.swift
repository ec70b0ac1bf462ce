import Dispatch
import IntervalTimeline

/// The timer and its check, on the queue.
extension CueEngine {
  /// The timer exists only while something runs. On the queue.
  func updateTimer() {
    updateActivity()
    let isNeeded = state.value.coach.needsChecks && !state.value.isShutDown
    if isNeeded, !state.value.isChecking {
      state.value.isChecking = true
      state.value.slept = sleepClock()
      state.value.checkedAt = clock()
      if settings.checksByItself { startTimer() }
    } else if !isNeeded {
      state.value.isChecking = false
      state.value.timer?.cancel()
      state.value.timer = nil
    }
  }

  private func startTimer() {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let interval = DispatchTimeInterval.nanoseconds(Int(settings.checkInterval.wholeNanoseconds))
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(20))
    timer.setEventHandler { [weak self] in self?.check() }
    state.value.timer = timer
    timer.activate()
  }

  /// Passes the output its activity. On the queue.
  private func updateActivity() {
    let activity = state.value.coach.activity
    guard activity != state.value.activity else { return }
    state.value.activity = activity
    output.setActivity(activity)
  }

  /// Runs the check now, for a test that advances the clock given to the initialiser, with
  /// `Settings.checksByItself` false: call it every `Settings.checkInterval` of that clock. Blocks until it is
  /// done. Not from the closures given to the initialiser.
  public func checkNow() { wait { [self] in check() } }

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

  func checkSoon() {
    guard settings.checksByItself else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in
      guard !state.value.isShutDown else { return }
      state.value.coach.check(at: clock())
      updateTimer()
    }
  }
}
