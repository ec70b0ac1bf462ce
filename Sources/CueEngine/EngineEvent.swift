import CueSound
import IntervalTimeline

/// What a running engine reports to its owner, on the check queue.
public indirect enum EngineEvent: Sendable {
  /// A lane was added; it waits for its start.
  case added(LaneStatus)
  /// A phase began, in time or by a command: the lane as of that instant. One that began in time is reported
  /// by the check that finds it, up to `CueEngine.Settings.checkInterval` later; what is to be in step with it
  /// counts from `LaneStatus.phaseEndsAt`.
  case phaseBegan(LaneStatus)
  /// A command took effect: the lane as of the command's instant. For `start` that is workout time zero,
  /// which may lie ahead.
  case obeyed(Command, LaneStatus)
  /// An interrupted lane continues, or is paused where it was: the lane as of that instant, and the phases that began
  /// and ended while its program was away. `phaseBegan` reports none of those.
  case restored(LaneStatus, passed: Range<Int>)
  /// A signal ended the running phase, or will end it when its shortest length has passed. The status is that
  /// of the next phase in the first case, before its `phaseBegan`; else of the running one, whose
  /// `isEndDecided` is true.
  case signalled(String, LaneStatus)
  /// The last phase ended. Its last sounds and words follow, and then `ended`.
  case finished(LaneStatus)
  /// The question whether to stop will have been heard by then. Reported again when it moves.
  case asked(until: BootInstant)
  /// Nothing more will be heard of the lane, and the engine has removed it: its last status, and the record
  /// to be saved.
  case ended(LaneStatus, SessionRecord)
  /// The device is lost, or the output has taken no command for 5 s (`SoundOutputError.Kind.stuck`); the
  /// workout continues.
  case deviceLost(SoundOutputError)
  /// The device that was lost plays again, or the output takes commands again.
  case deviceRecovered
  /// An underrun: the sound was interrupted for a moment.
  case xrun
  /// The machine slept for that long; running workouts are paused where the sleep began.
  case slept(Duration)
  /// The program did not run for that long, because the machine slept or the process was stopped. The
  /// workouts went on, and each says where it is.
  case stalled(Duration)
  /// The sound thread has no real-time priority here.
  case notRealtime
  /// The master volume was set: a linear gain, 0…1.
  case volumeChanged(Float)
  /// A text could not be spoken; the workout continues with its sounds. Reported for each check in which
  /// that happened.
  case speechFailed(SpeechError)
  /// The value that the running phase's target is about has changed (`WorkoutStatus.target`), or is not known any more:
  /// at most once a second for a lane.
  case targetChanged(LaneStatus)
  /// Only in `CueEngine.events`: its reader did not keep up, and so many events before the next one are
  /// omitted.
  case omitted(Int)
}

extension EngineEvent: CustomStringConvertible {
  /// One line for a log, in English: the event's name, and where its lane was then: "phaseBegan(anna: running at
  /// 0:30, Rest, phase 2 of 16, set 1 of 8, 0:10 left)".
  public var description: String {
    switch self {
    case .added(let status): "added(\(status))"
    case .phaseBegan(let status): "phaseBegan(\(status))"
    case .obeyed(let command, let status): "obeyed(\(command.rawValue), \(status))"
    case .restored(let status, _): "restored(\(status))"
    case .signalled(let name, let status): "signalled(\(name), \(status))"
    case .finished(let status): "finished(\(status))"
    case .asked(let until): "asked(until: \(until.nanoseconds) ns)"
    case .ended(let status, _): "ended(\(status))"
    case .deviceLost(let error): "deviceLost(\(error))"
    case .deviceRecovered: "deviceRecovered"
    case .xrun: "xrun"
    case .slept(let time): "slept(\(time))"
    case .stalled(let time): "stalled(\(time))"
    case .notRealtime: "notRealtime"
    case .targetChanged(let status): "targetChanged(\(status))"
    case .volumeChanged(let gain): "volumeChanged(\(gain))"
    case .speechFailed(let error): "speechFailed(\(error))"
    case .omitted(let count): "omitted(\(count))"
    }
  }
}
