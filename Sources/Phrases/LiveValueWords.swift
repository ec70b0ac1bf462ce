import IntervalTimeline

extension LiveValue {
  /// Its words, nil where it has none.
  package func words(in phrases: PhraseCatalogue) -> String? {
    switch content {
    case .number(let number, _) where !number.isFinite: return nil
    case .number(let number, nil): return phrases.number(number)
    case .number(let number, let unit?): return phrases.quantity(number, unit)
    case .duration(let duration): return duration < .zero ? nil : phrases.exactDuration(duration)
    case .text(let text):
      let line = text.singleLine.prefix(Self.maximumText)
      return line.allSatisfy(\.isWhitespace) ? nil : String(line)
    }
  }
}

extension LiveValues {
  /// The words of a value as it is at `instant`; nil where there is none or it is too old then. With nil its
  /// age does not matter.
  package func words(
    of name: String, at instant: BootInstant?, in phrases: PhraseCatalogue
  ) -> String? {
    guard let value = self[name] else { return nil }
    if let instant, let end = value.validUntil, instant >= end { return nil }
    return value.words(in: phrases)
  }
}

extension PhraseCatalogue {
  /// The names of the live values that its phrases say.
  package var values: Set<String> {
    Set(phrases.values.flatMap(\.wordings).flatMap(\.values))
  }
}
