import CoachHost
import ControlProtocol
import CueEngine
import IntervalTimeline
import Phrases

/// The outlines in an answer, by the names of their lanes, as many as have room.
struct Outlines {
  private var byName: [String: [OutlineSegment]] = [:]
  /// How many were left out.
  private var omitted = 0
  /// Bytes.
  private var room = 180_000

  /// Those of workouts that run, and of workouts that begin later.
  init(_ statuses: [LaneStatus], of host: CoachHost, _ later: [ScheduledStart]) {
    for status in statuses {
      guard let lane = host.lane(status.id) else { continue }
      add(status.name, lane.timeline, status.phrases)
    }
    for start in later { add(start.name, start.workout.timeline, start.workout.style.phrases) }
  }

  /// A workout that has no outline is not counted as left out.
  private mutating func add(_ name: String, _ timeline: Timeline, _ phrases: PhraseCatalogue) {
    guard
      let outline = OutlineSegment.outline(of: timeline, phrases, limit: ControlLimits.segments)
    else { return }
    room -= outline.reduce(name.utf8.count) { $0 + $1.label.utf8.count + 80 }
    if room >= 0 { byName[name] = outline } else { omitted += 1 }
  }

  func write(to answer: inout ControlAnswer) {
    answer.outlines = byName
    answer.omitted = omitted == 0 ? nil : omitted
  }
}
