/// A bar of a chart in block characters, precise to an eighth of a column.
enum Bar {
  private static let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// - Parameter share: relative to the longest bar, 0…1. Anything above 0 is visible.
  static func text(_ share: Double, columns: Int) -> String {
    let eighths = Int((min(1, max(0, share)) * Double(columns * 8)).rounded())
    let shown = share > 0 ? max(1, eighths) : 0
    return String(repeating: "█", count: shown / 8) + parts[shown % 8]
  }
}
