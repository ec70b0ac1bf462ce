import Foundation
import IntervalTimeline
import Testing
import WorkoutFiles

/// The presets in the repository's folder.
enum ShippedPresets {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Presets")

  static func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
  }

  static func path(_ file: String) -> String { folder.appendingPathComponent(file).path }

  static func timeline(_ file: String) throws -> Timeline {
    try Timeline(PresetFile.read(path: path(file)))
  }
}

struct ShippedPreset: Sendable {
  let file: String
  let name: String
  let phases: Int
  /// The seconds of all fixed phases.
  let fixed: Int
  var isOpen = false
}

@Suite struct ShippedPresetsTests {
  static let presets = [
    ShippedPreset(file: "10-20-30-running.yaml", name: "Running 10-20-30", phases: 49, fixed: 2040),
    ShippedPreset(file: "boxing.yaml", name: "Boxing 12 rounds", phases: 24, fixed: 2830),
    ShippedPreset(file: "demo.yaml", name: "Demo", phases: 6, fixed: 60),
    ShippedPreset(file: "emom-two-tasks.yaml", name: "EMOM 10, two tasks", phases: 11, fixed: 610),
    ShippedPreset(file: "emom.yaml", name: "EMOM 10 minutes", phases: 11, fixed: 610),
    ShippedPreset(
      file: "hockey-stick-handling.yaml", name: "Hockey stick-handling stations", phases: 24,
      fixed: 715),
    ShippedPreset(file: "nested-rounds.yaml", name: "Rounds in rounds", phases: 30, fixed: 1030),
    ShippedPreset(file: "norwegian-4x4.yaml", name: "Norwegian 4 x 4", phases: 9, fixed: 2400),
    ShippedPreset(file: "peakrush.yaml", name: "PeakRush 8 x 30/30", phases: 16, fixed: 480),
    ShippedPreset(file: "pomodoro.yaml", name: "Pomodoro 4 x 25/5", phases: 8, fixed: 7800),
    ShippedPreset(
      file: "pyramid-half-rests.yaml", name: "Pyramid with rests of half the work", phases: 10,
      fixed: 400),
    ShippedPreset(
      file: "pyramid.yaml", name: "Pyramid 30-60-90-60-30", phases: 10, fixed: 520),
    ShippedPreset(file: "ramp.yaml", name: "Ramp 120 to 240 watts", phases: 9, fixed: 1020),
    ShippedPreset(file: "rehab-holds.yaml", name: "Holds, each side", phases: 132, fixed: 670),
    ShippedPreset(
      file: "rep-ladder.yaml", name: "Ladder 1 to 10 and back", phases: 38, fixed: 2170,
      isOpen: true),
    ShippedPreset(
      file: "rest-timer.yaml", name: "Rest timer 5 x 5", phases: 9, fixed: 720, isOpen: true),
    ShippedPreset(
      file: "strength-5x5.yaml", name: "5 x 5", phases: 16, fixed: 1380, isOpen: true),
    ShippedPreset(
      file: "strength-circuit.yaml", name: "Strength circuit", phases: 25, fixed: 765,
      isOpen: true),
    ShippedPreset(file: "tabata.yaml", name: "Tabata 8 x 20/10", phases: 16, fixed: 240),
  ]

  @Test(arguments: presets)
  func shippedPresetHasItsLength(preset: ShippedPreset) throws {
    let timeline = try ShippedPresets.timeline(preset.file)
    #expect(timeline.workout.name == preset.name)
    #expect(timeline.count == preset.phases)
    #expect(timeline.fixedLength == .seconds(preset.fixed))
    #expect(timeline.length == (preset.isOpen ? nil : .seconds(preset.fixed)))
  }

  @Test func everyShippedPresetIsInTheTable() throws {
    #expect(try ShippedPresets.files() == Self.presets.map(\.file))
  }

  @Test(arguments: presets.map(\.file))
  func shippedPresetBeginsWithWhatItIs(file: String) throws {
    let text = try String(contentsOfFile: ShippedPresets.path(file), encoding: .utf8)
    #expect(text.hasPrefix("# "))
    #expect(file.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-.".utf8.contains($0) })
  }

  @Test func eachEffortOfThePyramidIsASet() throws {
    let timeline = try ShippedPresets.timeline("pyramid.yaml")
    #expect(timeline.entries.map(\.set) == [nil, 1, 1, 2, 2, 3, 3, 4, 4, 5])
    let efforts = timeline.entries.filter(\.endsSet).compactMap(\.phase.length.duration)
    #expect(efforts == [30, 60, 90, 60, 30].map { .seconds($0) })
  }

  @Test func demoLetsEveryKindOfCueBeHeard() throws {
    let timeline = try ShippedPresets.timeline("demo.yaml")
    let cues = (0...timeline.count).flatMap { CuePlan().cues(of: $0, in: timeline) }
    let kinds = Set(
      cues.map { cue in
        switch cue.content {
        case .countdown: "countdown"
        case .transition(let transition): "transition \(transition)"
        case .setCompletion: "set completion"
        case .halfway: "halfway"
        case .next: "next"
        case .finish: "finish"
        default: "other"
        }
      })
    #expect(
      kinds == [
        "countdown", "transition effort", "transition ease", "transition rest", "transition finish",
        "set completion", "halfway", "next", "finish",
      ])
  }
}
