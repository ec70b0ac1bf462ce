import CueEngine
import IntervalTimeline
import Synchronization

/// The lanes of a host that have not ended. Any thread.
final class HostLanes: Sendable {
  private struct State {
    var lanes: [LaneID: OpenedWorkout] = [:]
    /// The lanes that `begin` has started.
    var begun: Set<LaneID> = []
  }

  private let saver: SessionSaver?
  private let repository: SessionRepository?
  /// Protects the lanes; never held while the engine or the disk is waited for.
  private let state = Mutex(State())

  init(saver: SessionSaver?, repository: SessionRepository?) {
    self.saver = saver
    self.repository = repository
  }

  subscript(id: LaneID) -> OpenedWorkout? { state.withLock { $0.lanes[id] } }

  /// Those that `begin` has not started.
  var unbegun: [LaneID: OpenedWorkout] {
    state.withLock { state in state.lanes.filter { !state.begun.contains($0.key) } }
  }

  func add(_ id: LaneID, _ lane: OpenedWorkout) {
    saver?.add(id, lane)
    state.withLock { $0.lanes[id] = lane }
  }

  /// Marks lanes as begun. Returns those that had not begun before.
  func begin(_ ids: [LaneID]) -> [(id: LaneID, lane: OpenedWorkout)] {
    state.withLock { state in
      ids.compactMap { id in state.lanes[id].map { (id: id, lane: $0) } }
        .filter { state.begun.insert($0.id).inserted }
    }
  }

  /// The engine has removed a lane: its session goes into the history, and its name becomes free.
  func end(_ status: LaneStatus, _ record: SessionRecord) {
    let lane = state.withLock { state in
      state.begun.remove(status.id)
      return state.lanes.removeValue(forKey: status.id)
    }
    guard let lane else { return }
    if status.state == .ready {
      // Nothing was heard of it, so nothing is kept.
      saver?.forget(status.id)
      repository?.release(lane.name)
    } else {
      saver?.end(status.id, record)
    }
  }

  /// Stores every session as it is now, to be resumed later; what happens afterwards is not stored.
  ///
  /// - Parameter record: a lane's session in the engine; nil where the lane has ended.
  func suspend(_ record: (LaneID) -> SessionRecord?) {
    let (lanes, begun) = state.withLock { ($0.lanes, $0.begun) }
    var sessions: [(lane: LaneID, record: SessionRecord)] = []
    for (id, lane) in lanes {
      if begun.contains(id) {
        if let record = record(id) { sessions.append((id, record)) }
      } else if let resumed = lane.resumed, resumed.mode == .running {
        // It has not begun again, so it stays as stored. One that was to be held is left alone: its
        // stored instants may be on another boot's clock.
        sessions.append((id, resumed.record))
      }
    }
    saver?.suspend(sessions)
  }
}
