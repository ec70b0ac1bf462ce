import SystemdLink
import Testing

@Suite struct LogThrottleTests {
  @Test func aFaultThatLastsIsOneLineAMinute() {
    var throttle = LogThrottle()
    var lines: [String] = []
    for second in 0...120 {
      if let line = throttle.line("no device", at: .seconds(second)) { lines.append(line) }
    }
    #expect(
      lines == [
        "no device", "no device (59 more since the last line)",
        "no device (59 more since the last line)",
      ])
  }

  @Test func otherLinesAreNotHeldBack() {
    var throttle = LogThrottle()
    #expect(throttle.line("a", at: .seconds(0)) == "a")
    #expect(throttle.line("b", at: .seconds(0)) == "b")
    #expect(throttle.line("a", at: .seconds(60)) == "a")
  }
}
