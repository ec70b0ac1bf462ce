/// The lines on the terminal's screen: only those that have changed are written.
struct Canvas {
  private(set) var size = context.size
  let style =
    context.usesUnicode
    ? ScreenPage.Style() : ScreenPage.Style(point: "#", gap: "-", ellipsis: "...")
  private let usesColor = context.usesColor
  private var shown: [String] = []

  /// The window has another size, or its contents are lost.
  mutating func resized() {
    size = context.size
    shown = []
  }

  /// What it shows is written anew next time.
  mutating func forget() { shown = [] }

  mutating func draw(_ lines: [String]) {
    var output = shown.isEmpty ? "\u{1b}[2J" : ""
    for row in 0..<max(lines.count, shown.count) {
      let line = row < lines.count ? lines[row] : ""
      guard row >= shown.count || shown[row] != line else { continue }
      // After a full row the cursor is still on its last character, which would be erased.
      let rest = Columns.width(line) < size.columns ? "\u{1b}[K" : ""
      output += "\u{1b}[\(row + 1);1H\(colored(line))\(rest)"
    }
    shown = lines
    if !output.isEmpty { context.write(output, to: context.output) }
  }

  /// A row of digits or a bar, in colour where that is wanted.
  func colored(_ line: String) -> String {
    guard usesColor, line.contains(style.point) else { return line }
    return "\u{1b}[36m\(line)\u{1b}[0m"
  }
}
