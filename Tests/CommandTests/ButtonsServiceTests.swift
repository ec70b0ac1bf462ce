import ControlProtocol
import Foundation
import Glibc
import IntervalTimeline
import TestSupport
import Testing

/// A pipe in place of a keypad, `cuecoach-buttons` and a real coach.
@Suite struct ButtonsServiceTests {
  private static let executable = Bundle.main.bundleURL.appendingPathComponent("cuecoach-buttons")
    .path

  private func start(_ space: Workspace) async throws -> RunningProgram {
    try space.write(
      """
      devices:
        - path: \(space.path("pad"))
          keys:
            kp1: start open
            kp2: start short
            kpenter: {short: pause, long: stop}
            kpplus: next
            kpminus: back
            kp0: where-am-i
            kp5: rep
            kp6: signal ready
            volumeup: volume-up
            volumedown: volume-down
      """, to: "buttons.yaml")
    var program = space.program
    program.executable = Self.executable
    return try await program.start([
      "--config", space.path("buttons.yaml"), "--socket", space.path("cuecoach/remote"),
      "--verbose",
    ])
  }

  @Test func everyActionIsObeyed() async throws {
    let space = Workspace()
    try space.write(Preset.open, to: "Presets/open.yaml")
    let pad = try InputPipe(space.path("pad"))
    let service = try await Service(in: space)
    let buttons = try await start(space)
    pad.tap("kp1")
    try await buttons.until("it has begun") { service.lanes.first?.state == .running }
    pad.tap("kpenter")
    try await buttons.until("it pauses") { service.lanes.first?.state == .paused }
    pad.tap("kpenter")
    try await buttons.until("it goes on") { service.lanes.first?.state == .running }
    let volume = try service.send(.volume(40)).volume
    #expect(volume == 40)
    pad.tap("volumeup")
    try await buttons.until("it is louder") { (try? service.send(.volume(nil)).volume) == 45 }
    pad.tap("volumedown")
    try await buttons.until("it is softer") { (try? service.send(.volume(nil)).volume) == 40 }
    // Answered aloud.
    pad.tap("kp0")
    try await buttons.until("it says where") { space.ledger.has("where-am-i") }
    pad.tap("kp5")
    try await buttons.until("it counts") { service.lanes.first?.repetitions == 1 }
    // The phase waits for none.
    pad.tap("kp6")
    try await buttons.until("it is refused") { buttons.errors.contains("the coach refuses: ") }
    // Held, and never let go.
    pad.send(EventBytes.key("kpenter", 1))
    try await buttons.until("it has ended") { service.lanes.isEmpty }
    #expect(await buttons.end(by: SIGTERM).status == .exited(0))
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  @Test func aPhaseIsSkippedAndBegunAgain() async throws {
    let space = Workspace()
    try space.write(
      "name: Two\nblocks:\n  - phases: [{work: 1h}, {rest: 1h}]\n", to: "Presets/short.yaml")
    let pad = try InputPipe(space.path("pad"))
    let service = try await Service(in: space)
    let buttons = try await start(space)
    pad.tap("kp2")
    try await buttons.until("it has begun") { service.lanes.first?.phase == 0 }
    pad.tap("kpplus")
    try await buttons.until("it is in the next") { service.lanes.first?.phase == 1 }
    // The previous one, or this one anew where the key comes more than 2 s into it.
    let end = try #require(service.lanes.first?.phaseEndsAt)
    pad.tap("kpminus")
    try await buttons.until("it is back") {
      service.lanes.first.map { $0.phase == 0 || $0.phaseEndsAt != end } ?? false
    }
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
    // Another coach, which does not need another program.
    let next = try await Service(in: space)
    pad.tap("kp2")
    try await buttons.until("it has begun") { next.lanes.first?.phase == 0 }
    #expect(await buttons.end(by: SIGTERM).status == .exited(0))
    #expect(await next.run.end(by: SIGTERM).status == .exited(0))
  }
}
