import IntervalTimeline

/// How hard a phase is, from a share of the threshold power (FTP).
enum Effort {
  /// Below 60 % it is a recovery, below 76 % low (both as Zwift colours its zones), otherwise high.
  static func kind(percent: Double) -> PhaseKind {
    percent < 60 ? .recovery : percent < 76 ? .low : .high
  }

  /// "95 % FTP", "50 to 75 % FTP"; with other units as well.
  static func label(_ first: Double, _ last: Double? = nil, _ unit: String) -> String {
    guard let last, text(last) != text(first) else { return "\(text(first)) \(unit)" }
    return "\(text(first)) to \(text(last)) \(unit)"
  }

  /// With one decimal at most.
  static func text(_ number: Double) -> String {
    let tenths = (number * 10).rounded()
    guard tenths.magnitude < 1e12 else { return "\(number)" }
    let whole = Int64(tenths.magnitude)
    let sign = tenths < 0 ? "-" : ""
    return "\(sign)\(whole / 10)" + (whole % 10 == 0 ? "" : ".\(whole % 10)")
  }
}
