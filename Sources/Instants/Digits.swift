extension BinaryInteger {
  /// With zeros in front: 7 padded to 2 digits is "07". For numbers that are not negative.
  package func padded(to digits: Int) -> String {
    let text = "\(self)"
    return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}

extension Duration {
  /// In seconds, such as "3", "0.5" or "-1.25": at most so many decimals, what is behind them cut off, and none that
  /// is not needed.
  package func secondsText(decimals: Int = 3) -> String {
    let length = magnitude
    return (self < .zero ? "-" : "") + "\(length.components.seconds)"
      + length.fractionText(decimals: decimals)
  }

  /// What follows its whole seconds: "" or ".5", in the same way. For durations that are not negative.
  package func fractionText(decimals: Int = 3) -> String {
    let nanoseconds = components.attoseconds / 1_000_000_000
    guard nanoseconds > 0 else { return "" }
    var digits = nanoseconds.padded(to: 9).prefix(decimals)
    while digits.last == "0" { digits.removeLast() }
    return digits.isEmpty ? "" : ".\(digits)"
  }
}
