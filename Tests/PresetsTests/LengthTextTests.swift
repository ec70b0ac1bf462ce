import Testing

@testable import Presets

@Suite struct LengthTextTests {
  @Test(arguments: [
    ("90", 90_000), ("90s", 90_000), ("1m30s", 90_000), ("1:30", 90_000), ("2h", 7_200_000),
    ("0.5s", 500), ("0.5", 500), ("500ms", 500), ("1ms", 1), ("0.001s", 1), ("1h30m", 5_400_000),
    ("1h1m1s1ms", 3_661_001), ("1h1ms", 3_600_001), ("1:02:03", 3_723_000), ("0:01", 1000),
    ("90:00", 5_400_000), ("1:30.25", 90_250), ("1.5m", 90_000), ("0.0001m", 6),
    ("0.0000025h", 9), ("1m0.5s", 60_500), ("0.50000000000000000000s", 500), ("007s", 7000),
    ("24h", 86_400_000), ("86400", 86_400_000), ("24:00:00", 86_400_000), (" 30s ", 30_000),
    ("86400000ms", 86_400_000), ("0h0m1s", 1000), ("90m", 5_400_000), ("1m90s", 150_000),
  ])
  func lengthIsReadToTheMillisecond(text: String, milliseconds: Int64) throws {
    #expect(try LengthText.duration(of: text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    ("", LengthFault.notALength), (" ", .notALength), ("ten", .notALength), ("s", .notALength),
    ("+5s", .notALength), (".5s", .notALength), ("5.s", .notALength), ("5.", .notALength),
    ("1..5s", .notALength), ("30 s", .notALength), ("1m 30s", .notALength), ("0,5s", .notALength),
    ("1_000", .notALength), ("--5s", .notALength), ("-", .notALength), (":30", .notALength),
    ("1:", .notALength), ("1:30s", .notALength), ("1m:30", .notALength), ("30²", .notALength),
    ("٣٠", .notALength), ("30s!", .notALength), ("1:00.", .notALength), ("30é", .notALength),
    ("5min", .unit("min")), ("30S", .unit("S")), ("1e3", .unit("e")), ("0x10", .unit("x")),
    ("5d", .unit("d")),
    ("30s1m", .order), ("1m2m", .order), ("1.5h30m", .order), ("1.0m30s", .order),
    ("1m30", .missingUnit), ("1h30", .missingUnit),
    ("1:5", .clock), ("1:75", .clock), ("1:005", .clock), ("1:2:3:4", .clock),
    ("1:00:00:00", .clock), ("1:60:00", .clock),
    ("0", .zero), ("0s", .zero), ("0:00", .zero), ("0.000s", .zero), ("0h0m0s", .zero),
    ("-5s", .negative), ("-0", .negative), ("-1:30", .negative),
    ("0.0005s", .tooFine), ("0.5ms", .tooFine), ("0.0000001h", .tooFine), ("1:00.0005", .tooFine),
    ("0.33333333333333333333333333m", .tooFine),
    ("25h", .tooLong), ("24h1ms", .tooLong), ("86401", .tooLong), ("24:00:01", .tooLong),
    ("86400001ms", .tooLong), ("9223372036854775807", .tooLong), ("9223372036854775807h", .tooLong),
    ("99999999999999999999:59:59", .tooLong),
  ])
  func textThatIsNoLengthSaysWhy(text: String, fault: LengthFault) {
    #expect(throws: fault) { try LengthText.duration(of: text) }
  }

  @Test(arguments: ["", "h", "m", "s", "ms", ":59"])
  func tenThousandDigitsAreOnlyTooLong(unit: String) {
    let digits = String(repeating: "9", count: 10_000)
    #expect(throws: LengthFault.tooLong) { try LengthText.duration(of: digits + unit) }
  }

  @Test func tenThousandDigitsAfterThePointAreTooFine() {
    let digits = String(repeating: "9", count: 10_000)
    #expect(throws: LengthFault.tooFine) { try LengthText.duration(of: "1.\(digits)s") }
  }
}
