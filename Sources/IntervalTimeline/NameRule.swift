/// The rule for names, from a command, a preset or an imported history alike.
package struct NameRule: Sendable {
  /// A lane in a run.
  package static let lane = NameRule(maximum: 40)
  /// A session in the history.
  package static let id = NameRule(maximum: 40)
  /// What a sensor calls itself: a Bluetooth name has at most 248 bytes.
  package static let sensor = NameRule(maximum: 248)
  /// A voice of another program, and a language as that names it.
  package static let voice = NameRule(maximum: 100)
  /// A workout, a phase or a text in a file.
  package static let workout = NameRule(maximum: 500)

  /// In scalars: one character may hold any number of combining marks.
  package let maximum: Int

  /// What a message expects: "a name of 1 to 40 characters on one line, not all invisible".
  package var expected: Sentence {
    "a name of 1 to \(maximum) characters on one line, not all of them invisible"
  }

  package func allows(_ name: String) -> Bool {
    name.unicodeScalars.count <= maximum
      && name.unicodeScalars.allSatisfy(\.isSafeOnOneLine)
      && name.unicodeScalars.contains(where: \.isVisible)
  }

  /// The name without what the rule forbids; "?" if nothing that can be seen is left.
  package func fitted(_ name: String) -> String {
    if allows(name) { return name }
    let scalars = name.unicodeScalars.filter(\.isSafeOnOneLine).prefix(maximum)
    return scalars.contains(where: \.isVisible) ? String(String.UnicodeScalarView(scalars)) : "?"
  }
}

extension Unicode.Scalar {
  /// False for scalars that break a line, move a cursor or change the writing direction.
  package var isSafeOnOneLine: Bool {
    switch value {
    // Control characters.
    case 0..<0x20, 0x7f..<0xa0: false
    case 0x2028, 0x2029: false
    default: !isWritingDirectionMark
    }
  }

  /// True for scalars that show something by themselves: no blanks, no marks that combine with others, and
  /// nothing that is there to be ignored, such as the zero-width joiner and the fillers of Hangul.
  package var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator,
      .nonspacingMark, .spacingMark, .enclosingMark:
      false
    // The pattern of Braille without dots is a symbol and empty.
    default: !properties.isDefaultIgnorableCodePoint && value != 0x2800
    }
  }

  /// True for the invisible marks of writing direction (Bidi_Control in UAX #9).
  package var isWritingDirectionMark: Bool {
    switch value {
    case 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
