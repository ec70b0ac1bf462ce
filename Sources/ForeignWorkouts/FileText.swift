import Presets

/// The text of another program's file, in whichever encoding that program wrote it.
struct FileText {
  let string: String
  /// True where it is neither UTF-8 nor UTF-16.
  private(set) var isLatin1 = false

  /// UTF-16 with a byte order mark, or before a `<`; otherwise UTF-8; otherwise Latin-1, in which every byte
  /// is a character.
  ///
  /// - Parameter maximum: bytes.
  init(_ bytes: [UInt8], atMost maximum: Int = FileBytes.maximumCount) throws(FileFault) {
    guard bytes.count <= maximum else { throw FileBytes.tooMany() }
    let less = UInt8(ascii: "<")
    let isBig = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, less])
    if isBig || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [less, 0]) {
      string = try Self.utf16(bytes, isBigEndian: isBig)
      return
    }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    if let text = String(validating: body, as: UTF8.self) {
      string = text
    } else {
      isLatin1 = true
      string = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
  }

  private static func utf16(_ bytes: [UInt8], isBigEndian: Bool) throws(FileFault) -> String {
    guard bytes.count.isMultiple(of: 2) else {
      throw FileFault(
        line: nil, "UTF-16 with half a character at its end", expected: "an even number of bytes")
    }
    let units = stride(from: 0, to: bytes.count, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw FileFault(line: nil, "not UTF-16", expected: "a text file in UTF-8 or UTF-16")
    }
    return text.unicodeScalars.first == "\u{FEFF}"
      ? String(String.UnicodeScalarView(text.unicodeScalars.dropFirst())) : text
  }

  /// Without line ends, whichever they are.
  var lines: [Substring] {
    string.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }
}

extension Substring {
  /// The words between white space.
  var words: [Substring] { split(whereSeparator: \.isWhitespace) }
}

/// A number as other programs write it: digits, a sign, a point, an exponent. Nil for anything else, words such
/// as "nan" among it. White space at either end does not matter.
func decimal(_ text: some StringProtocol) -> Double? {
  let text = String(text).trimmed
  guard !text.isEmpty, text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else {
    return nil
  }
  return Double(text).flatMap { $0.isFinite ? $0 : nil }
}
