/// Makes untrusted texts safe for a terminal and for messages.
extension String {
  /// The text on one line: line breaks and control characters become spaces; marks that change the
  /// writing direction are removed.
  package var singleLine: String { shown(\.isSafeOnOneLine) }

  /// The same, but keeps line breaks.
  package var shownLines: String { shown { $0.isSafeOnOneLine || $0 == "\n" } }

  private func shown(_ isFit: (Unicode.Scalar) -> Bool) -> String {
    guard !unicodeScalars.allSatisfy(isFit) else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.compactMap { isFit($0) ? $0 : $0.isWritingDirectionMark ? nil : " " }))
  }

  /// At most 200 characters on one line: what a message has of a text.
  package var shownShort: String { shown(atMost: 200) }

  /// At most so many characters on one line.
  package func shown(atMost count: Int) -> String {
    // In scalars: one character may hold any number of combining marks.
    let scalars = singleLine.unicodeScalars
    guard scalars.count > count else { return singleLine }
    return String(String.UnicodeScalarView(scalars.prefix(count - 1))) + "…"
  }
}

extension String {
  /// The text as a cell of comma-separated values, RFC 4180.
  package var tableCell: String {
    // In scalars, because CR and LF together are one character.
    guard unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else {
      return self
    }
    return "\"" + unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}
