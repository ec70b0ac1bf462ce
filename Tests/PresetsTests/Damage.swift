import TestSupport

/// Random damage to the text of a file.
enum Damage {
  private static let pieces = [
    "\n", "  ", "- ", ": ", "\"", "'", "[", "]", "{", "}", ",", "#", "&a ", "*a", "!!int ", "|\n",
    "? ", "\t", "\0", "\u{FEFF}", "\r", "-", "0", "9999999999999999999999", "0.0001", "1e9", "~",
    "sets: 10000\n", "last: skip\n", "blocks:\n", "name: x\n", "{until: next}", "é", "---\n",
    "{sett}", "silent",
    "at: -5s\n", "say: x\n", "0s", "density: full\n", "\\e",
  ]

  static func strike(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let end = min(bytes.count, place + Int.random(in: 1...20, using: &generator))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes.remove(at: place)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: pieces.randomElement(using: &generator)!.utf8, at: place)
    case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
    default:
      var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      lines.swapAt(
        Int.random(in: lines.indices, using: &generator),
        Int.random(in: lines.indices, using: &generator))
      bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
  }
}
