import ControlProtocol
import ControlSocket
import Foundation
import IntervalTimeline

/// A `cuecoach serve` of a test's own.
struct Service: Sendable {
  let run: RunningProgram
  let path: String

  static let options = ["serve", "--no-sound", "--ledger", Workspace.ledgerName]

  /// Starts it and waits until it answers.
  init(
    in space: Workspace, _ arguments: [String] = options, program: Program? = nil
  ) async throws {
    let surroundings = (program ?? space.program).with("XDG_RUNTIME_DIR", space.folder)
    run = try await surroundings.start(arguments)
    let path = space.path("cuecoach/control")
    self.path = path
    try await run.until("it answers") { (try? ControlClient([path])) != nil }
  }

  func client(_ rights: ControlRights = .control) throws -> ControlClient {
    try ControlClient(
      [path.replacing("/control", with: "/\(rights.rawValue)")],
      patience: .seconds(600))
  }

  func send(_ action: ControlRequest.Action) throws -> ControlAnswer {
    try client().request(action, within: .seconds(600))
  }

  func start(_ preset: String, lane: String? = nil) throws -> ControlAnswer {
    try send(.start(StartOrder(preset: preset, lane: lane)))
  }

  /// What its process has allocated and touched, in KB.
  var memory: Int {
    let status = (try? String(contentsOfFile: "/proc/\(run.pid)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  var lanes: [WorkoutStatus] {
    answered { try send(.status(outline: false)).snapshot?.lanes } ?? []
  }
}

/// What a coach answers. One that is held up may refuse a client, and is asked again for a minute; nil for one that has
/// ended.
func answered<Value>(_ ask: () throws -> Value?) -> Value? {
  for _ in 0..<600 {
    do {
      if let value = try ask() { return value }
    } catch let error as ControlSocketError where error.kind == .notRunning {
      return nil
    } catch {}
    usleep(100_000)
  }
  return nil
}
