/// A clock in digits that can be read from across a room.
enum BigDigits {
  static let rows = 5

  private static let shapes: [Character: [String]] = [
    "0": ["####", "#  #", "#  #", "#  #", "####"],
    "1": ["  # ", " ## ", "  # ", "  # ", " ###"],
    "2": ["####", "   #", "####", "#   ", "####"],
    "3": ["####", "   #", " ###", "   #", "####"],
    "4": ["#  #", "#  #", "####", "   #", "   #"],
    "5": ["####", "#   ", "####", "   #", "####"],
    "6": ["####", "#   ", "####", "#  #", "####"],
    "7": ["####", "   #", "  # ", " #  ", " #  "],
    "8": ["####", "#  #", "####", "#  #", "####"],
    "9": ["####", "#  #", "####", "   #", "####"],
    ":": ["  ", "# ", "  ", "# ", "  "],
  ]

  /// `text`, which is digits and colons, as large as the window allows; nil if it does not fit.
  ///
  /// A point is two characters wide, which makes it square; in a narrow window it is one character
  /// wide.
  static func lines(_ text: String, columns: Int, rows: Int, point: Character) -> [String]? {
    let glyphs = text.compactMap { shapes[$0] }
    let width = glyphs.map { $0[0].count + 1 }.reduce(-1, +)
    guard width > 0, rows >= Self.rows, width <= columns else { return nil }
    let scale = min(rows / Self.rows, columns / (2 * width))
    let (wide, high) = scale > 0 ? (2 * scale, scale) : (1, 1)
    return (0..<Self.rows).flatMap { row in
      let line = glyphs.map { $0[row] }.joined(separator: " ").map { shape in
        String(repeating: shape == "#" ? point : " ", count: wide)
      }.joined()
      return Array(repeating: line, count: high)
    }
  }
}
