import CueSound
import IntervalTimeline

/// Identifies an announcement: one hand-off of one lane.
package struct AnnouncementID: Hashable, Sendable {
  package let lane: LaneID
  /// The number of the hand-off.
  package let handOff: Int

  package init(lane: LaneID, handOff: Int) { (self.lane, self.handOff) = (lane, handOff) }
}

/// The words of one lane as they are placed, or left out.
package struct Announcement: Equatable, Sendable {
  package let id: AnnouncementID
  /// The lane's name.
  package let lane: String
  package let handOff: HandOff
  package var cue: LaidOutCue
  /// What is said, as it is written, where that is a live value.
  package let template: String?
}

/// An effect that a planner asks for.
package enum WordEffect {
  /// Hand the clips to the mixer. `with` are other lanes for which they are said.
  case send(Announcement, with: [Announcement])
  /// Withdraw announcements of which nothing has been heard: they leave no line in the ledger.
  case withdraw([AnnouncementID])
  /// Fade out words that are said for several lanes, none of which wants them any more.
  case silence(AnnouncementID)
  /// Render these texts, then call `rendered` with that number.
  case render(Int, [SpeechOrder], SpeechUrgency, for: LaneID)
  /// The texts of that number are not awaited any more.
  case stopRendering(Int)
  /// An announcement of which nothing will be heard.
  case write(Announcement)
  /// The question whether to stop will have been heard by then.
  case asked(until: BootInstant)
}

/// What a planner has decided: its effects in order, and the feedback for each session.
package struct WordPlan {
  package var effects: [WordEffect] = []
  package var feedback: [LaneID: [WordFeedback]] = [:]
}
