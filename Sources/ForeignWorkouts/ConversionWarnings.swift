import IntervalTimeline

/// What is not kept when a workout becomes another program's file or is read from one, a sentence for each kind
/// of it.
struct ConversionWarnings {
  /// The most sentences; one more says that there are others.
  private static let maximum = 20

  /// Without full stops.
  private(set) var sentences: [Sentence] = []

  mutating func note(_ sentence: Sentence) {
    guard !sentences.contains(sentence) else { return }
    if sentences.count < Self.maximum {
      sentences.append(sentence)
    } else if sentences.count == Self.maximum {
      sentences.append("and there is more that is not kept")
    }
  }
}
