import ControlProtocol
import ControlSocket
import Foundation
import IntervalTimeline
import Synchronization

/// A socket of a coach, without a coach: what is requested is noted, and events are sent as a test says.
package final class RecordingCoach: Sendable {
  private struct State {
    var taken: [ControlRequest] = []
    var snapshot = CoachSnapshot(
      revision: 1, at: 1, wall: 1, lanes: [], device: DeviceSnapshot(.idle), volume: 80,
      warnings: [])
    var revision: UInt64 = 1
    var server: ControlServer?
  }

  /// Protects everything.
  private let state = Mutex(State())

  /// - Parameter lanes: the workouts that run at first.
  package init(_ path: String, _ rights: ControlRights = .remote, lanes: [WorkoutStatus] = [])
    throws
  {
    state.withLock { $0.snapshot.lanes = lanes }
    let server = try ControlServer([.init(path, rights)], version: "1.2.3") {
      [weak self] request, _, answer in self?.take(request, answer)
    }
    state.withLock { $0.server = server }
  }

  deinit { stop() }

  package func stop() { state.withLock { $0.server }?.stop() }

  package var requests: [ControlRequest] { state.withLock { $0.taken } }
  /// Without the subscriptions and the questions for the volume.
  package var actions: [ControlRequest.Action] {
    requests.map(\.action).filter { $0 != .subscribe && $0 != .volume(nil) }
  }
  package var isSubscribedTo: Bool { requests.contains { $0.action == .subscribe } }

  private func take(_ request: ControlRequest, _ answer: @escaping ControlServer.Answer) {
    answer(
      state.withLock { state in
        state.taken.append(request)
        var reply = ControlAnswer(request.id, revision: state.revision)
        switch request.action {
        case .subscribe: reply.snapshot = state.snapshot
        case .volume(let volume):
          if let volume { state.snapshot.volume = volume }
          reply.volume = state.snapshot.volume
        default: break
        }
        return reply
      })
  }

  /// Sends an event, with what `change` sets in it.
  package func publish(_ kind: ControlEvent.Kind, _ change: (inout ControlEvent) -> Void) {
    state.withLock { state in
      state.revision += 1
      var event = ControlEvent(kind, revision: state.revision, at: 1)
      change(&event)
      state.server?.publish(event)
    }
  }
}
