import CueSound
import IntervalTimeline

/// One running session and what is on its way to the speaker for it.
struct Lane {
  let id: LaneID
  let name: String
  let manner: LaneManner
  let sounds: SoundPack
  var session: Session
  var cues = CueTally()
  /// When the session was last given to be kept, and whether it has changed since.
  var keptAt = BootInstant(nanoseconds: .min)
  var hasChanged = false
  /// When it wants a check.
  var wakesAt = BootInstant.never
  /// The first phase whose words have not been asked for, and when they will be.
  var unspokenPhase = 0
  var speaksAt = BootInstant(nanoseconds: .max)
  /// The workout time up to which texts have been given to be measured, and when the next are.
  var measuredUntil: Duration?
  var measuresAt = BootInstant(nanoseconds: .max)

  /// How far ahead words are rendered.
  static let speakAhead = Duration.seconds(12)
  /// How far ahead the lengths of words are asked for, a minute's worth at a time: far beyond what
  /// is looked at for a place.
  static let measureAhead = (least: Duration.seconds(60), most: Duration.seconds(120))
  /// Before a start: what a first announcement is laid out with.
  static let startAhead = Duration.seconds(6)

  /// How long a running session may change without being kept.
  private static let heartbeat = Duration.seconds(10)

  /// When it is to be kept again: at once after a change, and every ten seconds while it runs.
  var savesAt: BootInstant {
    if hasChanged { return BootInstant(nanoseconds: .min) }
    guard session.state == .running, keptAt.nanoseconds != .min else { return .never }
    return keptAt + Self.heartbeat
  }

  var isOver: Bool { session.state == .finished || session.state == .stopped }

  /// The texts of every phase that begins within `speakAhead`, each phase once.
  mutating func textsNeeded(at now: BootInstant, speaker: String?) -> [String] {
    var texts: [String] = []
    speaksAt = .never
    // Before the start nothing has an instant.
    guard session.state != .ready else { return [] }
    let timeline = session.timeline
    while unspokenPhase <= timeline.count,
      let start = session.transport.start(of: unspokenPhase)
    {
      let instant = session.transport.nominalInstant(of: start)
      guard instant < now + Self.speakAhead else {
        speaksAt = instant - Self.speakAhead
        break
      }
      texts += wordings(ofPhase: unspokenPhase, start: start, speaker: speaker)
        .flatMap(\.likelyTexts)
      unspokenPhase += 1
    }
    return texts
  }

  /// What is said from now on until `measureAhead` and has not been given before, in the order in
  /// which it may be heard first.
  mutating func wordingsToMeasure(at now: BootInstant, speaker: String?) -> [CueWording] {
    guard session.state == .running || session.state == .paused else {
      measuresAt = .never
      return []
    }
    let here = session.transport.position(at: now)
    let end = here.elapsed + Self.measureAhead.most
    measuresAt = now + (Self.measureAhead.most - Self.measureAhead.least)
    defer { measuredUntil = end }
    return wordings(from: here, measuredUntil, until: end, speaker: speaker).map(\.wording)
  }

  /// What is said first, and how long after the start or, of a lane that goes on, after now.
  func firstWordings(
    at now: BootInstant, speaker: String?
  ) -> [(wait: Duration, wording: CueWording)] {
    // One that is held goes on where it was kept.
    let instants =
      session.state == .running ? [now, min(now, max(keptAt, session.transport.started))] : [now]
    return instants.flatMap { instant in
      let here = session.transport.position(at: instant)
      return wordings(from: here, nil, until: here.elapsed + Self.startAhead, speaker: speaker)
        .map { (max(.zero, $0.earliest - here.elapsed), $0.wording) }
    }
  }

  /// What may be heard between two workout times, in order; from `here` on where there is no first.
  /// Behind an open phase, as if that ended now.
  private func wordings(
    from here: Transport.Position, _ first: Duration?, until end: Duration, speaker: String?
  ) -> [(earliest: Duration, wording: CueWording)] {
    let timeline = session.timeline
    var found: [(earliest: Duration, wording: CueWording)] = []
    var phase = here.phase
    var start = here.phaseStart
    while phase <= timeline.count, start < end {
      let set = phase < timeline.count ? timeline.entries[phase].set : nil
      for cue in session.plan.cues(of: phase, in: timeline) where cue.isSpoken {
        let earliest = start + cue.earliest
        guard earliest < end, first.map({ earliest >= $0 }) ?? (start + cue.until >= here.elapsed)
        else { continue }
        found.append(
          (earliest, wording(of: cue, set: set, start: start, speaker: speaker)))
      }
      guard phase < timeline.count else { break }
      start =
        timeline.entries[phase].phase.length.duration.map { start + $0 }
        ?? max(start, here.elapsed)
      phase += 1
    }
    return found.sorted { $0.earliest < $1.earliest }
  }

  private func wordings(ofPhase phase: Int, start: Duration?, speaker: String?) -> [CueWording] {
    let timeline = session.timeline
    let set = phase < timeline.count ? timeline.entries[phase].set : nil
    return session.plan.cues(of: phase, in: timeline).filter(\.isSpoken).map { cue in
      wording(of: cue, set: set, start: start, speaker: speaker)
    }
  }

  /// What a cue says where it is planned.
  ///
  /// - Parameter start: the workout time at which its phase begins; asked of the timeline when nil.
  func wording(
    of cue: Cue, set: Int?, start: Duration? = nil, speaker: String?
  ) -> CueWording {
    let timeline = session.timeline
    let length = cue.phase < timeline.count ? timeline.entries[cue.phase].phase.length : nil
    let start = start ?? timeline.start(of: cue.phase)
    return CueWording(
      cue, in: timeline,
      at: .init(
        set: set, phaseLeft: length?.duration.map { $0 - cue.at },
        elapsed: start.map { $0 + cue.at }), speaker: speaker, phrases: manner.phrases)
  }

  /// After a command the words to come are other ones.
  mutating func lookAheadAgain(at now: BootInstant) {
    unspokenPhase = session.transport.position(at: now).phase
    speaksAt = BootInstant(nanoseconds: .min)
    measuredUntil = nil
    measuresAt = BootInstant(nanoseconds: .min)
  }
}
