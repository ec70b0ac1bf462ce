import ControlProtocol
import IntervalTimeline

/// The coach's workouts, and which of them the keys of a desktop are for: the one that began, was paused, resumed or
/// moved last.
package struct RunningWorkouts: Sendable {
  /// Nil while the coach is away.
  package private(set) var snapshot: CoachSnapshot?
  /// By name, the one that was chosen last at the end.
  private var order: [String] = []
  /// Which workout it is of all that there were, by name.
  private var serials: [String: Int] = [:]
  private var begun = 0
  /// What each consists of, by name; empty where the coach does not say.
  private var outlines: [String: [OutlineSegment]] = [:]

  package init() {}

  /// The workout that keys are for; nil where none runs. One that is still to begin has them only where no other runs.
  package var chosen: WorkoutStatus? {
    let lanes = snapshot?.lanes.filter { !$0.isOver } ?? []
    let latest = order.reversed().compactMap { name in lanes.first { $0.name == name } }
    return latest.first { $0.state != .ready } ?? latest.first
  }

  /// Two workouts of one name have different ones.
  package func serial(of lane: String) -> Int { serials[lane] ?? 0 }
  func outline(of lane: String) -> [OutlineSegment] { outlines[lane] ?? [] }

  /// True where the coach is to be asked what the workouts consist of.
  package var needsOutline: Bool {
    chosen.map { outlines[$0.name] == nil } ?? false
  }

  package mutating func take(_ answer: ControlAnswer) {
    if let snapshot = answer.snapshot { take(snapshot) }
    guard let outlines = answer.outlines else { return }
    for lane in snapshot?.lanes ?? [] { self.outlines[lane.name] = outlines[lane.name] ?? [] }
  }

  private mutating func take(_ snapshot: CoachSnapshot) {
    self.snapshot = snapshot
    let names = snapshot.lanes.map(\.name)
    for name in order where !names.contains(name) { remove(name) }
    for name in names where !order.contains(name) { begin(name) }
  }

  package mutating func take(_ event: ControlEvent) {
    guard let known = snapshot?.revision, event.revision > known else { return }
    let before = snapshot?.lanes.first { $0.name == event.lane?.name }
    snapshot?.apply(event)
    guard let lane = event.lane else { return }
    if event.event == .ended {
      remove(lane.name)
    } else if let before {
      if Self.wasMoved(before, lane, at: event.at) { choose(lane.name) }
    } else {
      begin(lane.name)
    }
  }

  package mutating func lose() {
    snapshot = nil
    for name in order { remove(name) }
  }

  private mutating func begin(_ name: String) {
    begun += 1
    serials[name] = begun
    order.append(name)
  }

  private mutating func choose(_ name: String) {
    order.removeAll { $0 == name }
    order.append(name)
  }

  private mutating func remove(_ name: String) {
    order.removeAll { $0 == name }
    serials[name] = nil
    outlines[name] = nil
  }

  /// Whether somebody did that, and not the time.
  private static func wasMoved(
    _ before: WorkoutStatus, _ now: WorkoutStatus, at instant: Int64
  ) -> Bool {
    if before.state != now.state { return !now.isOver }
    guard before.phase != now.phase || before.phaseElapsed > now.phaseElapsed + .seconds(1) else {
      return false
    }
    if now.phase < before.phase || now.phase > before.phase + 1 { return true }
    guard let end = before.phaseEndsAt else { return !before.mayEndEarly }
    return instant < end.nanoseconds - 200_000_000
  }
}
