import CueSound
import IntervalTimeline

/// One session with everything the coach knows of it.
struct Lane {
  let id: LaneID
  let name: String
  let style: LaneStyle
  let sounds: SoundPack
  var session: Session
  var cues = CueTally()
  /// When the session was last saved, and whether it has changed since.
  var keptAt = BootInstant(nanoseconds: .min)
  var hasChanged = false
  /// When it wants its next check.
  var wakesAt = BootInstant.never
  /// Which of its words have been requested ahead of their time.
  var lookAhead = LookAhead()

  /// The longest time for which a running session is not saved.
  private static let heartbeat = Duration.seconds(10)

  /// When it is to be saved again: at once after a change, and every ten seconds while it runs.
  var savesAt: BootInstant {
    if hasChanged { return BootInstant(nanoseconds: .min) }
    guard session.state == .running, keptAt.nanoseconds != .min else { return .never }
    return keptAt + Self.heartbeat
  }

  var isOver: Bool { session.state == .finished || session.state == .stopped }

  /// After a command other words are to come.
  mutating func lookAheadAgain(at now: BootInstant) { lookAhead.startAgain(session, at: now) }
}
