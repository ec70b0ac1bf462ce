import Foundation
import IntervalTimeline
import Testing
import WorkoutFiles

/// Shipped presets with random damage.
@Suite struct PresetMutationTests {
  private static let pieces = [
    "\n", "  ", "- ", ": ", "\"", "'", "[", "]", "{", "}", ",", "#", "&a ", "*a", "!!int ", "|\n",
    "? ", "\t", "\0", "\u{FEFF}", "\r", "-", "0", "9999999999999999999999", "0.0001", "1e9", "~",
    "sets: 10000\n", "last: skip\n", "blocks:\n", "name: x\n", "{until: next}", "é", "---\n",
  ]

  @Test(arguments: 1...10)
  func damagedPresetIsAWorkoutThatFitsOrOneLine(seed: UInt64) throws {
    let presets = try ShippedPresets.files().map { file in
      try [UInt8](Data(contentsOf: URL(fileURLWithPath: ShippedPresets.path(file))))
    }
    var generator = SeededGenerator(seed: seed)
    var workouts = 0
    for _ in 0..<300 {
      var bytes = presets.randomElement(using: &generator)!
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        Self.damage(&bytes, using: &generator)
      }
      do throws(FileError) {
        let workout = try PresetFile.parse(bytes, file: "a.yaml")
        workouts += 1
        #expect(throws: Never.self) { try Timeline(workout) }
      } catch {
        let text = error.description
        #expect(text.hasPrefix("a.yaml:") && text.contains(", expected "))
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(text.count < 300, "\(text)")
      }
    }
    #expect((1..<300).contains(workouts))
  }

  private static func damage(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
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
