import CueSound
import IntervalTimeline

/// One running session and what is on its way to the speaker for it.
struct Lane {
  let name: String
  let voice: SpeechVoice
  var session: Session
  var layout = AnnouncementLayout()
  /// Clips at the mixer.
  var voices = 0
  var isEnded = false
  /// The first phase whose words have not been asked for, and when they will be.
  var unspokenPhase = 0
  var speaksAt = BootInstant(nanoseconds: .max)

  /// How far ahead words are rendered.
  static let speakAhead = Duration.seconds(30)

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
      let set = unspokenPhase < timeline.count ? timeline.entries[unspokenPhase].set : nil
      for cue in session.plan.cues(of: unspokenPhase, in: timeline) where cue.isSpoken {
        texts += CueWording(cue, in: timeline, set: set, speaker: speaker).texts
      }
      unspokenPhase += 1
    }
    return texts
  }

  /// After a command the words to come are other ones.
  mutating func lookAheadAgain(at now: BootInstant) {
    unspokenPhase = session.transport.position(at: now).phase
    speaksAt = BootInstant(nanoseconds: .min)
  }
}
