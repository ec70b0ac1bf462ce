// Durations as a clock shows them.
extension Duration {
  /// Remaining time in whole seconds: "0:12".
  package var leftText: String { Duration.seconds(secondsLeft).clockText }

  /// Elapsed time in whole seconds: "1:02:03".
  package var passedText: String { Duration.seconds(secondsPassed).clockText }

  /// "4:05", "1:02:03", "0:00.5".
  package var clockText: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    let (hours, minutes, seconds) = (
      milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60
    )
    func padded(_ value: Int64, _ width: Int) -> String {
      let digits = "\(value)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    var text =
      hours > 0
      ? "\(hours):\(padded(minutes, 2)):\(padded(seconds, 2))" : "\(minutes):\(padded(seconds, 2))"
    if milliseconds % 1000 != 0 {
      text += ".\(padded(milliseconds % 1000, 3))"
      while text.hasSuffix("0") { text.removeLast() }
    }
    return text
  }
}
