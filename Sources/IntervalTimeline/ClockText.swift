// Durations as a clock shows them.
extension Duration {
  /// Remaining time in whole seconds: "0:12".
  package var leftText: String { Duration.seconds(secondsLeft).clockText }

  /// Elapsed time in whole seconds: "1:02:03".
  package var passedText: String { Duration.seconds(secondsPassed).clockText }

  /// "4:05", "1:02:03", "0:00.5".
  package var clockText: String {
    let (hours, minutes, seconds) = (
      components.seconds / 3600, components.seconds / 60 % 60, components.seconds % 60
    )
    let whole = hours > 0 ? "\(hours):\(minutes.padded(to: 2))" : "\(minutes)"
    return "\(whole):\(seconds.padded(to: 2))\(fractionText())"
  }
}
