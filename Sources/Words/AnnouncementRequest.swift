import CueSound
import IntervalTimeline

/// A cue that is to be said.
package struct AnnouncementRequest {
  let handOff: HandOff
  var lane: SpeakingLane
  /// The live values that it says; nil: those of its lane.
  var values: LiveValues?
  /// The instant for which its words have been rendered; nil: when it was due at its hand-off.
  var notBefore: BootInstant?
  /// The earliest instant for the name before a count, which may lie in the phase before; nil: as for
  /// other words.
  var nameFrom: BootInstant?
  /// True where its words were awaited for as long as there was time: what is there is said.
  var isOverdue = false
  /// True where the stand-in for the lane's voice says it, which can be faster.
  var isByStandIn = false
  /// How many answers of other lanes follow this one and have to begin in time too.
  var followingAnswers = 0
  /// How often its words have been awaited, and how often that took longer than allowed.
  var tries = 0
  var delays = 0
  /// Other lanes that want to say the same at the same instant: one text is said for all of them.
  var companions: [Companion] = []
  /// Whether no other lane runs: their text names none.
  var isForAll = false
  /// What its lane lost to texts of others.
  var losses = Losses()

  package init(_ handOff: HandOff, of lane: SpeakingLane) {
    self.handOff = handOff
    self.lane = lane
  }

  /// How many texts of a lane were dropped or shortened because others were due at the same instant. One that was
  /// dropped weighs more than any number that were shortened.
  struct Losses: Comparable {
    var dropped = 0
    var shortened = 0

    mutating func note(_ cue: LaidOutCue) {
      if cue.isLoss { dropped += 1 } else { shortened += 1 }
    }

    static func < (one: Losses, other: Losses) -> Bool {
      (one.dropped, one.shortened) < (other.dropped, other.shortened)
    }
  }

  /// Another lane for which its words are said.
  struct Companion: Hashable {
    let lane: LaneID
    let name: String
    let handOff: HandOff
  }

  var own: Companion { Companion(lane: lane.id, name: lane.name, handOff: handOff) }

  /// The lanes for which its words are said, its own first.
  var participants: [Companion] {
    [own] + companions
  }

  /// With more names than this a text would be longer than what it says.
  package static let mostNames = 4

  /// Whose words they are, as it is said; nil where no name is needed.
  private var speaker: String? {
    guard !companions.isEmpty else { return lane.speaker }
    let names = participants.map(\.name)
    return isForAll || names.count > Self.mostNames ? nil : names.joined(separator: ", ")
  }

  /// Identifies its lane in a layout. Words of several lanes stay when one of these is withdrawn.
  var place: Int { companions.isEmpty ? lane.id.serial : -1 - lane.id.serial }
  var voice: SpeechVoice {
    var voice = isByStandIn ? lane.voice.ofStandIn : lane.voice
    voice.isPassing = isOfReadings
    return voice
  }

  /// What is to be said if it is heard at `instant`.
  package func wording(at instant: BootInstant) -> CueWording {
    let here = lane.session.transport.position(at: instant)
    let isInPhase = here.phase == handOff.cue.phase
    let isEndKnown = lane.session.transport.isEndKnown(of: handOff.cue.phase)
    // Before its phase begins, and for the end, all of it is left.
    let left =
      isInPhase
      ? here.phaseLeft
      : handOff.limit.map { instant.duration(to: $0) }
    return CueWording(
      handOff.cue, in: lane.session.timeline,
      at: .init(
        set: handOff.set, phaseLeft: isEndKnown ? left : nil,
        counted: isInPhase ? lane.session.progress.repetitions(at: instant) : nil,
        elapsed: here.elapsed,
        values: values ?? lane.values, instant: instant,
        nameIsEnough: lane.nameIsEnough(in: handOff.cue), done: lane.done(in: handOff.cue)),
      speaker: speaker, phrases: lane.phrases)
  }

  /// Its wordings as they are written in the preset, the catalogue or the message, the fullest first.
  private var templates: [Template] {
    let cue = handOff.cue
    switch cue.content {
    case .remark(let number):
      return lane.session.timeline.entries[cue.phase].phase.remarks[number].wordings
    case .total(let phase, _):
      return [lane.session.timeline.entries[phase].phase.total].compactMap { $0 }
    case .message(let message): return message.wordings
    default: return cue.content.phrase.flatMap { lane.phrases.phrases[$0]?.wordings } ?? []
    }
  }

  /// The fullest wording as it is written; nil where there is none.
  var template: String? { templates.first?.source }

  /// Why none of its wordings can be said at an instant, where none can.
  func reasonWithoutWordings(at instant: BootInstant) -> String {
    guard let template = templates.first else { return "its text is silent" }
    let there = values ?? lane.values
    let missing = template.values.filter {
      there.words(of: $0, at: instant, in: lane.phrases) == nil
    }
    let names = missing.sorted().map { "{\($0)}" }.joined(separator: ", ")
    return "\(names.isEmpty ? "what stands in braces" : names) has no value here"
  }

  /// True where no wording could be said at an instant.
  func hasNoValues(at instant: BootInstant) -> Bool { wording(at: instant).texts.isEmpty }

  /// Whether it may say any of the lane's live values.
  var saysValues: Bool { !isCoaching && templates.contains { !$0.values.isEmpty } }

  /// Whether its words may say what a sensor has measured.
  private var isOfReadings: Bool {
    switch handOff.cue.content {
    case .remark, .total, .message: isCoaching || saysValues
    default: (values ?? lane.values).count > 0 && saysValues
    }
  }

  /// Whether it coaches.
  private var isCoaching: Bool {
    if case .message(let message) = handOff.cue.content { message.coaching != nil } else { false }
  }

  func announcement(_ cue: LaidOutCue, for one: Companion) -> Announcement {
    Announcement(
      id: AnnouncementID(lane: one.lane, handOff: one.handOff.id), lane: one.name,
      handOff: one.handOff, cue: cue, template: template(of: cue))
  }

  /// Its words as they are written, where they say a live value or a reading. Each wording of a reading has its own.
  private func template(of cue: LaidOutCue) -> String? {
    guard isCoaching else { return saysValues ? template : nil }
    let index = wording(at: handOff.due).texts.firstIndex(of: cue.text) ?? 0
    return templates.indices.contains(index) ? templates[index].source : template
  }

  /// When its words should begin.
  var due: BootInstant { max(handOff.due, earliest) }

  /// When they may begin at the earliest: once they are rendered, and after the phase's earlier texts.
  var earliest: BootInstant {
    [notBefore, lane.session.place(before: handOff.cue)].compactMap { $0 }
      .reduce(handOff.earliest, max)
  }

  /// The instant by which its words are needed: that of its first number, else when it should begin.
  var neededBy: BootInstant {
    guard case .count(_, _, let words) = wording(at: handOff.due) else {
      return handOff.cue.isAhead ? earliest : due
    }
    return max(handOff.earliest, handOff.until - .seconds(words.count - 1))
  }

  /// The longest delay of words that may begin at any time.
  private static let longestDelay = Duration.seconds(4)

  /// The last instant for which its words are awaited: its shortest wording that is known can still be said
  /// then.
  func latest(_ speech: (any SpeechSource)?) -> BootInstant {
    if isCount { return neededBy }
    let latest = handOff.latest ?? due + Self.longestDelay
    guard let limit = handOff.limit else { return latest }
    let shortest = wording(at: due).candidates.compactMap { text -> Duration? in
      guard case .there(let length) = speech?.length(of: text, voice: voice) else { return nil }
      return length
    }.min()
    return min(latest, limit - (shortest ?? .zero))
  }

  /// How far ahead other announcements matter when its words are laid out.
  var windowEnd: BootInstant {
    min(handOff.limit ?? .never, (handOff.latest ?? handOff.due) + .seconds(10))
  }

  /// Whether it is placed before `other`. Requests are ordered by priority. Among counts those of the lane that was
  /// added first come first: a workout that comes later never takes the numbers of one that runs. Then time decides, then
  /// which lane has lost most, then the lane.
  func goes(before other: Self) -> Bool {
    let (mine, others) = (rank, other.rank)
    guard mine == others else { return mine < others }
    return losses == other.losses ? lane.id < other.lane.id : losses > other.losses
  }

  private var rank: (Int, Int, BootInstant) {
    (handOff.cue.priority, isCount ? lane.id.serial : .max, handOff.due)
  }

  /// True for counts and answers: less important words that have not begun make room for them.
  var goesFirst: Bool { handOff.goesFirst }

  var isAnswer: Bool { handOff.cue.content.isAnswer }

  var isCount: Bool { handOff.isCount }

  /// Whether words of another program, asked for now and heard from `instant` on, would be late. What somebody has asked for
  /// has no instant of its own.
  func isLate(after instant: BootInstant) -> Bool {
    guard tries == 0, voice.engine != nil, !isAnswer, !isCount else { return false }
    if case .message = handOff.cue.content { return false }
    return due < instant
  }

  /// When its words are rendered.
  var urgency: SpeechUrgency { SpeechUrgency(rank: handOff.speechRank, by: neededBy) }
}

extension HandOff {
  /// True for the numbers at a set's end and the words before them.
  package var isCount: Bool { if case .setCompletion = cue.content { true } else { false } }

  var goesFirst: Bool { cue.priority <= 2 }

  var speechRank: SpeechUrgency.Rank {
    if case .message(let message) = cue.content, message.coaching != nil { return .planned }
    return yields ? .client : goesFirst ? .first : .planned
  }

  /// True for a text that somebody has sent and that makes room for what is planned.
  var yields: Bool {
    if case .message(let message) = cue.content { message.priority != .high } else { false }
  }

  /// True where both are texts of one phase and this one comes first.
  func isText(before other: HandOff) -> Bool {
    guard case .remark(let number) = cue.content, case .remark(let later) = other.cue.content
    else { return false }
    return cue.phase == other.cue.phase && number < later
  }
}
