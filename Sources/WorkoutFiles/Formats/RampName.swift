import IntervalTimeline

/// The name of a ramp, with its span: "Warm-up 50 to 75 %".
enum RampName {
  /// - Parameters:
  ///   - name: the phase's own name; nil for what its kind is called.
  ///   - unit: what the numbers are of, such as "%".
  /// - Returns: `name` itself where the last power is the first one.
  static func of(
    _ kind: PhaseKind, _ name: String?, from first: Double, to last: Double, _ unit: String
  ) -> String? {
    guard Effort.text(first) != Effort.text(last) else { return name }
    let span = Effort.label(first, last, unit)
    let name = name ?? KindName.of(kind)
    return name.hasSuffix(span) ? name : "\(name) \(span)"
  }

  /// What stands before the span of the phase's power in its name; nil for a phase that is no ramp.
  static func base(of phase: Phase) -> String? {
    let spans = [
      (PowerLabel.percent(in: phase.intensity), "%"), (PowerLabel.watts(in: phase.intensity), "W"),
    ]
    for case (let span?, let unit) in spans where span.first != span.last {
      let text = " " + Effort.label(span.first, span.last, unit)
      if let name = phase.name, name.hasSuffix(text) { return String(name.dropLast(text.count)) }
    }
    return nil
  }

  /// What stands before a span: "Warm-up" of "Warm-up 50 to 75 %".
  static func withoutSpan(_ name: String) -> String {
    let words = Substring(name).words
    guard let to = words.lastIndex(of: "to"), to >= 2, to + 1 < words.count,
      decimal(words[to - 1]) != nil, decimal(words[to + 1]) != nil
    else { return name }
    return words[..<(to - 1)].joined(separator: " ")
  }
}
