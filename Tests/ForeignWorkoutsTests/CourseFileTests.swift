import ForeignWorkouts
import Foundation
import IntervalTimeline
import Presets
import Testing

/// Courses of ergometers.
@Suite struct CourseFileTests {
  private static func file(
    _ data: String, _ unit: String = "PERCENT", head: String = "", text: String = ""
  ) -> String {
    "[COURSE HEADER]\n\(head)MINUTES \(unit)\n[END COURSE HEADER]\n[COURSE DATA]\n\(data)"
      + "\n[END COURSE DATA]\n\(text)"
  }

  private static let data = "0 40\n5.00 70\n5.00 120\n5.33 120\n5.33\t50\n5.67  50\n8 70\n10 40"

  @Test func stepsAreRepeatedMinutesAndSlopesAreRamps() throws {
    let course = try foreign(Self.file(Self.data, head: "DESCRIPTION = Micro\n"))
    #expect(course.workout.name == "Micro")
    #expect(
      Outline(course.workout).lines == [
        "-", "  warmup 300.0 (from 40 to 70 % FTP)", "  high 20.0 \"VO2 max\" (120 % FTP)",
        "  recovery 20.0 (50 % FTP)", "  low 140.0 \"Endurance\" (from 50 to 70 % FTP)",
        "  cooldown 120.0 (from 70 to 40 % FTP)",
      ])
  }

  @Test func wattsAreJudgedByTheFTPOfTheHeader() throws {
    let data = "0 100\n1 100\n1 250\n2 250"
    let known = try foreign(Self.file(data, "WATTS", head: "FTP = 250\n"))
    #expect(
      Outline(known.workout).lines == [
        "-", "  recovery 60.0 (100 W)", "  high 60.0 \"Threshold\" (250 W)",
      ])
    #expect(known.reports.isEmpty)
    let unknown = try foreign(Self.file(data, "WATTS"))
    #expect(
      Outline(unknown.workout).lines == [
        "-", "  low 60.0 \"Easy\" (100 W)", "  high 60.0 \"Hard\" (250 W)",
      ])
    let even = try foreign(Self.file("0 200\n1 200\n1 205\n2 205", "WATTS"))
    #expect(Outline(even.workout).lines == ["-", "  work 60.0 (200 W)", "  work 60.0 (205 W)"])
    #expect(
      unknown.reports == [
        "without FTP in the header what is above the mean power is hard, below it easy"
      ])
  }

  @Test func whatIsWrittenOutIsFoundAsSets() throws {
    var data = ""
    for set in 0..<4 {
      let start = Double(set) / 2
      data += "\(start) 120\n\(start + 0.33) 120\n\(start + 0.33) 50\n\(start + 0.5) 50\n"
    }
    let text = Self.file(data.replacing("0.8300000000000001", with: "0.83"))
    let phases = ["  high 20.0 \"VO2 max\" (120 % FTP)", "  recovery 10.0 (50 % FTP)"]
    #expect(Outline(try foreign(text).workout).lines == ["4 x"] + phases)
    let flat = ["-"] + phases + phases + phases + phases
    #expect(Outline(try foreign(text, flat: true).workout).lines == flat)
  }

  @Test(arguments: [
    "0 60\n2 LAP Over the top\n4 80\n4 100 LAP\n6 100",
    "0 60\n4 80\n4 100 lap\n6 100\n2.00 LAP Over the top",
  ])
  func lapEndsAPhaseAlsoWhereThePowerGoesOn(data: String) throws {
    #expect(
      Outline(try foreign(Self.file(data)).workout).lines == [
        "-", "  warmup 120.0 (from 60 to 70 % FTP)",
        "  low 120.0 \"Over the top\" (from 70 to 80 % FTP)",
        "  high 120.0 \"Threshold\" (100 % FTP)",
      ])
  }

  @Test func lapWithoutAPhaseAroundItIsNoMistake() throws {
    let laps = "0 LAP\n0 60\n1 60 LAP\n1 LAP\n9 LAP\n2 60"
    #expect(
      Outline(try foreign(Self.file(laps)).workout).lines == [
        "-", "  low 60.0 \"Endurance\" (60 % FTP)", "  low 60.0 \"Endurance\" (60 % FTP)",
      ])
  }

  /// The lengths of the stretches of a course, in seconds; nil for a phase of its own.
  private func stretches(_ data: String, _ unit: String = "PERCENT") throws -> [Int?] {
    let workout = try foreign(Self.file(data, unit, head: "FTP = 250\n")).workout
    return try Timeline(workout).entries.reduce(into: []) { stretches, entry in
      let length = Int((entry.phase.length.duration ?? .zero) / .seconds(1))
      switch entry.phase.course {
      case .begins: stretches.append(length)
      case .continues: stretches[stretches.count - 1]! += length
      case nil: stretches.append(nil)
      }
    }
  }

  private static func hills(_ count: Int, seconds: Int = 60) -> String {
    (0...count).map { "\(Double($0 * seconds) / 60) \($0.isMultiple(of: 2) ? 60 : 75)" }
      .joined(separator: "\n")
  }

  @Test(
    arguments: [
      (hills(3), [nil, nil, nil]), (hills(4), [240]), (hills(5), [300]), (hills(6), [180, 180]),
      (hills(9), [240, 300]), (hills(12), [240, 240, 240]), (hills(5, seconds: 15), [75]),
      (hills(4, seconds: 120), [240, 240]),
      (hills(8, seconds: 121), Array(repeating: nil, count: 8)),
      ("0 60\n1 62\n1 65\n2 68\n2 65\n3 60\n4 60", [240]),
      ("0 60\n1 62\n1 65.1\n2 68\n2 65\n3 60\n4 60", [nil, nil, nil, nil]),
      (hills(4) + "\n9 60\n" + "9 90\n10 95\n11 90\n12 95\n13 90", [240, nil, 240]),
    ] as [(String, [Int?])])
  func manyShortPhasesInARowAreStretches(data: String, lengths: [Int?]) throws {
    let found = try stretches(data)
    #expect(found.map { $0 ?? 0 }.sorted() == lengths.map { $0 ?? 0 }.sorted(), "\(found)")
  }

  @Test func wattsGoOnWithinEight() throws {
    #expect(try stretches("0 150\n1 160\n1 168\n2 180\n2 172\n3 180\n4 170", "WATTS") == [240])
    let far = try stretches("0 150\n1 160\n1 169\n2 180\n2 172\n3 180\n4 170", "WATTS")
    #expect(far == [nil, nil, nil, nil])
  }

  @Test func placesInACourseAreWrittenInAPreset() throws {
    let workout = try foreign(Self.file(Self.hills(6))).workout
    let text = WorkoutWriter(workout, as: .yaml).text
    #expect(text.components(separatedBy: "course: begins").count == 3)
    #expect(try PresetFile.parse(Array(text.utf8), file: "a.yaml").blocks == workout.blocks)
  }

  @Test(arguments: ["10\tGo on\t5\n70\tRest", "0.1667 Go on 10\n1.1667 Rest 5"])
  func textsAreSaidAtTheirTimes(lines: String) throws {
    let text = "[COURSE TEXT]\n\(lines)\n[END COURSE TEXT]\n"
    let course = try foreign(Self.file("0 90\n1 90\n1 50\n2 50", text: text))
    let remarks = course.workout.blocks[0].steps.map { $0.phase.remarks }
    #expect(remarks.map(\.count) == [1, 1])
    for remark in remarks.compactMap(\.first) {
      guard case .fromStart(let time) = remark.place else { continue }
      #expect((.seconds(10) ... .milliseconds(10_010)).contains(time))
    }
    #expect(remarks[0].first?.wordings.first?.filled { _ in nil } == "Go on")
  }

  @Test func byteOrderMarkAndCarriageReturnsAreNoMistakes() throws {
    let text = "\u{FEFF}" + Self.file(Self.data).replacing("\n", with: "  \r\n")
    #expect(try foreign(text).workout.blocks == foreign(Self.file(Self.data)).workout.blocks)
  }

  @Test(arguments: [
    ("0 40\nx 5", "6: data that is \"x 5\""), ("0 40\n5", "6: data that is \"5\""),
    ("5 40\n1 40", "6: \"1\" minutes after a later time"),
    ("0 40\nnan 40", "6: data that is \"nan 40\""), ("-1 40", "5: \"-1\" minutes"),
    ("0 -40", "5: a power of \"-40\""), ("0 1\n1e9 1", "6: \"1e9\" minutes, expected 0 to 1440"),
    ("0 40", " a workout without a phase"), ("", " a workout without a phase"),
  ])
  func mistakeHasItsLine(data: String, says: String) throws {
    let message = try #require(complaint(Self.file(data)))
    #expect(message.hasPrefix("a.txt:\(says)"), "\(message)")
  }

  @Test func courseSaysWhatItsPowersAre() {
    #expect(
      complaint("[COURSE DATA]\n0 1\n1 1\n")?.contains("does not say what its powers are") == true)
    #expect(complaint("[COURSE HEADER]\nMINUTES KNOTS\n")?.contains("data in \"KNOTS\"") == true)
    #expect(complaint("[COURSE HEADER]\n")?.contains("a course without [COURSE DATA]") == true)
  }

  @Test func aFileThatIsCutOffAtALineEndIsReported() throws {
    let whole = "[COURSE HEADER]\nMINUTES PERCENT\n[END COURSE HEADER]\n[COURSE DATA]\n0 50\n5 50\n"
    let report = "the last section has no [END …]: the file may be cut off"
    #expect(try foreign(whole).reports.contains(report))
    #expect(try !foreign(whole + "[END COURSE DATA]\n").reports.contains(report))
  }
}
