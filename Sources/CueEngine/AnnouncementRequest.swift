import CueSound
import IntervalTimeline

/// A cue that wants to be said.
struct AnnouncementRequest {
  let handOff: HandOff
  let lane: LaneID
  let session: Session
  let manner: LaneManner
  let speaker: String?
  /// The instant for which its words have been rendered; nil: it is due as it was handed off.
  var notBefore: BootInstant?
  /// From when the name before a count may be said, also in the phase before; nil: as other words.
  var nameFrom: BootInstant?
  /// How many answers of other lanes are to begin in time behind this one.
  var answersBehind = 0
  /// How often its words have been waited for.
  var tries = 0
  /// What stands for a number that cannot be said.
  let beep: PCMClip

  /// What is to be said if it is heard at `instant`.
  func wording(at instant: BootInstant) -> CueWording {
    let here = session.transport.position(at: instant)
    let isThere = here.phase == handOff.cue.phase
    // Before its phase begins, or for the end, what is left is the whole of it.
    let left =
      isThere
      ? here.phaseLeft
      : handOff.limit.map { instant.duration(to: $0) }
    return CueWording(
      handOff.cue, in: session.timeline,
      at: .init(set: handOff.set, phaseLeft: left, elapsed: here.elapsed), speaker: speaker,
      phrases: manner.phrases)
  }

  /// The fullest wording as it stands in the preset or the catalogue; nil where there is none.
  var template: String? {
    let cue = handOff.cue
    if case .remark(let number) = cue.content {
      return session.timeline.entries[cue.phase].phase.remarks[number].text.source
    }
    return cue.content.phrase.flatMap { manner.phrases.phrases[$0]?.wordings.first?.source }
  }

  /// When its words should begin.
  var due: BootInstant { max(handOff.due, earliest) }

  /// Before which they may not: they have to be rendered, and texts of a phase keep their order.
  var earliest: BootInstant {
    [notBefore, session.place(before: handOff.cue)].compactMap { $0 }
      .reduce(handOff.earliest, max)
  }

  /// Where it stands among others: priority, then time, then lane.
  var order: (Int, BootInstant, LaneID) { (handOff.cue.priority, handOff.due, lane) }

  /// True for counts and answers: what has not begun and matters less gives way to them.
  var goesFirst: Bool { handOff.cue.priority <= 2 }

  var isAnswer: Bool { handOff.cue.content.isAnswer }

  var isCount: Bool {
    if case .setCompletion = handOff.cue.content { true } else { false }
  }
}
