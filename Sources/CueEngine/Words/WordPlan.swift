import CueSound
import IntervalTimeline

/// Identifies an announcement: one hand-off of one lane.
struct AnnouncementID: Hashable {
  let lane: LaneID
  /// The number of the hand-off.
  let handOff: Int
}

/// The line in the ledger of a lane for which another lane's words are said too.
struct SharedEntry {
  var entry: LedgerEvent.CueEntry
  let id: AnnouncementID
}

/// An effect that a planner asks for.
enum WordEffect {
  /// Hand these clips to the mixer. `entry` is their line in the ledger as far as it is known.
  /// `with` are the lines of other lanes for which they are said.
  case send(LedgerEvent.CueEntry, [LaidOutCue.Part], AnnouncementID, with: [SharedEntry])
  /// Withdraw announcements of which nothing has been heard: they leave no line in the ledger.
  case withdraw([AnnouncementID])
  /// Fade out words that are said for several lanes, none of which wants them any more.
  case silence(AnnouncementID)
  /// Render these texts, then call `rendered` with that number.
  case render(Int, [SpeechOrder], SpeechUrgency, for: LaneID)
  /// The texts of that number are not awaited any more.
  case stopRendering(Int)
  /// An announcement of which nothing will be heard.
  case write(LedgerEvent.CueEntry, AnnouncementID)
  /// The question whether to stop will have been heard by then.
  case asked(until: BootInstant)
}

/// What a planner has decided: its effects in order, and the feedback for each session.
struct WordPlan {
  var effects: [WordEffect] = []
  var feedback: [LaneID: [WordFeedback]] = [:]
}

extension LedgerEvent.CueEntry {
  /// The line of a cue of which nothing has been heard.
  init(_ cue: LaidOutCue, of handOff: HandOff, lane: String) {
    let due = cue.parts.first?.due ?? handOff.due
    let planned = cue.planned ?? handOff.due
    self.init(
      lane: lane, phase: handOff.cue.phase, kind: handOff.cue.content.name,
      remark: handOff.cue.content.remark, set: handOff.set, scheduledSet: handOff.scheduledSet,
      text: cue.text, due: due, planned: due == planned || handOff.isCount ? nil : planned,
      onset: nil, outcome: cue.outcome, reason: cue.reason, parts: [])
  }
}
