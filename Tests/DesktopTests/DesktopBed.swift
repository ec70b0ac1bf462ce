import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import IntervalTimeline
import Synchronization
import SystemIO
import TestSupport

/// A `remote` socket without a coach: it has the workouts that a test gives it, and keeps what it is asked.
final class FakeCoach: Sendable {
  private struct State {
    var lanes: [WorkoutStatus] = []
    var device = DeviceSnapshot(.working)
    var revision: UInt64 = 1
    var asked: [String] = []
    var sessions: [SessionEntry] = []
    var server: ControlServer?
  }

  let folder: TestFolder
  private let state = Mutex(State())

  init(_ folder: TestFolder, _ lanes: [WorkoutStatus] = []) throws {
    self.folder = folder
    state.withLock { $0.lanes = lanes }
    try start()
  }

  deinit { stop() }

  func start() throws {
    let server = try ControlServer([.init(folder.path("remote"), .remote)], version: "1") {
      [weak self] request, _, answer in self?.take(request, answer)
    }
    state.withLock { $0.server = server }
  }

  func stop() {
    state.withLock { state in
      defer { state.server = nil }
      return state.server
    }?.stop()
  }

  /// What was asked but for snapshots: verbs with what belongs to them.
  var asked: [String] { state.withLock { $0.asked } }

  private func take(_ request: ControlRequest, _ answer: ControlServer.Answer) {
    var reply = ControlAnswer(request.id, revision: 1)
    state.withLock { state in
      switch request.action {
      case .subscribe, .status:
        reply.snapshot = CoachSnapshot(
          revision: state.revision, at: MachineTime.boot, wall: 0, lanes: state.lanes,
          device: state.device, volume: 80, warnings: [])
        guard case .status = request.action else { return }
        let names = state.lanes.map(\.name)
        reply.outlines = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.outline) })
      case .command(let command, let lane):
        state.asked.append("\(command.rawValue) \(lane ?? "all")")
      case .volume(let volume): state.asked.append("volume \(volume ?? -1)")
      case .sessions:
        state.asked.append("sessions")
        reply.sessions = state.sessions
      default: state.asked.append("\(request.action)")
      }
    }
    answer(reply)
  }

  static let outline = (0..<4).map {
    OutlineSegment(
      kind: $0.isMultiple(of: 2) ? .low : .high, label: "Low", seconds: 30, set: 1 + $0 / 2, sets: 2
    )
  }

  // MARK: Changes

  private func tell(_ kind: ControlEvent.Kind, _ change: (inout State, inout ControlEvent) -> Void)
  {
    let (server, event) = state.withLock { state in
      state.revision += 1
      var event = ControlEvent(kind, revision: state.revision, at: MachineTime.boot)
      change(&state, &event)
      return (state.server, event)
    }
    server?.publish(event)
  }

  func tell(_ lane: WorkoutStatus) {
    tell(.lane) { state, event in
      state.lanes.removeAll { $0.name == lane.name }
      state.lanes.append(lane)
      event.lane = lane
    }
  }

  func tellEnd(of lane: WorkoutStatus) {
    tell(.ended) { state, event in
      state.lanes.removeAll { $0.name == lane.name }
      event.lane = lane
    }
  }

  func tell(_ device: DeviceSnapshot) {
    tell(.device) { state, event in
      state.device = device
      event.device = device
    }
  }

  func keep(_ session: SessionEntry) { state.withLock { $0.sessions = [session] } }
  func forgetLanes() { state.withLock { $0.lanes = [] } }
}

