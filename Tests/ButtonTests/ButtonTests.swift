import ControlProtocol
import Foundation
import Glibc
import IntervalTimeline
import SystemIO
import TestSupport
import Testing

@testable import cuecoach_buttons

/// The whole program between pipes in place of devices and a socket in place of a coach.
@Suite struct ButtonTests {
  private static let program = Bundle.main.bundleURL.appendingPathComponent("cuecoach-buttons").path

  private static let keys = """
          kp1: pause
          kp2: {short: next, double: back, long: stop}
          kp3: where-am-i
          kp4: rep
          kp5: signal ready
          kp6: start tabata
          volumeup: volume-up
          volumedown: volume-down
    """

  /// A folder with a map of one device, which is a pipe of this name.
  private func bed() throws -> TestFolder {
    let files = TestFolder()
    try files.write(
      "devices:\n  - path: \(files.path("pad"))\n    as: anna\n    keys:\n\(Self.keys)\n",
      to: "buttons.yaml")
    return files
  }

  private func start(_ files: TestFolder, _ arguments: String...) throws -> Child {
    try Child(
      Self.program,
      arguments + ["--config", files.path("buttons.yaml"), "--socket", files.path("remote")],
      errors: files.path("log"))
  }

  private func isLogged(_ text: String, _ files: TestFolder, times: Int = 1) async -> Bool {
    let log = LogFile(path: files.path("log"))
    return await eventually { log.lines(with: text) >= times }
  }

  @Test func everyActionReachesTheCoach() async throws {
    let files = try bed()
    let pad = try InputPipe(files.path("pad"))
    let coach = try RecordingCoach(files.path("remote"))
    let program = try start(files, "serve", "--verbose")
    #expect(await isLogged("is there", files))
    for name in ["kp1", "kp3", "kp4", "kp5", "kp6"] { pad.tap(name) }
    let expected: [ControlRequest.Action] = [
      .command(.toggle, lane: "anna"), .command(.whereAmI, lane: "anna"),
      .command(.rep, lane: "anna"), .signal("ready", lane: "anna"),
      .start(StartOrder(preset: "tabata", lane: "anna")),
    ]
    #expect(await eventually { coach.actions == expected })
    // A press of long ago is refused by the coach.
    #expect(coach.requests.allSatisfy { $0.sentAt != nil })
    pad.tap("volumeup")
    #expect(await eventually { coach.actions.last == .volume(85) })
    pad.tap("volumedown")
    #expect(await eventually { coach.actions.last == .volume(80) })
    #expect(await isLogged("kp1, short: pause", files))
    #expect(program.end(SIGTERM) == 0)
  }

  @Test func aKeyIsPressedInThreeWays() async throws {
    let files = try bed()
    let pad = try InputPipe(files.path("pad"))
    let coach = try RecordingCoach(files.path("remote"))
    let program = try start(files)
    #expect(await isLogged("is there", files))
    pad.tap("kp2")
    #expect(await eventually { coach.actions == [.command(.next, lane: "anna")] })
    let now = MachineTime.boot
    pad.press("kp2", downUpFor: [(400, 350), (250, 200)], before: now)
    #expect(await eventually { coach.actions.last == .command(.back, lane: "anna") })
    // Still held.
    pad.send(EventBytes.key("kp2", 1))
    #expect(await eventually { coach.actions.last == .command(.stop, lane: "anna") })
    pad.send(EventBytes.key("kp2", 0))
    pad.tap("kp1")
    #expect(await eventually { coach.actions.last == .command(.toggle, lane: "anna") })
    #expect(coach.actions.count == 4)
    #expect(program.end(SIGTERM) == 0)
  }

