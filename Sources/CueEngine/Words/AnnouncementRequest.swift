import CueSound
import IntervalTimeline

/// A cue that wants to be said.
struct AnnouncementRequest {
  let handOff: HandOff
  var lane: SpeakingLane
  /// The instant for which its words have been rendered; nil: it is due as it was handed off.
  var notBefore: BootInstant?
  /// From when the name before a count may be said, also in the phase before; nil: as other words.
  var nameFrom: BootInstant?
  /// How many answers of other lanes are to begin in time behind this one.
  var answersBehind = 0
  /// How often its words have been waited for.
  var tries = 0

  init(_ handOff: HandOff, of lane: SpeakingLane) {
    self.handOff = handOff
    self.lane = lane
  }

  var id: AnnouncementID { AnnouncementID(lane: lane.id, handOff: handOff.id) }
  var voice: SpeechVoice { lane.style.voice }

  /// What is to be said if it is heard at `instant`.
  func wording(at instant: BootInstant) -> CueWording {
    let here = lane.session.transport.position(at: instant)
    let isThere = here.phase == handOff.cue.phase
    // Before its phase begins, or for the end, what is left is the whole of it.
    let left =
      isThere
      ? here.phaseLeft
      : handOff.limit.map { instant.duration(to: $0) }
    return CueWording(
      handOff.cue, in: lane.session.timeline,
      at: .init(set: handOff.set, phaseLeft: left, elapsed: here.elapsed), speaker: lane.speaker,
      phrases: lane.style.phrases)
  }

  /// The fullest wording as it stands in the preset or the catalogue; nil where there is none.
  var template: String? {
    let cue = handOff.cue
    if case .remark(let number) = cue.content {
      return lane.session.timeline.entries[cue.phase].phase.remarks[number].text.source
    }
    return cue.content.phrase.flatMap { lane.style.phrases.phrases[$0]?.wordings.first?.source }
  }

  /// When its words should begin.
  var due: BootInstant { max(handOff.due, earliest) }

  /// Before which they may not: they have to be rendered, and texts of a phase keep their order.
  var earliest: BootInstant {
    [notBefore, lane.session.place(before: handOff.cue)].compactMap { $0 }
      .reduce(handOff.earliest, max)
  }

  /// Until when something else has to be known for its words to be laid out.
  var windowEnd: BootInstant {
    min(handOff.limit ?? .never, (handOff.latest ?? handOff.due) + .seconds(10))
  }

  /// Where it stands among others: priority, then time, then lane.
  var order: (Int, BootInstant, LaneID) { (handOff.cue.priority, handOff.due, lane.id) }

  /// True for counts and answers: what has not begun and matters less gives way to them.
  var goesFirst: Bool { handOff.cue.priority <= 2 }

  var isAnswer: Bool { handOff.cue.content.isAnswer }

  var isCount: Bool {
    if case .setCompletion = handOff.cue.content { true } else { false }
  }
}

extension HandOff {
  /// True where both are texts of one phase and this one comes first.
  func isText(before other: HandOff) -> Bool {
    guard case .remark(let number) = cue.content, case .remark(let later) = other.cue.content
    else { return false }
    return cue.phase == other.cue.phase && number < later
  }
}
