/// A file's bytes as lines of valid UTF-8 without control characters.
struct YamlText {
  let string: String
  /// Without line breaks.
  let lines: [ArraySlice<UInt8>]

  init(_ bytes: [UInt8]) throws(FileFault) {
    guard bytes.count <= FileBytes.maximumCount else { throw FileBytes.tooMany }
    let body = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    let newline = UInt8(ascii: "\n")
    var lines = body.split(separator: newline, omittingEmptySubsequences: false)
    for index in lines.indices {
      if lines[index].last == UInt8(ascii: "\r") { lines[index].removeLast() }
      try Self.check(lines[index], number: index + 1)
    }
    self.lines = lines
    string = String(decoding: body, as: UTF8.self)
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

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
