import IntervalTimeline

/// What comes into a workout from outside: signals, texts, and live values for texts.
extension LaneCommands {
  /// Passes a signal from outside, such as a sensor's, to one lane, or with nil to all at the same instant.
  /// It ends a running phase that is open until a signal of this name (`OpenEnd.signal`); where the phase
  /// has a shortest length, it ends when that has passed. Elsewhere, and in a pause, nothing changes.
  ///
  /// The name is not checked: for one that no running phase waits for the answer is `noEffect`, also for
  /// "Unknown Name", which no signal can have. A signal is never `refused`. A workout that waits for an impossible
  /// name is refused earlier, by `Timeline`.
  ///
  /// - Parameters:
  ///   - name: as in `OpenEnd.signal`.
  ///   - lane: nil: every lane whose phase waits for it.
  ///   - answer: called on the check queue: `done`; `noEffect` where no phase takes it now: with `paused` where one
  ///     waits for it in a pause, else with the state of the first lane; `unknownLane` where the lane has ended,
  ///     `noLane` where there is none at all, and `shutDown`. A signal without effect is not remembered.
  public func signal(
    _ name: String, to lane: LaneID? = nil,
    answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    signal(name, to: lane) { answer?($0.answer) }
  }

  /// The same; the result has the lanes that waited for this very signal.
  package func signal(
    _ name: String, to lane: LaneID? = nil, result: @escaping @Sendable (CommandResult) -> Void
  ) {
    let now = access.loop.clock()
    access.loop.perform(result) { $0.coach.signal(name, lane: lane, at: now) }
  }

  /// Says a text in a lane's voice, as soon as it has room beside everything that the workouts have to
  /// say; one that finds none within a minute is left out, and so is one where 8 others of the lane, or 32 of all
  /// lanes, have yet to be said. What `next` and `pause` withdraw is withdrawn with the rest.
  ///
  /// - Parameters:
  ///   - text: 500 characters at most, as they are: braces are plain characters.
  ///   - lane: in whose voice it is said.
  ///   - answer: called on the check queue: `noEffect` before the workout's start; `refused` for a longer text.
  public func say(
    _ text: String, in lane: LaneID, answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    access.loop.perform(answer) { [loop = access.loop] in
      $0.coach.say(Message(text), lane: lane, at: loop.clock())
    }
  }

  /// Says a message in a lane's voice, at an instant or as soon as there is room, by the same rules as
  /// everything that the coach says: nothing is said at the same time, a message is shortened, delayed or left
  /// out in favour of what comes first, and never cut into. At most 8 messages of a lane, 32 of all lanes, may be due
  /// and not yet said, and another 4 and 8 of `high` priority: a further one is `busy`.
  ///
  /// - Parameters:
  ///   - message: its wordings, its priority, and how long it may be delayed. `refused` without a wording, with
  ///     more than 100 or one of more than 500 characters, or with a patience below zero or above 24 h.
  ///   - lane: in whose voice it is said.
  ///   - instant: when its first sample is to be heard; nil, or in the past: as soon as possible. It may lie
  ///     any time ahead, also while the workout is paused; a workout that ends earlier drops it. At most 1000
  ///     messages may lie ahead in an engine.
  ///   - report: called once, on the check queue, when it is known what became of it.
  /// - Returns: what takes it back.
  @discardableResult
  public func say(
    _ message: Message, in lane: LaneID, at instant: BootInstant? = nil,
    report: @escaping @Sendable (MessageReport) -> Void
  ) -> MessageHandle {
    let handle = MessageHandle()
    say(message, in: lane, at: instant, as: handle, report: report)
    return handle
  }

  private func say(
    _ message: Message, in lane: LaneID, at instant: BootInstant?, as handle: MessageHandle,
    report: @escaping @Sendable (MessageReport) -> Void
  ) {
    let refuse: @Sendable (CommandAnswer) -> Void = { answer in
      if answer != .done { report(MessageReport(refused: answer, message)) }
    }
    access.loop.perform(refuse) { [loop = access.loop] in
      $0.coach.say(message, lane: lane, due: instant, at: loop.clock(), as: handle, report: report)
    }
  }

  /// The same, and waits until it is known what became of it. Cancelling the task withdraws the message.
  public func say(
    _ message: Message, in lane: LaneID, at instant: BootInstant? = nil
  ) async -> MessageReport {
    let handle = MessageHandle()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        say(message, in: lane, at: instant, as: handle) { waiting.resume(returning: $0) }
        // The handler may have been called before there was anything to withdraw.
        if Task.isCancelled { withdraw(handle) }
      }
    } onCancel: {
      withdraw(handle)
    }
  }

  /// Takes a message back that has not begun; its report is `withdrawn` then. What has begun is said to its end.
  public func withdraw(_ message: MessageHandle) {
    access.loop.perform(nil) { [loop = access.loop] in
      $0.coach.withdraw(message, at: loop.clock())
      return .done
    }
  }

  /// Sets a live value, which texts say by its name in braces: "{watts}". Words that are about to be said
  /// are worded anew as long as they have not begun: a value that is set 0.3 s before they are heard,
  /// plus the output's latency and the time it takes to render them, is in them.
  ///
  /// - Parameters:
  ///   - name: 1 to 40 of a–z, 0–9 and hyphens, from a letter; no variable of the coach.
  ///   - value: nil: there is none any more. A wording that says it is passed over for the next one then.
  ///   - lane: nil: every lane that has not ended.
  ///   - answer: called on the check queue: `done`; `unknownValue` where no text says it; `refused` for a name that
  ///     is none, for a text of more than `LiveValue.maximumText` characters, and for a lane's hundred and first
  ///     value; `unknownLane`, `noLane` or `shutDown`.
  public func setValue(
    _ name: String, to value: LiveValue?, in lane: LaneID? = nil,
    answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    access.loop.perform(answer) { [loop = access.loop] in
      $0.coach.setValue(name, to: value, lane: lane, at: loop.clock())
    }
  }
}
