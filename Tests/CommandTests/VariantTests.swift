import Foundation
import Testing

/// What a preset leaves to the run: `--seed` and `--group`, notes and links, and totals that are about right.
@Suite struct VariantTests {
  private let space = Workspace()

  private static let fartlek =
    "name: Fartlek\nblocks: [{sets: 3, phases: [{low: 5s to 60s}, {high: 5s to 60s, surprise: yes}]}]\n"

  private func outcome(_ preset: String, _ arguments: String...) async throws -> Outcome {
    let path = try space.write(preset, to: "preset.yaml")
    return try await space.program.run([arguments[0], path] + arguments.dropFirst())
  }

  @Test func checkShowsTheSeed() async throws {
    let outcome = try await outcome(Self.fartlek, "check", "--seed", "7")
    #expect(outcome.status == .exited(0))
    #expect(outcome.lines.first?.hasSuffix(", seed 7") == true)
    let own = try await self.outcome("seed: 11\n" + Self.fartlek, "check")
    #expect(own.lines.first?.hasSuffix(", seed 11") == true)
  }

  @Test func theDaysSeedIsTheDate() async throws {
    let outcome = try await outcome(Self.fartlek, "check", "--json")
    let seed = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])["seed"]
    let number = try #require(seed as? Int)
    #expect((20_200_101...99_991_231).contains(number))
    #expect((1...12).contains(number / 100 % 100) && (1...31).contains(number % 100))
  }

  @Test func theSameSeedIsTheSameTimeline() async throws {
    let first = try await outcome(Self.fartlek, "timeline", "--seed", "7")
    let again = try await outcome(Self.fartlek, "timeline", "--seed", "7")
    let other = try await outcome(Self.fartlek, "timeline", "--seed", "8")
    #expect(first.output == again.output)
    #expect(first.output != other.output)
  }

  @Test func aGroupBeginsAtItsStation() async throws {
    let preset =
      "name: Class\nblocks: [{stations: [A, B, C], phases: [{work: 1m, name: \"{station}\"}]}]\n"
    let outcome = try await outcome(preset, "timeline", "--group", "2")
    #expect(
      outcome.lines.filter { $0.contains("  set ") }.map { $0.split(separator: " ")[1] } == [
        "B,", "C,", "A,",
      ])
    let wrong = try await self.outcome(preset, "timeline", "--group", "0")
    #expect(wrong.status == .exited(2))
    #expect(wrong.errors.contains("--group 0: expected a number from 1 to 1000"))
    for (command, takesSeveral) in [("render", false), ("show", false), ("run", true)] {
      let help = try await self.outcome(preset, command, "--help").output
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(help.contains("Begin at this station, from 1"))
      #expect(help.contains("with several presets") == takesSeveral)
    }
  }

  private static let ridden = """
    name: Ride
    ftp: 280
    blocks: [{phases: [{work: 1m, intensity: 95 % FTP, say: "{intensity}"}, {work: 1m, intensity: 280 W}]}]

    """

  @Test func intensitiesAreInOnesOwnNumbers() async throws {
    let table = try await outcome(Self.ridden, "timeline", "--ftp", "250")
    #expect(table.lines.contains("0:00  Work, 1:00 (238 W)"))
    #expect(table.lines.contains("1:00  Work, 1:00 (250 W)"))
    #expect(table.output.contains("238 watts"))
    let check = try await outcome(Self.ridden, "check", "--ftp", "250")
    #expect(
      check.errors.contains("its watts are of an FTP of 280 W and are scaled to one of 250 W"))
    // A target in percent has a number then.
    let target = Self.ridden.replacing("intensity: 95 % FTP", with: "target: {power: 95 % FTP}")
    #expect(try await !outcome(target, "check", "--ftp", "250").output.contains("not coached"))
    #expect(
      try await outcome(target, "check").output.contains(
        "preset.yaml:3: the target of Work is not coached: the athlete's ftp is not known, expected in "
          + "config.yaml, or as --ftp\n"))
    let plain = try await outcome(Self.ridden, "timeline")
    #expect(plain.lines.contains("0:00  Work, 1:00 (95 % FTP)"))
    #expect(plain.output.contains("95 percent"))
  }

  @Test func aTargetThatNoPhaseHasTimeForIsSaid() async throws {
    func notes(_ phase: String) async throws -> [String] {
      let text = "name: Ride\nblocks:\n  - phases:\n      - {\(phase)}\n"
      return try await outcome(text, "check").lines.filter { $0.contains("not coached") }
    }
    let heart = try await notes("work: 78s, target: {heart-rate: 140 to 155}")
    try #require(heart.count == 1)
    #expect(
      heart[0].hasSuffix(
        "preset.yaml:4: the target of Work is not coached: its phase is too short, expected more than "
          + "1:18 for heart-rate"))
    #expect(try await notes("work: 79s, target: {heart-rate: 140 to 155}") == [])
    #expect(try await notes("work: 23s, target: {watts: 190 to 210}").count == 1)
    #expect(try await notes("work: 24s, target: {watts: 190 to 210}") == [])
  }

  /// Of a preset in percent nothing is compared before the athlete's number is known.
  @Test func readingsThatNothingRefersToAreALine() async throws {
    try space.write("0,watts,200\n1,watts,201\n", to: "ride.csv")
    func lines(_ words: String...) async throws -> [String] {
      let text = "name: Ride\nblocks: [{phases: [{work: 1m, intensity: 95 % FTP}]}]\n"
      let path = try space.write(text, to: "preset.yaml")
      let outcome = try await space.program.run(
        ["timeline", path, "--with", "ride.csv"] + words)
      return outcome.errorLines
    }
    #expect(
      try await lines() == [
        "cuecoach: ride.csv: no reading is of a target of \"Ride\"; the athlete's ftp is not known, "
          + "expected as --ftp"
      ])
    #expect(try await lines("--ftp", "250") == [])
  }

  @Test(arguments: [
    ("--ftp", "5", "--ftp 5: expected watts from 20 to 1000"),
    ("--max-heart-rate", "0", "--max-heart-rate 0: expected beats per minute from 60 to 250"),
    ("--threshold-pace", "fast", "--threshold-pace \"fast\": expected a pace from 2:00/km"),
  ])
  func wrongNumberOfAnAthleteIsOneLine(option: String, value: String, says: String) async throws {
    let outcome = try await outcome(Self.ridden, "check", option, value)
    #expect(outcome.status == .exited(2))
    #expect(outcome.errors.contains(says))
  }

  @Test func athletesOfTheConfigurationAreThoseOfTheLanes() async throws {
    let path = try space.write(Self.ridden, to: "preset.yaml")
    try space.write(
      "athletes:\n  default: {ftp: 200}\n  anna: {ftp: 300}\n", to: ".config/cuecoach/config.yaml")
    let table = try await space.run("timeline", path)
    #expect(table.lines.contains("0:00  Work, 1:00 (190 W)"))
    let own = try await space.run("timeline", path, "--ftp", "250")
    #expect(own.lines.contains("0:00  Work, 1:00 (238 W)"))
  }

  private static let noted = """
    name: A
    link: https://example.org
    blocks: [{phases: [{work: {until: next, about: 5m, at-most: 6m}, note: Five}]}]

    """

  @Test func notesLinksAndAboutAreShownByCheck() async throws {
    let outcome = try await outcome(Self.noted, "check")
    #expect(outcome.lines[0].hasSuffix("1 phase, about 5:00"))
    #expect(outcome.lines[1...2] == ["  link: https://example.org", "  work: note: Five"])
  }

  @Test func notesAndLinksAreShownByShow() async throws {
    let lines = try await outcome(Self.noted, "show", "--words").lines
    #expect(lines.contains("  link: https://example.org"))
    #expect(lines.contains("  work: note: Five"))
  }

  @Test func notesAndLinksAreShownByRun() async throws {
    let preset = """
      name: A
      link: https://example.org
      density: quiet
      blocks: [{phases: [{work: 0.5s, note: Five}]}]

      """
    let outcome = try await outcome(preset, "run", "--no-sound")
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors.contains("cuecoach: link: https://example.org\n"))
    #expect(outcome.lines.contains("    Five"))
  }
}
