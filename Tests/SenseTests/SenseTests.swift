import Foundation
import Glibc
import SurfaceProgram
import Testing

@testable import cuecoach_sense

/// The whole program, with a simulated BlueZ on a private bus and a recording `sense` socket.
@Suite(.enabled(if: Air.isInstalled, "needs dbus, python3-dbus and python3-gi: make deps"))
struct SenseTests {
  private static let program = Bundle.main.bundleURL.appendingPathComponent("cuecoach-sense")
  private static let first = "C0:F1:F2:F3:F4:01"

  /// The program, started; what it prints is read at its end.
  private final class Run {
    let process = Process()
    private let output: String

    init(_ arguments: [String], _ air: Air?, _ folder: String) throws {
      output = "\(folder)/output-\(UUID().uuidString)"
      try Data().write(to: URL(fileURLWithPath: output))
      process.executableURL = SenseTests.program
      process.arguments = arguments
      process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder]
      process.environment?["DBUS_SYSTEM_BUS_ADDRESS"] = air?.address ?? "unix:path=/none"
      process.environment?["LD_LIBRARY_PATH"] = getenv("LD_LIBRARY_PATH").map {
        String(cString: $0)
      }
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
      process.standardOutput = file
      process.standardError = file
      try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Its exit code, and what it printed.
    func end() async throws -> (code: Int32, text: String) {
      try await until("the program ends") { !process.isRunning }
      let text = String(
        decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
      return (process.terminationStatus, text)
    }
  }

  private func serve(_ air: Air, _ listener: Listener) throws -> Run {
    let file = "\(listener.folder)/sensors.conf"
    try "# Ours\n\(Self.first) = anna  # Strap 1\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    return try Run(["--config", file, "--socket", listener.path], air, listener.folder)
  }

  /// Beats until a value has come: a notification that comes before the workout is known is not sent.
  private func hear(_ rate: Int, _ air: Air, _ listener: Listener) async throws {
    try await until("\(rate) is heard") {
      air.tell("beat 1 \(rate)")
      return listener.values.contains(.init(lane: "anna", name: "heart-rate", number: Double(rate)))
    }
  }

  private func isListened(_ air: Air) -> Bool { air.tell("state 1") == "connected listened" }

  @Test func aScanListsWhatIsThere() async throws {
    let (air, listener) = (try Air(), try Listener(lanes: []))
    let scan = try await Run(["scan", "--seconds", "1"], air, listener.folder).end()
    #expect(scan.code == 0)
    let lines = scan.text.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("Name     Address"))
    #expect(lines[1] == "Strap 1  \(Self.first)  -60 dBm  heart rate")
  }

