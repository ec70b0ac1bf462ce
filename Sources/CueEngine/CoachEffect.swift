import CueSound
import IntervalTimeline

/// An effect of a coach outside itself.
indirect enum CoachEffect {
  /// A line for the ledger.
  case write(LedgerEvent)
  /// An event for the program that runs the coach.
  case emit(EngineEvent)
  /// Words that will be heard, or will not any more.
  case speak(SpokenText)
  /// What became of a message, for its sender.
  case report(MessageReport, @Sendable (MessageReport) -> Void)
  /// Store the lane's session.
  case keep(LaneID, SessionRecord)
  /// Begin to render what a lane will need soon.
  case prefetch([String], SpeechVoice, LaneID)
  /// Find out how long a lane's texts take when nothing else is to be rendered.
  case measure([String], SpeechVoice, LaneID)
  /// Render these texts; then report the words of that number ready.
  case render(Int, [SpeechOrder], SpeechUrgency, for: LaneID)
  /// The words of that number are not needed any more.
  case stopRendering(Int)
  /// The lane has ended: nothing more is rendered for it.
  case stopRenderingAhead(LaneID)
}
