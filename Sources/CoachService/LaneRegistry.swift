import CueEngine
import IntervalTimeline

/// The workouts of a host as it last reported them. Surfaces know one of each name: the latest, because what was
/// stopped before still fades.
struct LaneRegistry {
  /// By name.
  private var known: [String: LaneStatus] = [:]
  /// All that have not ended, those that lost their name among them.
  private var running: Set<LaneID> = []
  /// Names of workouts that are being added.
  var starting: Set<String> = []

  var needsDevice: Bool { !starting.isEmpty || !running.isEmpty }

  /// Those that surfaces know, in the order in which they were added.
  var statuses: [LaneStatus] { known.values.sorted { $0.id < $1.id } }

  subscript(name: String) -> LaneStatus? { known[name] }

  /// Names that no other workout may have: one that was stopped fades, and its name is free.
  var takenNames: Set<String> {
    starting.union(known.values.filter { !$0.isOver }.map(\.name))
  }

  /// False for a lane whose end surfaces have seen, because its name was given to another.
  private func isKnown(_ status: LaneStatus) -> Bool { known[status.name]?.id == status.id }

  /// False for a lane whose name another one has now.
  private func hasName(_ status: LaneStatus) -> Bool {
    known[status.name].map { $0.id == status.id } ?? true
  }

  /// The names that surfaces know of these: one that fades may have lost its name to another.
  func names(of some: [LaneStatus]) -> [String] { some.filter(hasName).map(\.name) }

  /// A workout that is over gives its name to one that begins later. Returns its status; nil where there is none.
  mutating func release(_ name: String) -> LaneStatus? { known.removeValue(forKey: name) }

  /// A lane was added. Returns the one that had its name before.
  mutating func add(_ status: LaneStatus) -> LaneStatus? {
    running.insert(status.id)
    return known.updateValue(status, forKey: status.name)
  }

  /// A lane has changed. False where surfaces do not know it any more.
  mutating func note(_ status: LaneStatus) -> Bool {
    guard isKnown(status) else { return false }
    known[status.name] = status
    return true
  }

  /// A lane has ended. False where surfaces did not know it any more.
  mutating func remove(_ status: LaneStatus) -> Bool {
    running.remove(status.id)
    guard isKnown(status) else { return false }
    known[status.name] = nil
    return true
  }
}
