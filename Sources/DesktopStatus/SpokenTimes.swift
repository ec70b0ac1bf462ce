import ControlProtocol

/// When other people's sound is to be lower: while words are spoken, from a moment before to a moment after.
package struct SpokenTimes: Sendable {
  private struct Span: Hashable {
    var from: Int64
    var until: Int64
  }

  private var spans: [Span] = []

  /// What a stream needs until the server has turned the others down.
  private static let lead: Int64 = 400_000_000
  /// A pause between two texts is none for the others.
  private static let gap: Int64 = 300_000_000
  private static let most = 256

  package init() {}

  package mutating func take(_ event: SpeechEvent) {
    let span = Span(from: event.from, until: event.until)
    if event.withdrawn == true {
      spans.removeAll { $0 == span }
    } else if span.from < span.until, spans.count < Self.most {
      spans.append(span)
    }
  }

  package mutating func forget() { spans = [] }

  /// Whether it is to be lower now, and when that changes; nil: nothing is to be said.
  ///
  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package mutating func isSpeaking(at now: Int64) -> (Bool, until: Int64?) {
    spans.removeAll { $0.until + Self.gap <= now }
    let open = spans.filter { $0.from - Self.lead <= now }
    if let end = open.map({ $0.until + Self.gap }).max() { return (true, end) }
    return (false, spans.map { $0.from - Self.lead }.min())
  }
}
