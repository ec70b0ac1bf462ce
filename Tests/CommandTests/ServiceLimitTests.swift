import ControlProtocol
import ControlSocket
import Foundation
import TestSupport
import Testing

/// A service at the limits that the system sets it.
@Suite struct ServiceLimitTests {
  private let space = Workspace()

  /// More clients than it has descriptors: those that it has are served, the others are refused in words,
  /// and when some leave others may come.
  @Test func withoutDescriptorsClientsAreRefused() async throws {
    try space.write(Preset.long, to: "Presets/long.yaml")
    // More than it needs, because it inherits some of the tests.
    let program = space.program.with(\.setUp, "ulimit -n 128")
    let service = try await Service(in: space, program: program)
    let path = service.path
    try await apart {
      let known = try service.client()
      #expect(try known.request(.start(StartOrder(preset: "long", lane: "anna"))).ok)
      var clients: [RawClient] = []
      var refusals = 0
      while refusals < 20 {
        try #require(clients.count < 200)
        let client = try RawClient(path)
        let line = try #require(client.line())
        if line.contains("no descriptor left") { refusals += 1 } else { clients.append(client) }
        #expect(try known.request(.status(outline: false)).snapshot?.lanes.count == 1)
      }
      #expect(!clients.isEmpty)
      for client in clients { client.leave() }
    }
    // A client that leaves is noticed in its turn.
    try await service.run.until("a client is taken again") {
      (try? ControlClient([path]).request(.status(outline: false)).ok) == true
    }
    let lines = service.run.errors.split(separator: "\n")
    // Once a minute, however many there are.
    #expect((1..<20).contains(lines.count { $0.hasPrefix("clients are refused: ") }))
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
    #expect(space.unfinished == ["anna"])
  }

  @Test func aFileIsNoCoachForCtl() async throws {
    let path = try space.write("mine", to: "file")
    let outcome = try await space.run("ctl", "status", "--socket", path).expect(1)
    #expect(outcome.errors == "cuecoach: \(path) is no socket; expected that of a coach\n")
  }

  @Test func aFolderThatIsRemovedIsMadeAnew() async throws {
    let service = try await Service(in: space)
    try FileManager.default.removeItem(atPath: space.path("cuecoach"))
    try await service.run.until("it answers again") {
      (try? ControlClient([service.path])) != nil
        && (try? service.client(.remote)) != nil
    }
    #expect(service.run.errors.contains("removed while the coach ran, and made anew"))
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
    #expect(!space.has("cuecoach/control"))
  }
}
