/// How wide text is on a terminal, where a letter may take two columns or none.
enum Columns {
  /// The blocks that East Asian Width (UAX #11) calls wide or full-width.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
    0xff00...0xff60, 0xffe0...0xffe6, 0x20000...0x3fffd,
  ]

  static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// The beginning of `text` that fits.
  static func cut(_ text: String, to columns: Int) -> String {
    var left = columns
    return String(
      text.prefix { character in
        left -= width(character)
        return left >= 0
      })
  }

  /// A letter with its accents is as wide as its widest part.
  private static func width(_ character: Character) -> Int {
    character.unicodeScalars.map(width).max() ?? 0
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: 0
    default:
      scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }
}
