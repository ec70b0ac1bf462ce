import ControlProtocol
import ForeignWorkouts
import Foundation
import TestSupport
import Testing

@testable import cuecoach

/// Files of strangers, which another process reads and writes as presets and the other way round.
@Suite struct ConvertedFileTests {
  private static func text(
    of bytes: [UInt8], named name: String = "ride.zwo", as format: String = "yaml",
    command: [String] = [Program.path, "convert"], patience: Duration = .seconds(600),
    in language: String? = nil
  ) async throws -> (text: String, reports: [String]) {
    try await apart {
      try ConvertedFile(command: command, patience: patience).text(
        of: bytes, named: name, as: format, in: language)
    }
  }

  private static func fault(
    _ bytes: [UInt8], named name: String = "ride.zwo", as format: String = "yaml",
    command: [String] = [Program.path, "convert"], patience: Duration = .seconds(600)
  ) async throws -> String {
    do {
      _ = try await text(
        of: bytes, named: name, as: format, command: command, patience: patience)
      return "it is read"
    } catch let error as ControlError {
      #expect(!error.message.contains("\n"))
      return error.message
    }
  }

  private static let ride = """
    <workout_file><workout><SteadyState Duration="60" Power="0.5" Gear="2"/></workout></workout_file>
    """

  @Test func aFileBecomesAPresetAndBack() async throws {
    let read = try await Self.text(of: Array(Self.ride.utf8))
    #expect(read.text.hasPrefix("name: ride\n") && read.text.contains("1m"))
    #expect(read.reports == ["the attribute \"gear\" of a block is not kept"])
    let german = try await Self.text(of: Array(Self.ride.utf8), in: "de-AT")
    #expect(german.text == read.text && german.reports.count == 1)
    #expect(german.reports != read.reports && german.reports[0].contains("\"gear\""))
    // A language that the coach has not.
    #expect(try await Self.text(of: Array(Self.ride.utf8), in: "../de").reports == read.reports)
    for (format, part) in [
      ("zwo", "<SteadyState"), ("mrc", "MINUTES PERCENT"), ("erg", "MINUTES WATTS"), ("json", "{"),
    ] {
      let written = try await Self.text(
        of: Array(read.text.utf8), named: "ride.yaml", as: format)
      #expect(written.text.contains(part), "\(written.text)")
    }
  }

  /// Files that end too early, that grow when they are read, and of brackets alone.
  private static let hostile: [(name: String, bytes: [UInt8], fault: String)] = [
    ("cut.fit", [14, 16, 0, 0, 232, 3, 0, 0, 46, 70, 73, 84, 0, 0], "cut.fit: "),
    (
      "laughs.zwo",
      Array("<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>".utf8),
      "laughs.zwo:2: a document type or a declaration of entities, expected XML without"
    ),
    (
      "deep.json", Array(repeating: UInt8(ascii: "["), count: ControlLimits.file),
      "deep.json:1: JSON"
    ),
    (
      "deep.zwo", Array(String(repeating: "<a>", count: 80_000).utf8), "deep.zwo:1: elements nested"
    ),
    ("bomb.zip", [80, 75, 3, 4, 20, 0, 0, 0, 8, 0], "bomb.zip:"),
    ("--help", Array("{".utf8), "--help:"), ("empty.erg", [], "empty.erg"),
    ("../etc.mrc", Array("[COURSE HEADER]\n".utf8), "../etc.mrc:"),
  ]

  @Test(arguments: hostile.indices) func aHostileFileIsALine(_ index: Int) async throws {
    let (name, bytes, expected) = Self.hostile[index]
    let fault = try await Self.fault(bytes, named: name)
    #expect(fault.hasPrefix(expected) && fault.contains("expected"), "\(fault)")
  }

  @Test func whatIsTooLongForAPresetIsSaid() async throws {
    let blocks = (0..<2_000).map {
      "<SteadyState Duration=\"\(($0 * 2_654_435 >> 7) % 30 + 10)\" Power=\"0.5\"/>"
    }
    let file = "<workout_file><workout>\(blocks.joined())</workout></workout_file>"
    let fault = try await Self.fault(Array(file.utf8))
    #expect(fault.hasSuffix(" bytes as yaml, expected at most 49152"), "\(fault)")
  }

  /// Whatever a file makes of its reader: that can open and start nothing.
  @Test func theReaderIsConfined() async throws {
    let space = Workspace()
    try space.write(Self.ride, to: "ride.zwo")
    var program = Program(in: space.folder)
    program.redirection = "< ride.zwo"
    program.output = .stuck
    let running = try await program.start(["convert", "-", "--json", "--name=ride.zwo"])
    // Each with its name, what is allowed now and at most, and its unit.
    let limits: @Sendable () -> [String] = {
      let table = try? String(contentsOfFile: "/proc/\(running.pid)/limits", encoding: .utf8)
      return (table ?? "").split(separator: "\n").map {
        $0.split(separator: " ").joined(separator: " ")
      }
    }
    try await running.until("it is confined") {
      limits().contains("Max open files 0 0 files")
    }
    let found = limits()
    for limit in [
      "Max processes 0 0 processes", "Max cpu time 5 5 seconds",
      "Max data size 268435456 268435456 bytes",
    ] {
      #expect(found.contains(limit), "\(found)")
    }
    running.send(signal: SIGKILL)
    _ = await running.end()
  }

  @Test func theCommandReadsTheStandardInput() async throws {
    let space = Workspace()
    try space.write(Self.ride, to: "ride.zwo")
    let program = Program(in: space.folder).with(\.redirection, "< ride.zwo")
    let named = try await program.run(["convert", "-", "--name", "hills.zwo"]).expect(0)
    #expect(named.output.hasPrefix("name: hills\n"))
    #expect(named.errors == "cuecoach: hills.zwo: the attribute \"gear\" of a block is not kept\n")
    try await program.run(["convert", "-", "--output", "new.yaml"]).expect(0)
    #expect(
      try String(contentsOfFile: space.folder + "/new.yaml", encoding: .utf8).hasPrefix("name: "))
    try await program.run(["convert", "ride.zwo", "--name", "a"]).expectOneLine(2, "--name is for")
    try await program.run(["convert", "-", "--json", "--output", "a"]).expect(2)
    let object = try await space.run("convert", "ride.zwo", "--json").expect(0)
    #expect(object.output.hasPrefix(#"{"text":"name: ride\n"#) && object.errors.isEmpty)
  }

  @Test func theOtherProcessMayFail() async throws {
    for (command, patience, reason) in [
      (
        ["/bin/sh", "-c", "sleep 600"], Duration.milliseconds(50),
        "ride.zwo: it is not read: it takes more"
      ),
      (["/nowhere/cuecoach"], .seconds(600), "ride.zwo: it is not read: there is no program"),
      (["/bin/true"], .seconds(600), "ride.zwo: it cannot be read"),
    ] {
      let fault = try await Self.fault([1], command: command, patience: patience)
      #expect(fault.hasPrefix(reason), "\(fault)")
    }
    #expect(try await Self.fault([], as: "exe").hasPrefix("to \"exe\": expected one of yaml"))
  }
}
