import Foundation
import Testing

/// Workouts of other programs: converted, checked, shown and rendered.
@Suite struct ConvertCommandTests {
  private let space = Workspace()

  private static let ride = """
    <workout_file><author>A</author><name>Ride</name><workout>
    <Warmup Duration="3" PowerLow="0.4" PowerHigh="0.75" Gear="2"/>
    <SteadyState Duration="2" Power="1.2"/><SteadyState Duration="1" Power="0.5"/>
    <SteadyState Duration="2" Power="1.2"/><SteadyState Duration="1" Power="0.5"/>
    </workout></workout_file>
    """

  private static let preset = """
    name: Ride
    author: A
    blocks:
      - phases:
          - warmup: 3s
            intensity: from 40 to 75 % FTP
      - sets: 2
        phases:
          - high: 2s
            name: VO2 max
            intensity: 120 % FTP
          - recovery: 1s
            intensity: 50 % FTP

    """

  init() throws { try space.write(Self.ride, to: "ride.zwo") }

  private static let report = "the attribute \"gear\" of a block is not kept"

  @Test func whatIsWrittenOutOfAPresetIsReported() async throws {
    let text = """
      name: Class
      seed: 7
      blocks:
        - stations: [Rope, Bench]
          phases:
            - work: {reps: 2, tempo: 1-0-1-0}
            - rest: 10s to 20s
      """
    try space.write(text, to: "class.yaml")
    let outcome = try await space.run("convert", "class.yaml", "--group", "2")
    #expect(
      outcome.errors == """
        cuecoach: class.yaml: the stations are written out for group 2
        cuecoach: class.yaml: what is drawn is written out as seed 7 draws it
        cuecoach: class.yaml: each word of a tempo is written out as a text

        """)
    #expect(outcome.status == .exited(0))
    let other = try await space.run("convert", "class.yaml", "--to", "zwo")
    #expect(!other.errors.contains("tempo"))
  }

  @Test func presetGoesToStandardOutputAndReportsDoNot() async throws {
    let outcome = try await space.run("convert", "ride.zwo").expect(0)
    #expect(outcome.output == Self.preset)
    #expect(outcome.errors == "cuecoach: ride.zwo: \(Self.report)\n")
    let flat = try await space.run("convert", "ride.zwo", "--flat")
    #expect(!flat.output.contains("sets"))
    #expect(flat.output.split(separator: "\n").count { $0.contains("high: 2s") } == 2)
    let sets = try await space.run("timeline", "ride.zwo")
    #expect(sets.output.contains("set 1 of 2"))
    let phases = try await space.run("timeline", "ride.zwo", "--flat").expect(0)
    #expect(!phases.output.contains("set 1"))
  }

  /// Found by `make fuzz-files`: libxml2 wrote two lines of its own.
  @Test func anErrorOfXMLIsOneLine() async throws {
    try space.write("\u{FEFF}<\0\0\0workout_file>", to: "ucs4.zwo")
    let outcome = try await space.run("check", "ucs4.zwo").expectOneLine(2)
    #expect(outcome.errors.hasPrefix("ucs4.zwo:1: XML that is not well-formed"))
  }

  @Test(arguments: ["yaml", "zwo", "mrc", "erg", "intervals", "json"])
  func eachFormatIsWrittenAndReadAgain(format: String) async throws {
    let written = try await space.run(
      "convert", "ride.zwo", "--to", format, "--output", "out.\(format)"
    ).expect(0)
    #expect(written.output == "")
    let outcome = try await space.run("timeline", "./out.\(format)", "--json")
    let timeline = try TimelineObject(outcome.output)
    #expect(timeline.phases.map(\.end) == [3, 5, 6, 8, 9])
  }

  @Test func existingFileIsReplacedByForceAlone() async throws {
    for name in ["out.yaml", "out.txt"] {
      try space.write("precious\n", to: name)
      let refused = try await space.run("convert", "ride.zwo", "--output", name).expect(2)
      #expect(refused.errors.contains("that file exists; expected another name, or --force"))
      #expect(try space.text(name) == "precious\n")
      try await space.run("convert", "ride.zwo", "--output", name, "--force").expect(0)
      #expect(try space.text(name) == Self.preset)
    }
    try await space.run("convert", "ride.zwo", "--output", "ride.zwo", "--force").expect(2)
    #expect(try space.text("ride.zwo") == Self.ride)
    let nowhere = try await space.run("convert", "ride.zwo", "--output", "no/folder/a.yaml")
      .expect(1)
    #expect(nowhere.lines.isEmpty)
  }

  @Test func otherCommandsTakeSuchFiles() async throws {
    let check = try await space.run("check", "ride.zwo").expect(0)
    #expect(check.lines.first == "ride.zwo: correct: Ride, 5 phases, 0:09")
    #expect(check.errors.contains("ride.zwo: \(Self.report)"))
    let table = try await space.run("timeline", "ride.zwo")
    #expect(table.lines.contains("0:03  VO2 max, 0:02 (120 % FTP)  set 1 of 2"))
    #expect(table.errors == "cuecoach: ride.zwo: \(Self.report)\n")
    try await space.run("render", "ride.zwo", "--output", "ride.wav").expect(0)
    let run = try await space.run(
      "run", "ride.zwo", "--no-sound", "--ledger", Workspace.ledgerName
    ).expect(0)
    #expect(run.errors.contains("ride.zwo: \(Self.report)"))
  }
}