/// A phase of 30 s of a workout with four of them and two sets.
func status(
  _ name: String = "anna", phase: Int = 1, _ state: Transport.State = .running,
  elapsed: Duration = .seconds(10), language: String = "en"
) -> WorkoutStatus {
  var lane = WorkoutStatus(name: name, workout: "Row & rest", state: state, language: language)
  (lane.phase, lane.phases) = (phase, 4)
  lane.kind = phase.isMultiple(of: 2) ? .low : .high
  lane.label = phase.isMultiple(of: 2) ? "Low" : "High"
  (lane.set, lane.sets) = (1 + phase / 2, 2)
  (lane.phaseElapsed, lane.phaseLeft) = (elapsed, .seconds(30) - elapsed)
  lane.elapsed = .seconds(30 * phase) + elapsed
  lane.done = phase
  return lane
}

/// The whole program, with a desktop and a coach that are both the test's.
final class DesktopBed {
  let folder = TestFolder()
  let coach: FakeCoach
  private(set) var desktop: PrivateBus
  private let process = Process()
  private var output: String { folder.path("output") }

  private static let program = Bundle.main.bundleURL.appendingPathComponent("cuecoach-desktop")

  init(_ lanes: [WorkoutStatus] = [], settings: String = "") async throws {
    desktop = try Self.desktop()
    coach = try FakeCoach(folder, lanes)
    try folder.write("# desktop.yaml\n" + settings, to: "desktop.yaml")
    try folder.write("", to: "output")
    process.executableURL = Self.program
    process.arguments = ["--config", folder.path("desktop.yaml"), "--sockets", folder.folder]
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder.folder, "XDG_RUNTIME_DIR": folder.folder,
      "DBUS_SESSION_BUS_ADDRESS": desktop.address.split(separator: ",")[0].description,
    ]
    process.environment?["LD_LIBRARY_PATH"] = getenv("LD_LIBRARY_PATH").map { String(cString: $0) }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardOutput = file
    process.standardError = file
    try process.run()
    try await until("the player is there") { desktop.tell("has") == "true" }
    let state = lanes.last { !$0.isOver }?.state.rawValue.capitalized ?? "Stopped"
    let expected = "\"\(state == "Running" ? "Playing" : state)\""
    try await until("the workouts are known") {
      desktop.tell("get Player PlaybackStatus") == expected
    }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  private static func desktop(at address: String? = nil) throws -> PrivateBus {
    try PrivateBus(
      "Tests/desktop/mock-desktop", variable: "DBUS_SESSION_BUS_ADDRESS", address: address)
  }

  /// Another bus in place of the one that was there.
  func restartBus() throws {
    let address = desktop.address.split(separator: ",")[0].description
    desktop.end()
    desktop = try Self.desktop(at: address)
  }

  func json(_ line: String) throws -> Any {
    let answer = desktop.tell(line)
    guard
      let value = try? JSONSerialization.jsonObject(
        with: Data(answer.utf8), options: .fragmentsAllowed)
    else { throw PrivateBus.Fault(what: "\(line): \(answer)") }
    return value
  }

  func properties(_ interface: String) throws -> [String: Any] {
    try json("all \(interface)") as? [String: Any] ?? [:]
  }

  /// Waits for notices, and takes them.
  func notices(_ count: Int = 1) async throws -> [[String: Any]] {
    var notices: [[String: Any]] = []
    try await until("\(count) notices") {
      notices += try json("notices") as? [[String: Any]] ?? []
      return notices.count >= count
    }
    return notices
  }

  /// The signals until one has come that is as wanted.
  func signals(_ what: String, until isWanted: ([Any]) -> Bool) async throws -> [[Any]] {
    var all: [[Any]] = []
    try await until(what) {
      all += try json("signals") as? [[Any]] ?? []
      return all.contains(where: isWanted)
    }
    return all
  }

  func end() async throws -> (code: Int32, text: String) {
    kill(process.processIdentifier, SIGTERM)
    try await until("the program ends") { !process.isRunning }
    return (process.terminationStatus, try folder.text("output"))
  }
}

/// Waits for a state; what is counted is how often it was looked.
func until(_ what: String, _ isTrue: () throws -> Bool) async throws {
  for _ in 0..<3_000 {
    if try isTrue() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  throw PrivateBus.Fault(what: "\(what): did not happen")
}
