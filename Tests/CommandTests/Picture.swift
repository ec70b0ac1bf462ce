import Testing

/// A terminal emulator that knows what the program uses: what is shown after a text was sent.
struct Picture: Sendable {
  /// The text printed on the normal screen.
  private(set) var printed = ""
  private(set) var isAlternate = false
  private(set) var isCursorHidden = false
  private(set) var hasColor = false
  /// How often the screen was cleared.
  private(set) var clearings = 0

  private var cells: [[Unicode.Scalar]] = []
  private var row = 0
  private var column = 0
  private let columns: Int

  /// - Parameter columns: the width of the terminal.
  init(of text: Substring, columns: Int) {
    self.columns = columns
    var scalars = text.unicodeScalars
    while let scalar = scalars.popFirst() {
      if scalar == "\u{1b}" {
        guard scalars.popFirst() == "[" else { continue }
        let parameters = scalars.prefix { !("@"..."~").contains($0) }
        scalars = scalars[parameters.endIndex...]
        if let command = scalars.popFirst() { obey(command, String(parameters)) }
      } else if isAlternate {
        put(scalar)
      } else if scalar != "\r" {
        printed.unicodeScalars.append(scalar)
      }
    }
  }

  /// The rows of the alternate screen, from the first to the last that was written.
  var rows: [String] {
    cells.map { line in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: line)
      return String(text)
    }
  }

  /// True when one of its rows is exactly this.
  func shows(_ line: String) -> Bool { rows.contains(line) }

  private mutating func obey(_ command: Unicode.Scalar, _ parameters: String) {
    switch (command, parameters) {
    case ("h", "?1049"): isAlternate = true
    case ("l", "?1049"): isAlternate = false
    case ("l", "?25"): isCursorHidden = true
    case ("h", "?25"): isCursorHidden = false
    case ("m", let color): hasColor = hasColor || !["", "0"].contains(color)
    case ("J", "2"):
      cells = []
      clearings += 1
    case ("H", let place):
      let numbers = place.split(separator: ";").compactMap { Int($0) }
      (row, column) = numbers.count == 2 ? (numbers[0] - 1, numbers[1] - 1) : (0, 0)
    case ("K", ""):
      // The cursor never stands behind the last column: there it waits on it to go on below.
      if cells.indices.contains(row) {
        cells[row] = Array(cells[row].prefix(min(column, columns - 1)))
      }
    default: break
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    while cells.count <= row { cells.append([]) }
    while cells[row].count <= column { cells[row].append(" ") }
    cells[row][column] = scalar
    column += 1
  }
}

extension Picture: CustomTestStringConvertible {
  var testDescription: String { (rows + [printed]).joined(separator: "\n") }
}
