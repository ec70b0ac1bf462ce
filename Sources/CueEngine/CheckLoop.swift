import CueSound
import Dispatch

/// The queue on which a coach works: whatever it is asked to do, words that have been rendered, and the check, which a
/// timer makes while something runs.
final class CheckLoop: Sendable {
  private let settings: CueEngine.Settings
  let output: any SoundOutput
  let clock: @Sendable () -> BootInstant
  private let sleepClock: @Sendable () -> Duration
  private let beat: (@Sendable (BootInstant) -> Void)?
  // Without a QoS, like every queue of the program: on Linux libdispatch asks for a priority by QoS, which an
  // ordinary user may not raise. A thread also inherits the priority of the one that starts it, so a queue
  // with a low QoS would slow down the check.
  let queue = DispatchQueue(label: "cuecoach.check")
  let mark: QueueMark
  let state: QueueConfined<EngineState>

  /// - Parameters: as of an engine.
  init(
    _ coach: Coach, _ output: any SoundOutput, _ settings: CueEngine.Settings,
    clock: @escaping @Sendable () -> BootInstant, sleepClock: @escaping @Sendable () -> Duration,
    beat: (@Sendable (BootInstant) -> Void)?
  ) {
    self.output = output
    self.settings = settings
    self.clock = SteadyClock(clock).now
    self.sleepClock = sleepClock
    self.beat = beat
    mark = QueueMark(queue)
    state = QueueConfined(EngineState(coach: coach), to: queue)
    guard settings.waitsForWords else { return }
    queue.sync {
      state.value.coach.withPerformer {
        $0.waitForWords { [weak self] in self?.announceWaiting($0) }
      }
    }
  }

  /// Runs `body` on the check queue and waits for it.
  func wait<Result: Sendable>(_ body: @Sendable () -> Result) -> Result {
    // Not a precondition, which says nothing in a release build.
    guard !mark.isOnQueue else {
      fatalError(
        "this method of CueEngine waits for the check queue: it cannot be called from a closure that "
          + "runs there, such as those given to the initialiser and the answers to commands")
    }
    return queue.sync(execute: body)
  }

  /// Gives the coach something to do, on the check queue, and answers; after `shutDown` only that.
  func perform(
    _ answer: (@Sendable (CommandAnswer) -> Void)?,
    _ body: @escaping @Sendable (inout EngineState) -> CommandAnswer
  ) {
    let full: @Sendable (CommandResult) -> Void = { answer?($0.answer) }
    perform(full) { CommandResult(answer: body(&$0)) }
  }

  func perform(
    _ answer: @escaping @Sendable (CommandResult) -> Void,
    _ body: @escaping @Sendable (inout EngineState) -> CommandResult
  ) {
    queue.async { [self] in
      guard !state.value.isShutDown else { return answer(CommandResult(answer: .shutDown)) }
      let result = body(&state.value)
      output.wake()
      updateTimer()
      answer(result)
    }
  }

  /// Words that were awaited have been rendered.
  private func announceWaiting(_ number: Int) {
    queue.async { [self] in
      state.value.rendered.append(number)
      if state.value.rendered.count == 1 { announceRendered() }
    }
  }

  /// How long words are announced before a check or a command has its turn.
  private static let turn = Duration.milliseconds(20)

  /// Announces words that have been rendered, those first that are needed first. What is left of many is announced
  /// after whatever waits for the queue. On the queue.
  private func announceRendered() {
    guard !state.value.isShutDown else { return }
    let end = clock() + Self.turn
    repeat {
      guard let next = state.value.coach.performer.mostUrgent(of: state.value.rendered) else {
        break
      }
      state.value.coach.withPerformer { $0.announceWaiting(next, at: clock()) }
      state.value.rendered.removeAll { $0 == next }
    } while clock() < end
    output.wake()
    updateTimer()
    if !state.value.rendered.isEmpty { queue.async { [self] in announceRendered() } }
  }

  /// No check and no command follows. False where that was so before. On the queue.
  @discardableResult
  func end() -> Bool {
    guard !state.value.isShutDown else { return false }
    state.value.timer?.cancel()
    state.value.timer = nil
    state.value.shutDownAt = clock()
    return true
  }

  /// The output has stopped: what was still to be heard is in the ledger as withdrawn. On the queue.
  func close() {
    state.value.coach.withPerformer { $0.closeMixerClient() }
    state.value.coach.withdrawMessages()
  }

  // MARK: The timer and its check, on the queue

  /// The timer exists only while something runs. On the queue.
  func updateTimer() {
    updateActivity()
    let isNeeded = state.value.needsChecks
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

  func check() {
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
