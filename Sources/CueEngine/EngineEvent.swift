import CueSound
import IntervalTimeline

/// What a running engine tells its owner, on the check queue.
public enum EngineEvent: Sendable {
  case phaseBegan(LaneStatus)
  case obeyed(Command, LaneStatus)
  case finished(LaneStatus)
  /// The question whether to stop will have been heard by then; again where it is moved.
  case asked(until: BootInstant)
  /// Nothing more will be heard of the lane, and the engine has removed it: how it stood, and what
  /// is to be kept of it.
  case ended(LaneStatus, SessionRecord)
  /// The device is lost; the workout goes on.
  case deviceLost(SoundOutputError)
  case deviceBack
  /// The device ran dry: the sound was interrupted for a moment.
  case stumbled
  /// The machine slept so long, and what ran is paused where that began.
  case slept(Duration)
  /// Nothing ran here for so long, the machine asleep or the program stopped; the timers kept
  /// running, and each workout says where it is.
  case stalled(Duration)
  /// The sound thread has no real-time priority here.
  case notRealtime
  /// The master volume was set: a linear gain, 0…1.
  case volumeChanged(Float)
  /// A text could not be spoken; the workout goes on with its sounds.
  case speechFailed(SpeechError)
}
