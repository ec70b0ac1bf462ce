/// Aligned columns of text on a terminal.
struct TextTable {
  enum Side {
    case left, right
  }

  private let sides: [Side]
  private var rows: [[String]]

  init(_ columns: [(name: String, side: Side)]) {
    sides = columns.map(\.side)
    rows = [columns.map(\.name)]
  }

  /// A table without names above its columns.
  init(_ sides: [Side]) {
    self.sides = sides
    rows = []
  }

  /// - Parameter cells: one for each column, each one line.
  mutating func add(_ cells: [String]) { rows.append(cells) }

  var lines: [String] {
    let widths = rows.map { $0.map(Self.width) }
    let greatest = sides.indices.map { column in widths.map { $0[column] }.max() ?? 0 }
    return zip(rows, widths).map { cells, widths in
      var line = ""
      for column in cells.indices {
        let padding = String(repeating: " ", count: greatest[column] - widths[column])
        line += (column == 0 ? "" : "  ")
        line += sides[column] == .left ? cells[column] + padding : padding + cells[column]
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Looking up every character dominates the time of long tables, and few need it.
  static func width(_ text: String) -> Int {
    isPlain(text) ? text.utf8.count : Columns.width(text)
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
  }

  /// One line of at most `columns`, with an ellipsis if it is shortened.
  static func cell(_ text: String, atMost columns: Int) -> String {
    let line = isPlain(text) ? text : text.singleLine
    return width(line) <= columns ? line : Columns.cut(line, to: columns - 1) + "…"
  }
}
