import IntervalTimeline

/// What may be asked of lanes: of those of an engine, or of a host, which runs one.
///
/// Any thread. A form with a closure returns at once. A form for callers that run in a task returns what became of the
/// command, blocks no thread and may be used anywhere, also in a task begun in one of the engine's closures;
/// cancelling the task withdraws no command, but it does withdraw a message (`say`). After `shutDown` commands are
/// answered with `shutDown`.
public protocol LaneCommands: Sendable {
  /// What the commands go through; it has nothing for a caller.
  var access: LaneAccess { get }
}

/// The check queue of an engine, for `LaneCommands` alone.
public struct LaneAccess: Sendable {
  let loop: CheckLoop
  let feed: EngineFeed

  func send(
    _ command: Command, toEach some: [LaneID]?, at start: BootInstant? = nil,
    result: @escaping @Sendable (CommandResult) -> Void
  ) {
    let now = loop.clock()
    loop.perform(result) { [self] state in
      let instant = command == .start ? max(start ?? now, state.start(at: now)) : now
      // The audio thread soon reports what becomes of the withdrawn cues.
      if command == .stop { loop.checkSoon() }
      return state.coach.handle(command, lanes: some ?? state.coach.lanes.ids, at: instant)
    }
  }

  /// Nil where the lane has ended; after `shutDown` as it was then. On the queue.
  func status(of lane: LaneID) -> LaneStatus? {
    let state = loop.state.value
    return state.coach.lanes.contains(lane)
      ? state.coach.lanes.status(of: lane, at: state.instant(at: loop.clock())) : nil
  }

  /// Of every lane that has not ended, as of one instant. On the queue.
  var statuses: [LaneStatus] {
    let state = loop.state.value
    let now = state.instant(at: loop.clock())
    return state.coach.lanes.ids.map { state.coach.lanes.status(of: $0, at: now) }
  }
}

extension LaneCommands {
  /// Gives a command to one lane, or with nil to all at the same instant. The instant is that of
  /// the call; the effect follows on the check queue.
  ///
  /// - Parameters:
  ///   - command: what is to be done.
  ///   - lane: nil: every lane that has not ended.
  ///   - answer: called on the check queue when the command has been handled.
  public func send(
    _ command: Command, to lane: LaneID? = nil,
    answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    send(command, to: lane) { answer?($0.answer) }
  }

  /// The same; the result has the lanes that obeyed.
  package func send(
    _ command: Command, to lane: LaneID? = nil, result: @escaping @Sendable (CommandResult) -> Void
  ) {
    access.send(command, toEach: lane.map { [$0] }, result: result)
  }

  /// Gives a command to some lanes at the same instant.
  ///
  /// - Parameters:
  ///   - command: what is to be done.
  ///   - lanes: those that have ended are passed over.
  ///   - answer: called on the check queue when the command has been handled.
  public func send(
    _ command: Command, to lanes: [LaneID], answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    access.send(command, toEach: lanes) { answer?($0.answer) }
  }

  /// Sets the master volume of all lanes, within 20 ms and without a click.
  ///
  /// - Parameters:
  ///   - gain: linear, clamped to 0…1. 1 is the full volume of the output, which is not changed.
  ///   - answer: called on the check queue: `done`, or `refused` for what is no number.
  public func setVolume(
    _ gain: Float, answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    access.loop.perform(answer) { state in
      guard !gain.isNaN else { return .refused("a volume that is no number") }
      state.coach.setVolume(gain)
      return .done
    }
  }

  /// The master volume, a linear gain of 0…1; 1 at first. Blocks until the check queue is free. Not
  /// from an `events` closure.
  public var volume: Float {
    access.loop.wait { [access] in access.loop.state.value.coach.volume }
  }

  /// Withdraws the question whether to stop, if it has not been asked yet.
  /// Any thread; returns at once.
  package func withdrawQuestion() {
    access.loop.perform(nil) { [loop = access.loop] in
      $0.coach.withPerformer { $0.withdrawQuestion(at: loop.clock()) }
      return .done
    }
  }

  /// Ends what is said of workouts that have been stopped: somebody wants to go on. Any command does that too.
  /// Any thread; returns at once.
  package func withdrawFarewells() {
    access.loop.perform(nil) { [loop = access.loop] in
      $0.coach.withPerformer { $0.withdrawFarewells(at: loop.clock()) }
      return .done
    }
  }
}
