import IntervalTimeline

/// Two lengths of which one between them is drawn: `20s to 90s`.
struct LengthSpan {
  private let least: Int64
  private let most: Int64

  /// Nil for a value that is no span.
  init?(_ entry: YamlEntry) throws(FileFault) {
    guard let text = entry.value.spanText else { return nil }
    let words = text.split(separator: " ")
    guard words.count == 3, let least = try? LengthText.duration(of: String(words[0])),
      let most = try? LengthText.duration(of: String(words[2])), least < most
    else { throw entry.fault(expected: "two lengths, the shorter first, such as 20s to 90s") }
    (self.least, self.most) = (least.wholeMilliseconds, most.wholeMilliseconds)
  }

  var shortest: Duration { .milliseconds(least) }

  /// The shortest, and `step` more as often as was drawn.
  func drawn(by dice: inout RandomSource, step: Duration) -> Duration {
    let step = step.wholeMilliseconds
    return .milliseconds(least + step * dice.number(below: (most - least) / step + 1))
  }
}

extension YamlNode {
  /// Its text if it looks like a span of lengths.
  var spanText: String? {
    guard let text, text.contains(" to ") else { return nil }
    return text
  }
}
