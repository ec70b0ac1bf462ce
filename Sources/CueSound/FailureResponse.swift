/// What is done about a step that failed. Pure: it follows from the failure and from what the step was for.
enum FailureResponse: BitwiseCopyable {
  /// The query goes on without a position.
  case queryWithoutPosition
  /// The map begins anew without a position.
  case relockWithoutPosition
  /// The device takes no more frames for now.
  case full
  /// The device still sleeps and is asked again.
  case askAgain
  /// The device is tried again at the next turn.
  case tryAgain
  /// What was queued is lost, and the device is made ready anew.
  case restart
  /// After an underrun more is queued, and the device is made ready anew.
  case refill
  /// The device slept with this many frames in its own buffer, where it says so, and is to wake up.
  case wake(queued: Frames?)
  case giveUp(DeviceFailure)

  /// - Parameters:
  ///   - stage: what the step was for.
  ///   - machineSlept: the machine has slept since the turn before.
  init(
    to failure: DeviceFailure, in stage: OutputStage, of device: OpenDevice, machineSlept: Bool,
    at now: BootInstant
  ) {
    let isWaking =
      switch stage {
      case .resuming: true
      case .relocking: device.phase == .recovering
      default: false
      }
    self =
      switch (stage, failure) {
      case (.looking, .noTiming): .queryWithoutPosition
      case (.relocking, .noTiming): .relockWithoutPosition
      case (.filling, .again), (.priming, .again), (.refilling, .again): .full
      case (_, .again) where isWaking && device.mayWakeUp: .askAgain
      // A device that cannot resume loses what it had queued.
      case _ where isWaking: .restart
      case _ where device.phase != .playing: .giveUp(failure)
      // Where another program has started dmix again already, dmix says so, and what was queued is lost.
      case (_, .xrun): machineSlept ? .restart : .refill
      case (_, .suspended(let queued)): .wake(queued: queued)
      // Some devices that are lost never report it.
      case (_, .again), (_, .noTiming): device.watch.isStill(at: now) ? .giveUp(.stuck) : .tryAgain
      case (_, .stuck), (_, .lost): .giveUp(failure)
      }
  }
}
