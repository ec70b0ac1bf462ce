import CueSound
import IntervalTimeline

/// What a running engine tells its owner, on the check queue.
public enum EngineEvent: Sendable {
  case phaseBegan(LaneStatus)
  case obeyed(Command, LaneStatus)
  case finished(LaneStatus)
  /// Nothing more will be heard of the lane.
  case ended(lane: String)
  case output(OutputEvent)
  /// A text could not be spoken; the workout goes on with its sounds.
  case speechFailed(SpeechError)
}
