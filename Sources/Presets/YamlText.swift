import IntervalTimeline

/// A file's bytes as lines of valid UTF-8 without control characters.
enum YamlText {
  /// How files begin that are no presets, whatever their names end in.
  private static let others: [(start: [UInt8], name: Sentence)] = [
    (Array("%PDF-".utf8), "a PDF document"), (Array("{\\rtf".utf8), "an RTF document"),
    (Array("PK\u{3}\u{4}".utf8), "a zip archive or an office document"),
    ([0x1F, 0x8B], "a gzip archive"),
    ([0x89] + "PNG".utf8, "a picture"), ([0xFF, 0xD8, 0xFF], "a picture"),
  ]

  /// Without line breaks.
  static func lines(of text: ArraySlice<UInt8>) throws(FileFault) -> [ArraySlice<UInt8>] {
    guard text.count <= FileBytes.maximumCount else { throw FileBytes.tooMany() }
    for (start, name) in others where text.starts(with: start) {
      throw FileFault(line: 1, name, expected: "a text file")
    }
    let newline = UInt8(ascii: "\n")
    var lines = text.split(separator: newline, omittingEmptySubsequences: false)
    for index in lines.indices {
      if lines[index].last == UInt8(ascii: "\r") { lines[index].removeLast() }
      try check(lines[index], number: index + 1)
    }
    return lines
  }

  /// Without a byte order mark.
  static func text(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  private static func check(
    _ line: ArraySlice<UInt8>, number: Int
  ) throws(FileFault) {
    // Most lines are printable ASCII, and decoding every line would cost more than parsing it.
    guard line.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw FileFault(
        line: number, "not UTF-8", expected: "a text file saved as UTF-8")
    }
    for scalar in text.unicodeScalars where scalar != "\t" && !scalar.isAllowedInYaml {
      throw FileFault(
        line: number, "the control character \(escaped(String(scalar)))",
        expected: "printable text, spaces and line ends")
    }
  }
}

extension Unicode.Scalar {
  /// libyaml refuses the byte order mark and noncharacters, and counts a line separator as a line,
  /// which editors do not.
  fileprivate var isAllowedInYaml: Bool {
    switch value {
    case 0xFEFF, 0xFFFE, 0xFFFF, 0x2028, 0x2029: false
    default: properties.generalCategory != .control
    }
  }
}
