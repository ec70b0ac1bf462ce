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
    var subscriptions = 0
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

  /// The socket of the one before may still close.
  func startAgain() async throws {
    try await until("the socket is free") { (try? start()) != nil }
  }

  func stop() {
    state.withLock { state in
      defer { state.server = nil }
      return state.server
    }?.stop()
  }

  /// What was asked but for snapshots and sessions: verbs with what belongs to them.
  var asked: [String] { state.withLock { $0.asked } }

  /// How often somebody has begun to listen.
  var subscriptions: Int { state.withLock { $0.subscriptions } }

  private func take(_ request: ControlRequest, _ answer: ControlServer.Answer) {
    var reply = ControlAnswer(request.id, revision: 1)
    state.withLock { state in
      if request.action == .subscribe { state.subscriptions += 1 }
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
        let known = state.lanes.map(\.name) + state.sessions.map(\.lane)
        if command == .resume, let lane, !known.contains(lane) {
          reply = ControlAnswer(request.id, ControlError(.noEffect, "\(lane) has ended"))
        }
      case .volume(let volume): state.asked.append("volume \(volume ?? -1)")
      case .sessions:
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

  /// Words that are heard from now on for an hour; `isWithdrawn`: they are not.
  func tellSpeech(isWithdrawn: Bool = false) {
    let event = SpeechEvent(
      revision: 1, at: 0, lanes: ["anna"], text: "Rest", from: 1, until: .max / 2,
      isWithdrawn: isWithdrawn)
    state.withLock { $0.server }?.publish(event)
  }

  func keep(_ sessions: [SessionEntry]) { state.withLock { $0.sessions = sessions } }
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
  private var program: Child

  private static let path = Bundle.main.bundleURL.appendingPathComponent("cuecoach-desktop").path

  init(
    _ lanes: [WorkoutStatus] = [], sessions: [SessionEntry] = [], settings: String = ""
  ) async throws {
    desktop = try Self.desktop()
    coach = try FakeCoach(folder, lanes)
    coach.keep(sessions)
    try folder.write("# desktop.yaml\n" + settings, to: "desktop.yaml")
    // In place of PulseAudio's: it writes who it is and what it was asked for.
    let player = "#!/bin/sh\necho $$ \"$@\" > '\(folder.path("pacat"))'\nexec sleep 3600\n"
    try folder.makeFolder("bin")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.write(player, to: "bin/pacat"))
    program = try Self.program(folder, desktop)
    try await until("the player is there") {
      desktop.tell("has") == "true" && coach.subscriptions == 1
    }
    let state = lanes.last { !$0.isOver }?.state.rawValue.capitalized ?? "Stopped"
    let expected = "\"\(state == "Running" ? "Playing" : state)\""
    try await until("the workouts are known") {
      desktop.tell("get Player PlaybackStatus") == expected
    }
  }

  private static func program(_ folder: TestFolder, _ desktop: PrivateBus) throws -> Child {
    try Child(
      path, ["--config", folder.path("desktop.yaml"), "--sockets", folder.folder],
      errors: folder.path("output"),
      environment: [
        "PATH=\(folder.path("bin")):/usr/bin:/bin", "HOME=\(folder.folder)",
        "XDG_RUNTIME_DIR=\(folder.folder)",
        "DBUS_SESSION_BUS_ADDRESS=\(desktop.address.split(separator: ",")[0])",
      ])
  }

  /// The program ends, and begins again.
  func restart() async throws {
    _ = try end()
    try await until("the player is gone") { desktop.tell("has") == "false" }
    let before = coach.subscriptions
    program = try Self.program(folder, desktop)
    try await until("the player is there") {
      desktop.tell("has") == "true" && coach.subscriptions > before
    }
  }

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

  /// The words of the last pacat that was started, its number first; nil: none was.
  var stream: [String]? {
    (try? folder.text("pacat"))?.split(separator: " ").map(String.init)
  }

  func kill() { program.end(SIGKILL) }

  /// Its exit code, nil where a signal ended it, and what it wrote.
  func end() throws -> (code: Int32?, text: String) {
    let status = program.end(SIGTERM)
    return (status & 0x7f == 0 ? status >> 8 & 0xff : nil, try folder.text("output"))
  }
}

/// Waits for a state; what is counted is how often it was looked.
func until(_ what: String, _ isTrue: () throws -> Bool) async throws {
  for _ in 0..<30_000 {
    if try isTrue() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  throw PrivateBus.Fault(what: "\(what): did not happen")
}
