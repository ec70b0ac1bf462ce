/// Texts from elsewhere, as a terminal and a message may have them.
extension String {
  /// The text on one line: line ends and control characters become spaces, and marks that turn the
  /// direction of the writing are left out.
  package var singleLine: String { shown(\.isFitForLine) }

  /// The same with its line ends.
  package var shownLines: String { shown { $0.isFitForLine || $0 == "\n" } }

  private func shown(_ isFit: (Unicode.Scalar) -> Bool) -> String {
    guard !unicodeScalars.allSatisfy(isFit) else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.compactMap { isFit($0) ? $0 : $0.turnsWriting ? nil : " " }))
  }
}
