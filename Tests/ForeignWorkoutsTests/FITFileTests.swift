import FileFuzzing
import ForeignWorkouts
import IntervalTimeline
import Testing

/// FIT workouts, written by the protocol.
@Suite struct FITFileTests {
  private var fit = FITBytes()
  private static let rest: UInt8 = 1

  private func outline(_ fit: FITBytes) throws -> [String] {
    let file = try WorkoutFile.parse(fit.file(), file: "a.fit")
    #expect(file.format == .fit)
    return Outline(file.workout).lines
  }

  @Test(arguments: [false, true]) mutating func stepsArePhasesInBothByteOrders(isBigEndian: Bool)
    throws
  {
    fit.isBigEndian = isBigEndian
    fit.name("Track")
    fit.step(type: 0, value: 600_000, intensity: 2)
    fit.step("Run", type: 1, value: 40_000, intensity: 5, target: (1, 4, .max, .max))
    fit.step(type: 5, intensity: Self.rest, notes: "Walk {slowly}")
    fit.step("Squats", type: 29, value: 12, intensity: 0)
    fit.step(type: 0, value: 90_500, target: (4, 0, 1200, 1250))
    fit.step(type: 0, value: 1000, intensity: 3, target: (3, 0, 85, 95))
    fit.step(type: 0, value: 60_000, target: (1, 0, 50, 60))
    fit.step(type: 0, value: 60_000, target: (1, 0, 90, 250))
    fit.step(type: 0, value: 60_000, intensity: Self.rest, target: (4, 0, 105, 105))
    fit.step(type: 0, value: 60_000, intensity: Self.rest, target: (4, 0, 45, 40))
    #expect(
      try outline(fit) == [
        "-", "  warmup 600.0", "  high open \"400 m Run\" (heart-rate zone 4)",
        "  rest open [1.0: Walk (slowly)]", "  work 12x \"Squats\"", "  work 90.5 (200 to 250 W)",
        "  cooldown 1.0 (85 to 95 rpm)", "  work 60.0 (50 to 60 % of maximum heart rate)",
        "  work 60.0 (90 % of maximum heart rate to 150 bpm)",
        "  high 60.0 \"Threshold\" (105 % FTP)", "  rest 60.0 (40 to 45 % FTP)",
      ])
    #expect(try WorkoutFile.parse(fit.file(headerSize: 12), file: "b").workout.name == "Track")
  }

  @Test mutating func repetitionsAreSets() throws {
    fit.step(type: 0, value: 60_000, intensity: 2)
    fit.step(type: 0, value: 30_000, intensity: 5)
    fit.step(type: 0, value: 15_000, intensity: Self.rest)
    fit.repetition(from: 1, 3)
    fit.step(type: 0, value: 60_000, intensity: Self.rest)
    fit.repetition(from: 1, 2)
    let round = ["3 x", "  high 30.0 \"Hard\"", "  rest 15.0", "-", "  rest 60.0"]
    #expect(try outline(fit) == ["-", "  warmup 60.0"] + round + round)
  }

  @Test mutating func otherEndsLastUntilNextAndAreReported() throws {
    fit.step(type: 2, value: 220)
    fit.step(type: 4, value: 50)
    fit.step(type: 99)
    let file = try WorkoutFile.parse(fit.file(), file: "a.fit")
    #expect(
      Outline(file.workout).lines == [
        "-", "  work open (until below 120 bpm)", "  work open (50 calories)", "  work open",
      ])
    #expect(file.reports.count == 3)
  }

  private func complaint(_ change: (inout FITBytes) -> Void) -> String? {
    var fit = FITBytes()
    change(&fit)
    return ForeignWorkoutsTests.complaint(fit.file(), "a.fit")
  }

  @Test func mistakesHaveTheirByte() {
    #expect(
      complaint { $0.step(type: 0, value: 0) }
        == "a.fit: byte 61: a time of 0 s, expected above zero, at most 24 h")
    #expect(complaint { $0.step(type: 0) }?.contains("a step without its duration") == true)
    #expect(complaint { $0.step(type: 0xFF) }?.contains("without duration_type") == true)
    #expect(complaint { $0.step(type: 29, value: 0) }?.contains("0 repetitions") == true)
    #expect(complaint { $0.repetition(from: 0, 2) }?.contains("a repetition from step 0") == true)
    #expect(
      complaint { $0.append([7]) }?.contains("byte 25: a message 7 that is not defined") == true)
    #expect(complaint { $0.append([0x47, 0]) }?.contains("the end of the data") == true)
    #expect(
      complaint { $0.append([0x47, 0, 9, 0, 0, 0]) }?.contains("the byte order 9") == true)
    func step(_ size: UInt8, _ type: UInt8) -> String? {
      complaint {
        $0.define(3, 27, [(1, size, type)])
        $0.append([3] + [UInt8](repeating: 1, count: Int(size)))
      }
    }
    #expect(step(3, 0x84)?.contains("the field 1 of 3 bytes of the type 4") == true)
    #expect(step(1, 0x1E)?.contains("of the type 30") == true)
    #expect(complaint { _ in }?.contains("a workout without a phase") == true)
  }

  @Test func aFileOfAnotherTypeIsRefused() {
    #expect(
      ForeignWorkoutsTests.complaint(FITBytes(type: 4).file(), "a.fit")
        == "a.fit: byte 23: a FIT file of the type 4, expected type 5, a workout")
  }

  @Test mutating func everyDamagedByteIsNoticed() {
    fit.step("Run", type: 0, value: 60_000)
    let bytes = fit.file()
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(ForeignWorkoutsTests.complaint(damaged, "a.fit") != nil, "byte \(index)")
    }
  }

  @Test mutating func cutAnywhereItIsReportedAsThisFormat() throws {
    fit.step("Run", type: 0, value: 60_000)
    let bytes = fit.file()
    for count in 1..<bytes.count {
      let complaint = ForeignWorkoutsTests.complaint(Array(bytes[..<count]), "a")
      let message = try #require(complaint)
      #expect(message.contains("byte \(count): the end of the FIT file, expected "), "\(message)")
    }
  }

  @Test func bombsOfDefinitionsAndRepetitionsAreHarmless() {
    let definitions = complaint { fit in
      let fields = [(UInt8, UInt8, UInt8)](repeating: (200, 255, 0x0D), count: 255)
      for _ in 0..<1000 { fit.define(5, 27, fields) }
    }
    #expect(definitions?.contains("a workout without a phase") == true)
    let repetitions = complaint { fit in
      fit.step(type: 5)
      for _ in 0..<20 { fit.repetition(from: 0, 10_000) }
    }
    #expect(repetitions?.contains("more than 100000 phases") == true)
  }
}
