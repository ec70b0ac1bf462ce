import Foundation
import IntervalTimeline
import Presets
import TestSupport
import Testing

/// Shipped presets, and one with every style key, with random damage.
@Suite struct PresetMutationTests {
  private static let speaking = """
    name: Speaking
    language: de
    voice: de
    variant: f3
    rate: 180
    pitch: 60
    speech-volume: 90
    countdown: 5
    sounds: gym
    density: {all: normal, rest: full}
    phrases:
      halfway: ["Half of {phase} done", "Half"]
      next: silent
    blocks:
      - sets: 3
        phases:
          - high: 30s
            say: [{at: 10s, text: Breathe}, {at: -5s, text: "{remaining} to go"}]
          - rest: {until: next}
            say: Drink
            at: 20s
    """

  @Test(arguments: 1...10)
  func damagedPresetIsAWorkoutThatFitsOrOneLine(seed: UInt64) throws {
    let presets = try ShippedPresets.files().map { file in
      try [UInt8](Data(contentsOf: URL(fileURLWithPath: ShippedPresets.path(file))))
    }
    let texts = presets + [Array(Self.speaking.utf8)]
    var generator = SeededGenerator(seed: seed)
    var workouts = 0
    for _ in 0..<300 {
      var bytes = texts.randomElement(using: &generator)!
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        Damage.strike(&bytes, using: &generator)
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
}
