import CueSound
import IntervalTimeline
import Phrases

@testable import CueEngine

extension Session {
  /// One that has begun.
  static func begun(_ workout: Workout, at start: BootInstant) throws -> Session {
    var session = Session(try Timeline(workout))
    _ = session.handle(.start, at: start)
    return session
  }

  /// What an engine reports of it.
  func status(
    _ name: String = "anna", phrases: PhraseCatalogue = .english, at instant: BootInstant
  ) -> LaneStatus {
    LaneStatus(
      Lane(
        id: LaneTable().nextID, name: name, style: LaneStyle(phrases: phrases),
        sounds: SoundPack(), session: self), at: instant)
  }
}
