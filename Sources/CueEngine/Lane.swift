import CueSound
import IntervalTimeline

/// One running session and what is on its way to the speaker for it.
struct Lane {
  let id: LaneID
  let name: String
  let style: LaneStyle
  let sounds: SoundPack
  var session: Session
  var cues = CueTally()
  /// When the session was last given to be kept, and whether it has changed since.
  var keptAt = BootInstant(nanoseconds: .min)
  var hasChanged = false
  /// When it wants a check.
  var wakesAt = BootInstant.never
  /// Which of its words have been asked for ahead of their time.
  var lookAhead = LookAhead()

  /// How long a running session may change without being kept.
  private static let heartbeat = Duration.seconds(10)

  /// When it is to be kept again: at once after a change, and every ten seconds while it runs.
  var savesAt: BootInstant {
    if hasChanged { return BootInstant(nanoseconds: .min) }
    guard session.state == .running, keptAt.nanoseconds != .min else { return .never }
    return keptAt + Self.heartbeat
  }

  var isOver: Bool { session.state == .finished || session.state == .stopped }

  /// After a command the words to come are other ones.
  mutating func lookAheadAgain(at now: BootInstant) { lookAhead.startAgain(session, at: now) }
}
