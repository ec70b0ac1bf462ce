import ControlProtocol
import Foundation
import Glibc
import IntervalTimeline
import Presets
import TestSupport
import Testing

@testable import cuecoach_notify

/// The whole program between a socket in place of a coach and a server.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "no curl"))
struct NotifyTests {
  private static let program = Bundle.main.bundleURL.appendingPathComponent("cuecoach-notify").path

  private func write(_ text: String, _ files: TestFolder, mode: mode_t = 0o600) throws -> String {
    let path = try files.write(text, to: "notify.yaml")
    chmod(path, mode)
    return path
  }

  private static func lane(_ state: Transport.State) -> WorkoutStatus {
    WorkoutStatus(name: "anna", workout: "Tabata", state: state, language: "en")
  }

  @Test func theEndOfAWorkoutIsToldToThoseWhoWantIt() async throws {
    let files = TestFolder()
    let (server, other) = (
      try HTTPListener(.answer("200 OK")), try HTTPListener(.answer("200 OK"))
    )
    let config = try write(
      """
      notices:
        - {url: "\(server.url)", headers: {X-Token: tk_hidden}}
        - {url: "\(other.url)", for: [failed]}
      """, files)
    let coach = try RecordingCoach(files.path("remote"), lanes: [Self.lane(.running)])
    let program = try Child(
      Self.program, ["--config", config, "--socket", files.path("remote")],
      errors: files.path("log"))
    #expect(await eventually { coach.isSubscribedTo })
    coach.publish(.ended) { $0.lane = Self.lane(.finished) }
    #expect(await eventually { server.heard.count == 1 })
    #expect(server.heard[0].contains(#""event":"complete""#))
    let log = LogFile(path: files.path("log"))
    #expect(await eventually { log.contains("complete: told to 127.0.0.1:\(server.port)\n") })
    coach.publish(.device) { $0.device = DeviceSnapshot(.lost, reason: "gone") }
    #expect(await eventually { server.heard.count == 2 && other.heard.count == 1 })
    #expect(other.heard[0].contains(#""event":"failed""#))
    #expect(program.end(SIGTERM) == 0)
    #expect(!log.contains("hidden") && !log.contains("/hook"))
    // It asks for nothing.
    #expect(coach.requests.map(\.action) == [.subscribe])
  }

  @Test func aCoachThatGoesInMidWorkoutIsTold() async throws {
    let files = TestFolder()
    let server = try HTTPListener(.answer("200 OK"))
    let config = try write("notices: [{url: \"\(server.url)\"}]", files)
    let coach = try RecordingCoach(files.path("remote"), lanes: [Self.lane(.running)])
    let program = try Child(
      Self.program, ["--config", config, "--socket", files.path("remote")],
      errors: files.path("log"))
    #expect(await eventually { coach.isSubscribedTo })
    coach.stop()
    #expect(await eventually { server.heard.count == 1 })
    #expect(server.heard[0].contains(#""event":"interrupted""#))
    #expect(program.end(SIGTERM) == 0)
  }

  @Test func testTellsAll() async throws {
    let files = TestFolder()
    let server = try HTTPListener(.answer("200 OK"))
    let config = try write(
      "notices: [{url: \"\(server.url)\"}, {run: [/bin/false]}]", files)
    let outcome = try await apart {
      try shell("\(Self.program.shellWord) test --config \(config.shellWord) 2>&1")
    }
    #expect(outcome.code == 1 && server.heard.count == 1)
    #expect(
      outcome.output == """
        127.0.0.1:\(server.port): told
        /bin/false: it ended with code 1
        cuecoach-notify: 1 could not be told

        """)
    let check = try shell("\(Self.program.shellWord) check --config \(config.shellWord)")
    #expect(
      check.output == """
        127.0.0.1:\(server.port): complete, interrupted, failed
        /bin/false: complete, interrupted, failed

        """)
    let faulty = try write("notices: [{run: [/none]}, {run: [/tmp]}, {run: [/bin/false]}]", files)
    let refused = try shell("\(Self.program.shellWord) check --config \(faulty.shellWord) 2>&1")
    #expect(refused.code == 1)
    #expect(
      refused.output == """
        /none: complete, interrupted, failed
        /tmp: complete, interrupted, failed
        /bin/false: complete, interrupted, failed
        cuecoach-notify: /none: it is no program that can be started; /tmp: it is no program that can be started

        """)
  }

  @Test func aFileThatTheServiceMayNotReadIsRefused() throws {
    let files = TestFolder()
    let path = try write("notices: [{url: 'https://a/secret'}]", files)
    let error = #expect(throws: FileError.self) {
      try FileBytes.checkIsReadable(path, by: "nobody")
    }
    #expect(
      error?.description
        == "\(path): the service may not read it, expected chown nobody \(path)")
    chmod(path, 0o644)
    #expect(throws: Never.self) { try FileBytes.checkIsReadable(path, by: "nobody") }
    chmod(path, 0o600)
    #expect(throws: Never.self) { try FileBytes.checkIsReadable(path, by: "no such user") }
  }

  @Test func addressesThatOthersMayReadAreRefused() throws {
    let files = TestFolder()
    let config = try write("notices: [{url: 'https://a/secret'}]", files, mode: 0o640)
    let outcome = try shell("\(Self.program.shellWord) --config \(config.shellWord) 2>&1")
    #expect(outcome.code == 1)
    #expect(
      outcome.output
        == "cuecoach-notify: \(config): addresses that others may read, expected chmod 600 \(config)\n"
    )
  }
}
