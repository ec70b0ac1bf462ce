import IntervalTimeline

/// Texts from elsewhere, as a terminal may have them.
extension String {
  /// The text on one line: line ends and control characters become spaces, and marks that turn the
  /// direction of the writing are left out.
  var singleLine: String { shown { $0.isFitForLine } }

  /// The same with its line ends.
  var shownLines: String { shown { $0.isFitForLine || $0 == "\n" } }

  /// A name within a message: on one line, and so short that the rest is read.
  var shownName: String { Columns.fitted(singleLine, to: 30) }

  private func shown(_ isFit: (Unicode.Scalar) -> Bool) -> String {
    guard !unicodeScalars.allSatisfy(isFit) else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.compactMap { isFit($0) ? $0 : $0.turnsWriting ? nil : " " }))
  }
}
