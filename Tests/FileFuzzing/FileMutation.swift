import TestSupport

/// Damage to a file, as a careless program, a bad disk or somebody with bad intentions does it.
package enum FileMutation {
  private static let pieces: [[UInt8]] =
    [
      "<", ">", "/>", "</", "&", "&lol;", "&#x10FFFF;", "&#0;", "<!DOCTYPE a [<!ENTITY b \"c\">]>",
      "<![CDATA[", "]]>", "<!--", "-->", "<?", "\"", "'", "=", "<a>",
      "<textevent timeoffset=\"1\"/>",
      "{", "}", "[", "]", "[[[[[[[[", "{\"a\":", ",", ":", "null", "-1", "0", "1e308", "1e-308",
      "nan",
      "inf", "99999999999999999999", "0.0000001", "\\u0000", "\\ud800", "[COURSE DATA]\n",
      "[COURSE TEXT]\n", "- 10m 75%\n", "- 5^5 1s\n", "9999x\n", "3x\n", "press lap", "1h", "^",
      "mtr",
      "\n", "\r", "\r\n", "\t", "  ", "\0", "\u{FEFF}", "\u{2028}", "\u{202E}", "é",
      "e\u{301}\u{301}",
      "🏃‍♀️", "sets: 10000\n", "&a ", "*a", "!!int ", "|\n", "name: x\n",
    ].map { Array($0.utf8) } + [[0xFF, 0xFE], [0xFE, 0xFF], [0x80], [0xC3], [0xED, 0xA0, 0x80]]

  /// A file of `samples`, one to eight times damaged. A FIT file mostly gets a right length and right checksums
  /// again, because nothing else is read without them.
  package static func file(
    of samples: [[UInt8]], using generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = samples.randomElement(using: &generator) ?? []
    let isFIT = bytes.count > 14 && bytes[8..<12].elementsEqual(".FIT".utf8)
    let strikes = Int.random(in: 1...8, using: &generator)
    for _ in 0..<Int.random(in: 1...strikes, using: &generator) {
      if Int.random(in: 0..<20, using: &generator) == 0 {
        splice(&bytes, samples.randomElement(using: &generator) ?? [], using: &generator)
      } else {
        strike(&bytes, using: &generator)
      }
    }
    if isFIT, Int.random(in: 0..<8, using: &generator) > 0 { FITBytes.mend(&bytes) }
    return bytes
  }

  private static func strike(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let end = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2: bytes.removeSubrange(place..<end)
    case 3, 4:
      bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: place)
    case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 6: bytes.removeSubrange(place...)
    case 7:
      // A digit becomes another number.
      guard let digit = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) else {
        return
      }
      let number = ["0", "-1", "7", "86400", "1e9", "10000", "0.001"].randomElement(
        using: &generator)
      bytes.replaceSubrange(digit...digit, with: (number ?? "").utf8)
    default:
      let piece = Array(bytes[place..<end])
      for _ in 0..<Int.random(in: 1...64, using: &generator) where bytes.count < 100_000 {
        bytes.insert(contentsOf: piece, at: place)
      }
    }
  }

  /// The beginning of one file and the end of another.
  private static func splice(
    _ bytes: inout [UInt8], _ other: [UInt8], using generator: inout SeededGenerator
  ) {
    let kept = bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))
    bytes = Array(kept + other.suffix(Int.random(in: 0...other.count, using: &generator)))
  }
}
