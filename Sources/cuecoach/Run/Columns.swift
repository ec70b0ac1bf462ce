/// The width of text on a terminal, where a character may take two columns or none.
enum Columns {
  /// The ranges that East Asian Width (UAX #11) calls wide or full-width.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97c,
    0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60,
    0xffe0...0xffe6, 0x16fe0...0x18dff, 0x1aff0...0x1b2ff, 0x1f200...0x1f265, 0x20000...0x3fffd,
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

  /// The text if it fits, else its beginning and an ellipsis.
  static func fitted(_ text: String, to columns: Int, ellipsis: String = "…") -> String {
    guard width(text) > columns else { return text }
    let room = columns - width(ellipsis)
    guard room > 0 else { return cut(text, to: columns) }
    let start = cut(text, to: room)
    return String(start.reversed().drop { $0 == " " }.reversed()) + ellipsis
  }

  /// The text if it fits, else its beginning and its end, because messages say at the end what to
  /// do.
  static func shortened(_ text: String, to columns: Int) -> String {
    // A character has at least one byte.
    guard text.utf8.count > columns, width(text) > columns else { return text }
    let end = String(cut(String(text.reversed()), to: (columns - 3) / 2).reversed())
    return "\(cut(text, to: columns - 3 - width(end))) … \(end)"
  }

  /// The rows of a sentence: it breaks between words, and further rows are indented; in a list ("
  /// c  continue") they align with the text. A word is never broken, so that a path can be copied.
  static func paragraph(_ text: String, to columns: Int) -> [String] {
    guard width(text) > columns else { return [text] }
    let start = text.prefix { $0 == " " }
    let indent = columns < 40 ? "" : start.isEmpty ? "  " : start + "   "
    var rows: [String] = []
    var row: String?
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if let before = row, width(before) + 1 + width(String(word)) > columns {
        rows.append(before)
        // Spaces at a break are dropped.
        row = word.isEmpty ? nil : indent + word
      } else {
        row = row.map { "\($0) \(word)" } ?? (rows.isEmpty ? "" : indent) + word
      }
    }
    return rows + [row].compactMap { $0 }
  }

  /// Rows of at most `columns`, broken at spaces if there are any.
  static func wrapped(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      var rest = String(word)
      if let last = lines.last, width(last) + 1 + width(rest) <= columns {
        lines[lines.count - 1] += " " + rest
        continue
      }
      // A word that is wider than the window is broken.
      while width(rest) > columns {
        let part = cut(rest, to: columns)
        guard !part.isEmpty else { return lines }
        lines.append(part)
        rest.removeFirst(part.count)
      }
      lines.append(rest)
    }
    return lines
  }

  /// A character with combining marks is as wide as its widest scalar; one in emoji presentation
  /// (U+FE0F) is wide.
  private static func width(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    return scalars.contains("\u{fe0f}") ? 2 : scalars.map(width).max() ?? 0
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .format: scalar == "\u{ad}" ? 1 : 0
    case .nonspacingMark, .enclosingMark, .control: 0
    default:
      scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }
}
