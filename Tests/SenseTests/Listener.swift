import ControlProtocol
import ControlSocket
import Foundation
import IntervalTimeline
import Synchronization

/// A `sense` socket without a coach: it records the values it receives.
final class Listener: Sendable {
  private struct State {
    var lanes: [String]
    var values: [Heard] = []
    var server: ControlServer?
  }

  struct Heard: Equatable {
    let lane: String?
    let name: String
    var number: Double?
    var seconds: Double?
  }

  let folder = "\(NSTemporaryDirectory())/cs-\(UUID().uuidString.prefix(8))"
  private let state: Mutex<State>

  var path: String { "\(folder)/sense" }
  var values: [Heard] { state.withLock { $0.values } }

  init(lanes: [String]) throws {
    state = Mutex(State(lanes: lanes))
    let server = try ControlServer([.init(path, .sense)], version: "1") {
      [weak self] request, _, answer in self?.take(request, answer)
    }
    state.withLock { $0.server = server }
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func stop() { state.withLock { $0.server }?.stop() }

  private func take(_ request: ControlRequest, _ answer: ControlServer.Answer) {
    var reply = ControlAnswer(request.id, revision: 1)
    switch request.action {
    case .subscribe:
      reply.snapshot = state.withLock { state in
        CoachSnapshot(
          revision: 1, at: 0, wall: 0, lanes: state.lanes.map(Self.status),
          device: DeviceSnapshot(.working), volume: 100, warnings: [])
      }
    case .value(let value, let lane):
      state.withLock {
        $0.values.append(
          Heard(lane: lane, name: value.name, number: value.number, seconds: value.seconds))
      }
    case .command(let command, let lane):
      state.withLock { $0.values.append(Heard(lane: lane, name: "\(command)")) }
    default: break
    }
    answer(reply)
  }

  private static func status(_ name: String) -> WorkoutStatus {
    WorkoutStatus(name: name, workout: "Row", state: .running, language: "en")
  }

  /// A workout begins, or ends.
  func tell(_ kind: ControlEvent.Kind, _ name: String) {
    var event = ControlEvent(kind, revision: 2, at: 0)
    event.lane = Self.status(name)
    state.withLock { $0.server }?.publish(event)
  }
}