  @Test func aSensorIsPairedByItsNameAndUnpaired() async throws {
    let (air, listener) = (try Air(), try Listener(lanes: []))
    let file = "\(listener.folder)/sensors.conf"
    func run(_ arguments: String...) async throws -> (code: Int32, text: String) {
      try await Run(arguments + ["--config", file], air, listener.folder).end()
    }
    let pair = try await run("pair", "Strap 2", "--as", "ben", "--seconds", "1")
    #expect(pair.code == 0 && pair.text.contains("is heard in the workout \"ben\""))
    #expect(try await run("pair", Self.first, "--as", "anna").code == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text == "C0:F1:F2:F3:F4:02 = ben  # Strap 2\n\(Self.first) = anna\n")
    let moved = try await run("pair", Self.first, "--as", "ben")
    #expect(moved.text.contains("in the workout \"ben\", no longer in \"anna\";"))
    let again = try await run("pair", Self.first, "--as", "anna")
    #expect(again.code == 0 && again.text.contains("no longer in \"ben\""))
    let remark = try await run("pair", Self.first, "--as", "x # y")
    #expect(remark.code == 2 && remark.text.contains("expected a name without #"))
    let unknown = try await run("pair", "Belt", "--as", "anna", "--seconds", "1")
    #expect(
      unknown.code == 1 && unknown.text.contains("no sensor \"Belt\" was found; there is Strap"))
    #expect(try await run("unpair", "Strap 2").code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "\(Self.first) = anna\n")
  }

  /// The strap leaves and comes back, bluetoothd is killed and started, the adapter is pulled and put back.
  @Test func whatASensorSaysReachesItsWorkoutWhateverHappens() async throws {
    let (air, listener) = (try Air(), try Listener(lanes: ["anna"]))
    let run = try serve(air, listener)
    try await hear(150, air, listener)
    air.tell("lose 1")
    try await until("it is gone") { air.tell("state 1") == "apart unheard" }
    air.tell("come 1")
    try await hear(151, air, listener)
    air.tell("vanish")
    air.tell("appear")
    try await hear(152, air, listener)
    air.tell("unplug")
    air.tell("plug")
    try await hear(153, air, listener)
    // What BlueZ keeps of a value is no reading.
    #expect(!listener.values.contains { $0.number == 222 })
    kill(run.process.processIdentifier, SIGTERM)
    let end = try await run.end()
    #expect(end.code == 0 && air.tell("state 1") == "apart unheard")
    #expect(!end.text.contains("C0:F1") && !end.text.contains("15"))
  }

  @Test func aLinkThatOutlivedItsProgramIsEndedByTheNext() async throws {
    let (air, listener) = (try Air(), try Listener(lanes: ["anna"]))
    let killed = try serve(air, listener)
    try await until("it is connected") { isListened(air) }
    kill(killed.process.processIdentifier, SIGKILL)
    _ = try await killed.end()
    #expect(air.tell("state 1").hasPrefix("connected"))
    let next = try serve(air, listener)
    try await hear(140, air, listener)
    kill(next.process.processIdentifier, SIGTERM)
    #expect(try await next.end().code == 0 && air.tell("state 1") == "apart unheard")
  }

  /// Everybody on the system bus may send a signal to one process alone.
  @Test func aSignalThatIsNotOfBlueZIsNoReading() async throws {
    let (air, listener) = (try Air(), try Listener(lanes: ["anna"]))
    let run = try serve(air, listener)
    try await hear(150, air, listener)
    air.tell("forge 1 199")
    try await hear(151, air, listener)
    #expect(!listener.values.contains { $0.number == 199 })
    kill(run.process.processIdentifier, SIGTERM)
    let end = try await run.end()
    #expect(end.code == 0 && !end.text.contains("bluetoothd is gone"))
  }

  /// A neighbour's sensor has a name that moves the cursor, breaks the line and turns the writing round.
  @Test func aNameIsShownAndWrittenWithoutWhatIsNoLetter() async throws {
    let (air, listener) = (try Air(), try Listener(lanes: []))
    let file = "\(listener.folder)/deep/er/sensors.conf"
    air.tell(#"name 2 \x20HRM\x1b[2J\n\x9b31m #3\u202e = x "#)
    func run(_ arguments: String...) async throws -> (code: Int32, text: String) {
      try await Run(arguments, air, listener.folder).end()
    }
    let scan = try await run("scan", "--seconds", "1")
    #expect(scan.text.contains("\nHRM[2J31m #3 = x  C0:F1:F2:F3:F4:02"), "\(scan.text)")
    let json = try await run("scan", "--seconds", "1", "--json")
    #expect(json.text.contains(#""name":"HRM[2J31m #3 = x""#), "\(json.text)")
    let name = "HRM[2J31m #3 = x"
    let pair = try await run("pair", name, "--as", "ben", "--seconds", "1", "--config", file)
    #expect(pair.text == "\(name) is heard in the workout \"ben\"; written to \(file)\n")
    #expect(
      try String(contentsOfFile: file, encoding: .utf8) == "C0:F1:F2:F3:F4:02 = ben  # \(name)\n")
    #expect(try await run("unpair", name, "--config", file).code == 0)
    try "C0:F1 \u{9b}31m = a".write(toFile: file, atomically: true, encoding: .utf8)
    let wrong = try await run("sensors", "--config", file)
    #expect(wrong.code == 1 && wrong.text.contains("\"C0:F1  31m = a\""), "\(wrong.text)")
  }

  @Test func withoutAWorkoutOfThatNameNothingIsSent() async throws {
    let (air, listener) = (try Air(), try Listener(lanes: ["ben"]))
    let run = try serve(air, listener)
    try await until("it is connected") { isListened(air) }
    for _ in 0..<5 { air.tell("beat 1 170") }
    listener.tell(.lane, "anna")
    try await hear(171, air, listener)
    #expect(listener.values.allSatisfy { $0.lane == "anna" })
    kill(run.process.processIdentifier, SIGTERM)
    #expect(try await run.end().code == 0)
  }

  @Test func aLowBatteryIsLoggedOnce() async throws {
    let (air, listener) = (try Air(), try Listener(lanes: ["anna"]))
    let run = try serve(air, listener)
    try await hear(150, air, listener)
    for level in [11, 10, 9] { air.tell("battery 1 \(level)") }
    try await hear(151, air, listener)
    kill(run.process.processIdentifier, SIGTERM)
    let text = try await run.end().text
    #expect(text.contains("the battery of sensor …F4:01 is at 10 %\n"), "\(text)")
    #expect(!text.contains("11 %") && !text.contains("9 %"), "\(text)")
  }

  @Test func anotherListIsTakenWithoutARestart() async throws {
    let (air, listener) = (try Air(), try Listener(lanes: ["anna", "ben"]))
    let run = try serve(air, listener)
    try await hear(150, air, listener)
    let file = "\(listener.folder)/sensors.conf"
    let pair = try await Run(
      ["pair", Self.first, "--as", "ben", "--config", file], air, listener.folder
    ).end()
    #expect(pair.code == 0)
    try await until("it is ben's") {
      air.tell("beat 1 160")
      return listener.values.contains(.init(lane: "ben", name: "heart-rate", number: 160))
    }
    kill(run.process.processIdentifier, SIGTERM)
    #expect(try await run.end().code == 0)
  }

  @Test func withoutABusItTriesAgainAndEndsWhenItIsTold() async throws {
    let listener = try Listener(lanes: [])
    let file = "\(listener.folder)/sensors.conf"
    try "\(Self.first) = anna\n".write(toFile: file, atomically: true, encoding: .utf8)
    let run = try Run(["--config", file, "--socket", listener.path], nil, listener.folder)
    let scan = try await Run(["scan", "--seconds", "1"], nil, listener.folder).end()
    #expect(scan.code == 1 && scan.text.split(separator: "\n").count == 1)
    kill(run.process.processIdentifier, SIGTERM)
    #expect(try await run.end().code == 0)
  }

  /// A sensor is heard and there is no coach: of what happens at once one line is written.
  @Test func itLogsOneLineAMinuteAtMost() async throws {
    let (air, listener) = (try Air(), try Listener(lanes: []))
    let file = "\(listener.folder)/sensors.conf"
    try "\(Self.first) = anna\n".write(toFile: file, atomically: true, encoding: .utf8)
    let begin = ContinuousClock.now
    let run = try Run(
      ["--config", file, "--socket", "\(listener.folder)/none"], air, listener.folder)
    try await until("it is connected") { isListened(air) }
    kill(run.process.processIdentifier, SIGTERM)
    let end = try await run.end()
    // On a slow machine it may have run for longer than a minute.
    let minutes = Int(begin.duration(to: .now) / .seconds(60))
    #expect(end.code == 0, "\(end.text)")
    #expect((1...1 + minutes).contains(end.text.split(separator: "\n").count), "\(end.text)")
  }

  @Test func aRecordIsSentInPlaceOfSensors() async throws {
    let listener = try Listener(lanes: ["anna"])
    let file = "\(listener.folder)/ride.csv"
    try "0,watts,187\n0.1,heart-rate,140\n".write(toFile: file, atomically: true, encoding: .utf8)
    let run = try Run(
      ["--replay", file, "--as", "anna", "--socket", listener.path], nil, listener.folder)
    #expect(try await run.end().code == 0)
    try await until("both have come") { listener.values.count == 2 }
    #expect(listener.values.map(\.name) == ["watts", "heart-rate"])
    #expect(listener.values.map(\.number) == [187, 140])
    let wrong = try await Run(["--replay", "/none.csv"], nil, listener.folder).end()
    #expect(wrong.code == 2 && wrong.text.hasPrefix("cuecoach-sense: /none.csv"))
    let nobody = try await Run(["--replay", file, "--as", "a\nb"], nil, listener.folder).end()
    #expect(nobody.code == 2 && nobody.text.contains("--as \"a b\": expected a name"))
  }
}

