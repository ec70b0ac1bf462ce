import CueSound
import IntervalTimeline

/// One running session and what is on its way to the speaker for it.
struct Lane {
  let name: String
  let manner: LaneManner
  let sounds: SoundPack
  var session: Session
  var isEnded = false
  var cues = CueTally()
  /// When the session was last given to be kept, and whether it has changed since.
  var keptAt = BootInstant(nanoseconds: .min)
  var hasChanged = false
  /// The first phase whose words have not been asked for, and when they will be.
  var unspokenPhase = 0
  var speaksAt = BootInstant(nanoseconds: .max)

  /// How far ahead words are rendered.
  static let speakAhead = Duration.seconds(12)

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

  /// Everything that is said if nobody interferes, as far as it is known.
  func allTexts(speaker: String?) -> [String] {
    (0...session.timeline.count).flatMap {
      wordings(ofPhase: $0, start: session.timeline.start(of: $0), speaker: speaker)
        .flatMap(\.texts)
    }
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
  }
}
