/// A clock in letters that can be read from across a room.
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

  /// `text`, digits and colons, as `rows` lines; every point is two columns wide.
  static func lines(_ text: String, point: Character) -> [String] {
    (0..<rows).map { row in
      text.compactMap { shapes[$0]?[row] }.joined(separator: " ").map { shape in
        String(repeating: shape == "#" ? point : " ", count: 2)
      }.joined()
    }
  }
}