  /// It is pulled out while a key is held, and put back.
  @Test func aDeviceComesAndGoes() async throws {
    let files = try bed()
    let coach = try RecordingCoach(files.path("remote"))
    let program = try start(files)
    #expect(await isLogged("is not there yet", files))
    for round in 1...3 {
      let pad = try InputPipe(files.path("pad"))
      // Of the key that was held when it was pulled out.
      pad.send(EventBytes.key("kp2", 0))
      pad.tap("kp1")
      #expect(
        await eventually { coach.actions.count { $0 == .command(.toggle, lane: "anna") } == round })
      pad.send(EventBytes.key("kp2", 1))
      pad.tap("kp3")
      #expect(
        await eventually {
          coach.actions.count { $0 == .command(.whereAmI, lane: "anna") } == round
        })
      pad.unplug()
      // It is known to be gone when the next one is looked for: the state of its keys goes with it.
      let descriptors = "/proc/\(try #require(program.number))/fd"
      let path = files.path("pad")
      #expect(
        await eventually {
          !Folder.names(in: descriptors).contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)"))?
              .hasPrefix(path) ?? false
          }
        })
    }
    #expect(!coach.actions.contains(.command(.next, lane: "anna")))
    #expect(program.end(SIGTERM) == 0)
  }

  @Test func theCoachMayBeAwayAndComeBack() async throws {
    let files = try bed()
    let pad = try InputPipe(files.path("pad"))
    let program = try start(files)
    #expect(await isLogged("is there", files))
    pad.tap("kp1")
    #expect(await isLogged("kp1, short: pause is lost, for the coach is not there", files))
    // Not the same key: within 30 ms its contacts would be taken to bounce.
    for (key, action) in [
      ("kp3", ControlRequest.Action.command(.whereAmI, lane: "anna")),
      ("kp4", .command(.rep, lane: "anna")), ("kp5", .signal("ready", lane: "anna")),
    ] {
      let coach = try RecordingCoach(files.path("remote"))
      pad.tap(key)
      #expect(await eventually { coach.actions == [action] })
      coach.stop()
    }
    #expect(program.end(SIGTERM) == 0)
  }

  /// What a device at fault sends ends nothing, and is followed by what is pressed.
  @Test func afterAFloodAPressIsAPress() async throws {
    let files = try bed()
    let pad = try InputPipe(files.path("pad"))
    let coach = try RecordingCoach(files.path("remote"))
    let program = try start(files)
    #expect(await isLogged("is there", files))
    let movement = EventBytes.event(type: 2, code: 0, value: 1)
    pad.send((0..<10_000).flatMap { _ in movement })
    var generator = SeededGenerator(seed: 7)
    // Whole events, so that what follows is read as it was written.
    pad.send(
      (0..<24 * 1000).map { $0 % 24 == 16 ? 9 : UInt8.random(in: 0...255, using: &generator) })
    pad.tap("kp1")
    #expect(await eventually { coach.actions == [.command(.toggle, lane: "anna")] })
    #expect(program.end(SIGTERM) == 0)
  }

  @Test func learningWritesAMapThatServes() async throws {
    let files = TestFolder()
    let pad = try InputPipe(files.path("pad"))
    let log = LogFile(path: files.path("log"))
    let learn = try Child(
      Self.program,
      [
        "learn", "pause", "start 4 x 4", "long stop", "--device", pad.path, "--config",
        files.path("deep/buttons.yaml"), "--seconds", "600",
      ], errors: log.path)
    #expect(await eventually { log.contains("press the button for: pause\n") })
    pad.tap("playcd")
    #expect(await eventually { log.contains("press the button for: start 4 x 4\n") })
    #expect(log.contains(": playpause\n"))
    // It is taken.
    pad.tap("pausecd")
    #expect(await eventually { log.contains("it is for pause already; another one") })
    pad.tap("kp4")
    #expect(await eventually { log.contains("stop, which will need a long press\n") })
    // The same button by another press.
    pad.tap("playpause")
    #expect(await eventually { learn.hasEnded })
    #expect(
      try files.text("deep/buttons.yaml") == """
        # Written by cuecoach-buttons learn.
        devices:
          - path: '\(pad.path)'
            keys:
              kp4: 'start 4 x 4'
              playpause: {short: pause, long: stop}

        """)
    let check = try shell(
      "\(Self.program.shellWord) check --config \(files.path("deep/buttons.yaml").shellWord)")
    #expect(
      check.code == 0 && check.output.contains("playpause  long   stop         all"),
      "\(check.output)")
  }

  @Test func learningKeepsWhatWasLearnt() async throws {
    let files = try bed()
    let before = try files.text("buttons.yaml")
    let pad = try InputPipe(files.path("pad"))
    let log = LogFile(path: files.path("log"))
    let learn = try Child(
      Self.program,
      [
        "learn", "next", "--device", pad.path, "--config", files.path("buttons.yaml"), "--seconds",
        "600",
      ],
      errors: log.path)
    #expect(await eventually { log.contains("press the button for: next\n") })
    pad.tap("kp1")
    #expect(await eventually { learn.hasEnded })
    #expect(try files.text("buttons.yaml~") == before)
    let after = try files.text("buttons.yaml")
    #expect(after.contains("kp1: next\n") && after.contains("    as: anna\n"))
    #expect(after.contains("kp2: {short: next, double: back, long: stop}\n"))
  }

  @Test(arguments: [
    (["learn", "jump"], 2, "\"jump\": expected pause"),
    (["learn", "short stop"], 2, "\"short stop\": expected pause"),
    (["learn", "--seconds", "0"], 2, "--seconds 0: expected 1 to 600"),
    (["learn", "--device", "/none"], 1, "/none cannot be read: No such file"),
    (["learn", "--device", "/etc/passwd"], 1, "/etc/passwd cannot be read: it is no device"),
    (["learn", "--device", "/dev/null"], 1, "/dev/null cannot be read: it is no input device"),
    (
      ["serve", "--config", "/none.yaml"], 1, "/none.yaml: no such file, expected a map of buttons"
    ),
  ])
  func aMistakeIsOneLine(arguments: [String], code: Int32, line: String) throws {
    let command = ([Self.program] + arguments).map(\.shellWord).joined(separator: " ")
    let outcome = try shell("\(command) 2>&1")
    #expect(outcome.code == code && outcome.output.contains("cuecoach-buttons: \(line)"))
    #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome.output)")
  }
}
