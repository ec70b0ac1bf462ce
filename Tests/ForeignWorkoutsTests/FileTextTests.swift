import ForeignWorkouts
import IntervalTimeline
import Testing

/// Files of other programs in every encoding that such programs write.
@Suite struct FileTextTests {
  private static let text =
    "<workout_file>\r\n<name>Ruhé</name><workout>\r\n<SteadyState Duration=\"60\" Power=\"1\"/>"
    + "\r\n</workout></workout_file>\r\n"

  private static func utf16(_ isBigEndian: Bool) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBigEndian ? [high, low] : [low, high]
    }
  }

  private static let latin1 = text.unicodeScalars.map { UInt8($0.value) }

  @Test func textIsReadInEachEncoding() throws {
    let all = [
      Array(Self.text.utf8), [0xEF, 0xBB, 0xBF] + Array(Self.text.utf8), Self.utf16(true),
      Self.utf16(false), Array(Self.utf16(false).dropFirst(2)), Self.latin1,
    ]
    for bytes in all {
      let file = try WorkoutFile.parse(bytes, file: "a.zwo")
      #expect(file.workout.name == "Ruhé")
      #expect(Outline(file.workout).lines == ["-", "  high 60.0 \"Threshold\" (100 % FTP)"])
      let isLatin1 = bytes == Self.latin1
      #expect(file.reports == (isLatin1 ? ["the file is not UTF-8 and is read as Latin-1"] : []))
    }
  }

  @Test(arguments: ["<", "[COURSE HEADER]", "[", "{\"title\"", "- 10m", ""])
  func anythingBeyondAMegabyteIsRefused(start: String) {
    let bytes = Array(start.utf8) + [UInt8](repeating: UInt8(ascii: " "), count: 2_000_000)
    #expect(complaint(bytes)?.hasPrefix("a.txt: over 1 MB, expected") == true)
  }

  @Test(arguments: ["<", "[", "{\"title\"", "- 10m", ""])
  func aMegabyteOfBlanksIsNoWorkout(start: String) {
    let bytes = Array(start.utf8) + [UInt8](repeating: UInt8(ascii: " "), count: 900_000)
    let message = complaint(bytes)
    #expect(message == nil ? start == "- 10m" : message!.contains(", expected "))
  }

  @Test func presetIsAPresetWhateverItsNameIs() throws {
    let preset = "name: A\nsets: 2\nlow: 30s\nhigh: 30s\n"
    for name in ["a.yaml", "a.zwo", "a"] {
      let file = try foreign(preset, name)
      #expect(file.format == .preset)
      #expect(file.workout.blocks.first?.sets == 2)
    }
    #expect(
      complaint("- 10m 75%\n", "a.yml")?.hasPrefix("a.yml:1: a preset that is a list") == true)
    #expect(try foreign("{name: A, sets: 2, low: 30s, high: 30s}").format == .preset)
    #expect(try foreign("{\"name\": A, \"sets\": 2, \"low\": 30, \"high\": 30}").format == .preset)
  }
}
