import ControlProtocol
import Foundation
import Glibc
import IntervalTimeline
import SessionStore
import Testing

/// What a service takes up when it starts or is asked to, and a configuration that it reads anew.
@Suite struct ServiceResumeTests {
  private let space = Workspace()

  init() throws {
    try space.write(Preset.long, to: "Presets/long.yaml")
    try space.write(Preset.tiny, to: "Presets/tiny.yaml")
  }

  @Test func aKilledServiceGoesOnWhereItWas() async throws {
    let first = try await Service(in: space)
    #expect(try first.start("long", lane: "anna").ok)
    #expect(try first.start("long", lane: "ben").ok)
    #expect(try first.send(.command(.pause, lane: "ben")).ok)
    try await first.run.until("both are kept as they are") {
      space.states == ["anna": .running, "ben": .paused]
    } then: {
      first.run.send(signal: SIGKILL)
    }
    _ = await first.run.end()
    let second = try await Service(in: space)
    try await second.run.until("both are there") { second.lanes.count == 2 }
    #expect(second.run.errors.contains("anna resumes Long; "))
    let states = Dictionary(uniqueKeysWithValues: second.lanes.map { ($0.name, $0.state) })
    #expect(states == ["anna": .running, "ben": .paused])
    // It is said aloud.
    try await second.run.until("both say where they are") {
      ["anna", "ben"].allSatisfy { lane in
        space.ledger.cues.contains {
          $0.lane == lane && ["acknowledgement", "position"].contains($0.kind)
        }
      }
    }
    #expect(await second.run.end(by: SIGTERM).status == .exited(0))
    // Everything is kept once more.
    #expect(Set(space.unfinished) == ["anna", "ben"])
  }

  @Test func theNameOfASessionThatItEndsIsFree() async throws {
    try await space.interrupt("anna", "Presets/long.yaml")
    try space.write("sessions:\n  resume: discard\n", to: ".config/cuecoach/config.yaml")
    let service = try await Service(in: space)
    try await service.run.until("it has ended the session") { space.unfinished.isEmpty }
    try await service.run.until("the name is free") {
      LaneLocks.holder(of: "anna", in: space.stateFolder) == nil
    }
  }

  /// Ben's catalogue has a mistake by now.
  @Test func whatCannotBeAnnouncedKeepsNoOtherFromBeingResumed() async throws {
    try space.write("language: fr\n" + Preset.long, to: "french.yaml")
    for lane in ["anna", "ben", "cleo d"] {
      try await space.interrupt(lane, lane == "ben" ? "french.yaml" : "Presets/long.yaml")
    }
    try space.write("phrases: 7\n", to: "config/cuecoach/phrases/fr.yaml")
    let program = space.program.with("XDG_CONFIG_HOME", space.path("config"))
    let service = try await Service(in: space, program: program)
    try await service.run.until("the others are there") { service.lanes.count == 2 }
    #expect(service.lanes.map(\.name).sorted() == ["anna", "cleo d"])
    let lines = service.run.errors.split(separator: "\n")
    #expect(
      lines.contains { $0.hasPrefix("ben: not resumed: ") && $0.contains("fr.yaml") }, "\(lines)")
    // Its name is free for another program.
    #expect(space.unfinished.contains("ben"))
    try await space.run("sessions", "discard", "ben").expect(0)
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  /// One that was interrupted in a terminal while the service ran.
  @Test func whatWasInterruptedIsResumedByItsName() async throws {
    // It answers before it has taken up what was there when it started.
    try await space.interrupt("cleo", "Presets/long.yaml")
    let service = try await Service(in: space)
    try await service.run.until("it has resumed the first") { service.lanes.count == 1 }
    try await space.interrupt("anna", "Presets/long.yaml")
    try await space.interrupt("ben", "Presets/long.yaml")
    #expect(try service.send(.command(.resume, lane: "nobody")).error == .unknownLane)
    let resumed = try service.send(.command(.resume, lane: "anna"))
    #expect(resumed.ok && resumed.lanes == ["anna"], "\(resumed.message ?? "")")
    #expect(resumed.warnings?.first?.hasPrefix("anna resumes Long") == true, "\(resumed)")
    try await service.run.until("it is there") { service.lanes.map(\.name).contains("anna") }
    // Another one under the name ends what was interrupted, and says so.
    let started = try service.start("tiny", lane: "ben")
    #expect(
      started.warnings == ["Long was interrupted under this name; it has ended there"],
      "\(started)")
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  /// A mistake that is there again is reported again, however soon.
  @Test func eachReloadIsLogged() async throws {
    let program = space.program.with("XDG_CONFIG_HOME", space.path("config"))
    let file = "config/cuecoach/config.yaml"
    try space.write("sessions:\n  inhibit: off\n", to: file)
    let service = try await Service(in: space, program: program)
    func reload(_ text: String, _ line: String, times: Int) async throws {
      try space.write(text, to: file)
      service.run.send(signal: SIGHUP)
      try await service.run.until("\(line), \(times)") {
        service.run.errors.split(separator: "\n").count { $0.contains(line) } == times
      }
    }
    for times in 1...2 {
      try await reload("sessions:\n  resume: 7\n", "the old configuration stays", times: times)
      try await reload("sessions:\n  inhibit: off\n", "has been read anew", times: times)
    }
    try await reload("sessions:\n  sleep: go-on\n", "is used after a restart", times: 1)
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  @Test func theConfigurationIsReadAnew() async throws {
    let service = try await Service(in: space)
    try space.write("lenguage: de\n", to: ".config/cuecoach/config.yaml")
    service.run.send(signal: SIGHUP)
    try await service.run.until("the mistake is reported") {
      service.run.errors.contains("config.yaml:1: unknown key \"lenguage\"")
        && service.run.errors.contains("the old configuration stays")
    }
    #expect(try service.start("tiny", lane: "old").ok)
    try space.write("speech:\n  language: de\n", to: ".config/cuecoach/config.yaml")
    service.run.send(signal: SIGHUP)
    try await service.run.until("it is read") {
      service.run.errors.contains("config.yaml has been read anew")
    }
    #expect(try service.start("long", lane: "new").ok)
    #expect(service.lanes.first { $0.name == "new" }?.language == "de")
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }
}

extension Workspace {
  /// The state of each session as it was stored last.
  fileprivate var states: [String: Transport.State] {
    guard has(".local/state/cuecoach/sessions.db"),
      let store = try? SessionStore(folder: stateFolder, date: "2026-11-21")
    else { return [:] }
    let sessions = (try? store.sessions()) ?? []
    return Dictionary(sessions.map { ($0.lane, $0.record.anchors.state) }) { $1 }
  }
}