/// The list of sensors.
@Suite struct SensorsFileTests {
  private func parse(_ text: String) throws -> SensorsFile {
    var file = SensorsFile()
    try file.parse(text, "s.conf")
    return file
  }

  @Test func aLineIsAnAddressAndAWorkout() throws {
    let file = try parse(
      "# Ours\n\nc0:f1:f2:f3:f4:01 = Anna B  # Strap 42\nC0:F1:F2:F3:F4:02=ben\n")
    #expect(
      file.entries == [
        .init(address: "C0:F1:F2:F3:F4:01", workout: "Anna B", name: "Strap 42"),
        .init(address: "C0:F1:F2:F3:F4:02", workout: "ben"),
      ])
  }

  @Test func aFileOfWindowsHasTheSameSensors() throws {
    let file = try parse(
      "# Ours\r\nC0:F1:F2:F3:F4:01 = anna\r\nC0:F1:F2:F3:F4:02 = ben  # Strap\r\n")
    #expect(file.entries.map(\.workout) == ["anna", "ben"])
    #expect(file.entries.last?.name == "Strap")
  }

  @Test func sixteenSensorsAreTheMost() throws {
    let lines = (0..<17).map { "C0:F1:F2:F3:F4:\(10 + $0) = anna\n" }
    var file = try parse(lines.dropLast().joined())
    #expect(file.entries.count == 16)
    let one = SensorsFile.Entry(address: "C0:F1:F2:F3:F4:99", workout: "anna")
    #expect(throws: Complaint.self) { try file.add(one) }
    let error = #expect(throws: Complaint.self) { try parse(lines.joined()) }
    #expect(error?.message == "s.conf:17: more sensors, expected at most 16")
  }

  @Test func aSensorKeepsItsNameInAnotherWorkout() throws {
    var file = try parse("C0:F1:F2:F3:F4:01 = anna  # Strap 42\n")
    try file.add(.init(address: "C0:F1:F2:F3:F4:01", workout: "ben"))
    #expect(
      file.entries == [.init(address: "C0:F1:F2:F3:F4:01", workout: "ben", name: "Strap 42")])
  }

  /// A list that is kept elsewhere, with a link to it.
  @Test func aListBehindALinkIsWrittenWhereItIs() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (list, link) = ("\(folder.path)/list", "\(folder.path)/sensors.conf")
    try "# Ours\n".write(toFile: list, atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: list)
    var file = try SensorsFile.read(link)
    try file.add(.init(address: "C0:F1:F2:F3:F4:01", workout: "anna"))
    try file.write(link)
    #expect(
      try String(contentsOfFile: list, encoding: .utf8) == "# Ours\nC0:F1:F2:F3:F4:01 = anna\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == list)
  }

  @Test(arguments: [("", nil), ("x", nil), ("/home/anna", "/home/anna")])
  func aPlaceIsAWholePath(value: String, place: String?) {
    #expect(Places.values { _ in value }["XDG_CONFIG_HOME"] == place)
  }

  @Test(arguments: [
    ("anna", "s.conf:1: \"anna\", expected an address and a workout"),
    ("C0:F1:F2:F3:F4 = anna", "expected an address and a workout"),
    ("\nC0:F1:F2:F3:F4:01 =", "s.conf:2: the workout \"\", expected"),
    ("C0:F1:F2:F3:F4:01 = a\nC0:F1:F2:F3:F4:01 = b", "s.conf:2: C0:F1:F2:F3:F4:01 twice"),
  ])
  func aMistakeIsOneLineWithItsPlace(text: String, says: String) {
    let error = #expect(throws: Complaint.self) { try parse(text) }
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }
}
