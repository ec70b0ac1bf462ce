import ForeignWorkouts
import IntervalTimeline
import Testing

/// The text in which intervals.icu writes workouts.
@Suite struct IntervalsTextTests {
  private func outline(_ text: String) throws -> [String] {
    let file = try foreign(text, "folder/My ride.txt")
    #expect(file.format == .intervals)
    #expect(file.workout.name == "My ride")
    return Outline(file.workout).lines
  }

  @Test func titlesAndRepetitionsAreBlocks() throws {
    let lines = try outline(
      """
      Warmup
      - Spin up 10m ramp 50-75%

      Main set 4x
      - Hard 1m 110% 90rpm
      - Recovery 30s 50%

      2x

      - 5m Z4
      - 2m Z1

      Cooldown
      - 5m 50%
      """)
    #expect(
      lines == [
        "-", "  warmup 600.0 \"Spin up\" (from 50 to 75 % FTP)", "4 x",
        "  high 60.0 \"Hard\" (110 % FTP, 90 rpm)", "  recovery 30.0 (50 % FTP)", "2 x",
        "  high 300.0 \"Threshold\" (zone 4)", "  recovery 120.0 (zone 1)", "-",
        "  cooldown 300.0 (50 % FTP)",
      ])
  }

  @Test(arguments: [
    ("10m", 600), ("1h30m", 5400), ("90s", 90), ("5m30", 330), ("5m30s", 330), ("2'", 120),
    ("45\"", 45), ("1'30\"", 90), ("0.5h", 1800), ("1H", 3600),
  ])
  func lengthsAreRead(text: String, seconds: Int) throws {
    #expect(try outline("- \(text) 200w") == ["-", "  work \(Double(seconds)) (200 W)"])
  }

  @Test(arguments: [
    ("400mtr", "400 m"), ("1.5km", "1500 m"), ("2km", "2000 m"), ("1mi", "1609.3 m"),
    ("100y", "91.4 m"),
  ])
  func distancesAreOpenPhases(text: String, name: String) throws {
    #expect(try outline("- Run \(text)") == ["-", "  work open \"\(name) Run\""])
  }

  @Test(arguments: [
    ("- 10m ramp 50-75% 90rpm", "low 600.0 \"Endurance\" (from 50 to 75 % FTP, 90 rpm)"),
    ("- Spin 10m Ramp 120-180w", "work 600.0 \"Spin\" (from 120 to 180 W)"),
    (
      "- Easy 5m ramp 60-80% HR",
      "recovery 300.0 \"Easy\" (from 60 to 80 % of maximum heart rate)"
    ),
    ("- 5m ramp 60-60%", "low 300.0 \"Endurance\" (60 % FTP)"),
    ("- 5m 88-94%", "high 300.0 \"Threshold\" (88 to 94 % FTP)"),
    ("- Up 2km ramp 50-75%", "low open \"2000 m Up\" (from 50 to 75 % FTP)"),
    ("- 5m 95% LTHR", "work 300.0 (95 % of threshold heart rate)"),
    ("- 5m Z2 HR", "work 300.0 (heart-rate zone 2)"),
    ("- 5m 95-100% Pace", "work 300.0 (95 to 100 % of threshold speed)"),
    ("- 5m 4:30/km Pace", "work 300.0 (4:30/km)"),
    ("- Rest 5m 105%", "high 300.0 \"Rest\" (105 % FTP)"),
    ("- 5m all out 90rpm", "work 300.0 (all out, 90 rpm)"),
    ("- 5m all out", "work 300.0 (all out)"),
  ])
  func targetIsReadAndDecidesTheKind(text: String, phase: String) throws {
    #expect(try outline(text) == ["-", "  \(phase)"])
  }

  @Test func promptsAreSaidAtTheirTimes() throws {
    #expect(
      try outline("- First 60^30 Second one 120^Third <!> 10m 95%") == [
        "-", "  high 600.0 \"First\" (95 % FTP) [60.0: Second one] [120.0: Third]",
      ])
  }

  @Test func lapKeyEndsAStep() throws {
    #expect(try outline("- Ready press lap 50%") == ["-", "  prepare open \"Ready\" (50 % FTP)"])
  }

  @Test(arguments: [
    ("- 10m\n- fast", "2: a step without a length: \"fast\""),
    ("- 0m\n", "1: the length is 0"), ("- 25h", "1: the length is 90000"),
    ("- 99999999999999999999h", "1: the length is"), ("0x\n- 1m", "1: the repetition is \"0\""),
    ("99999999999x\n- 1m", "1: the repetition is"), ("10000x\n- 1m", "1: more than 24 h"),
    ("- 0km", "1: a distance of 0 m"),
  ])
  func mistakeHasItsLine(text: String, says: String) throws {
    let message = try #require(complaint(text))
    #expect(message.hasPrefix("a.txt:\(says)"), "\(message)")
  }

  @Test func otherLinesAreReported() throws {
    let file = try foreign("Have fun\n- 10m 75%\nMain set 3x\n- 1m\n")
    #expect(file.reports == ["titles and lines that are no steps are not kept"])
  }
}
