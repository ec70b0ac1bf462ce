import Foundation
import IntervalTimeline
import Presets
import TestSupport
import Testing

extension ShippedPresets {
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
    ShippedPreset(
      file: "boxing/boxing-amateur.yaml", name: "Boxing 3 rounds", phases: 6, fixed: 670),
    ShippedPreset(
      file: "boxing/boxing-callouts.yaml", name: "Boxing 12 rounds, called out", phases: 24,
      fixed: 2830),
    ShippedPreset(
      file: "boxing/boxing.yaml", name: "Boxing 12 rounds", phases: 24, fixed: 2830),
    ShippedPreset(
      file: "boxing/mma-rounds.yaml", name: "MMA 5 rounds", phases: 10, fixed: 1750),
    ShippedPreset(
      file: "boxing/muay-thai.yaml", name: "Muay Thai 5 rounds", phases: 10, fixed: 1390),
    ShippedPreset(
      file: "cycling/ftp-test.yaml", name: "FTP test, 20 minutes", phases: 12, fixed: 4560),
    ShippedPreset(
      file: "cycling/gibala-10x1.yaml", name: "Gibala 10 x 1 minute", phases: 21, fixed: 1620),
    ShippedPreset(
      file: "cycling/ramp-spoken.yaml", name: "Ramps 160 to 180 watts", phases: 5, fixed: 1380),
    ShippedPreset(
      file: "cycling/ramp.yaml", name: "Ramp 120 to 240 watts", phases: 9, fixed: 1020),
    ShippedPreset(
      file: "cycling/ronnestad-30-15.yaml", name: "Rønnestad 30/15", phases: 79, fixed: 3570),
    ShippedPreset(
      file: "cycling/sprints-3x20.yaml", name: "Three sprints of 20 seconds", phases: 7, fixed: 600),
    ShippedPreset(
      file: "cycling/threshold-2x20.yaml", name: "Threshold 2 x 20", phases: 5, fixed: 4200),
    ShippedPreset(
      file: "cycling/wingate-4x30.yaml", name: "Wingate sprints 4 x 30 s", phases: 9, fixed: 1440),
    ShippedPreset(
      file: "demo.yaml", name: "Demo", phases: 6, fixed: 60),
    ShippedPreset(
      file: "focus/box-breathing.yaml", name: "Box breathing", phases: 61, fixed: 250),
    ShippedPreset(
      file: "focus/breathing-4-7-8.yaml", name: "4-7-8 breathing", phases: 2, fixed: 200),
    ShippedPreset(
      file: "focus/desk-52-17.yaml", name: "Desk 52/17", phases: 6, fixed: 12420),
    ShippedPreset(
      file: "focus/eyes-20-20-20.yaml", name: "Eyes 20-20-20", phases: 12, fixed: 7320),
    ShippedPreset(
      file: "focus/pomodoro.yaml", name: "Pomodoro 4 x 25/5", phases: 8, fixed: 7800),
    ShippedPreset(
      file: "focus/slow-breathing.yaml", name: "Slow breathing", phases: 60, fixed: 300),
    ShippedPreset(
      file: "hiit/amrap-12.yaml", name: "AMRAP 12 minutes", phases: 2, fixed: 730),
    ShippedPreset(
      file: "hiit/class-stations.yaml", name: "Five stations", phases: 10, fixed: 365),
    ShippedPreset(
      file: "hiit/emom-two-tasks.yaml", name: "EMOM 10, two tasks", phases: 11, fixed: 610),
    ShippedPreset(
      file: "hiit/emom.yaml", name: "EMOM 10 minutes", phases: 11, fixed: 610),
    ShippedPreset(
      file: "hiit/for-time-20.yaml", name: "For time, cap 20 minutes", phases: 2, fixed: 1210),
    ShippedPreset(
      file: "hiit/nested-rounds.yaml", name: "Rounds in rounds", phases: 30, fixed: 1030),
    ShippedPreset(
      file: "hiit/peakrush.yaml", name: "PeakRush 8 x 30/30", phases: 16, fixed: 480),
    ShippedPreset(
      file: "hiit/pyramid-half-rests.yaml", name: "Pyramid with rests of half the work", phases: 10,
      fixed: 400),
    ShippedPreset(
      file: "hiit/pyramid.yaml", name: "Pyramid 30-60-90-60-30", phases: 10, fixed: 520),
    ShippedPreset(
      file: "hiit/seven-minute.yaml", name: "Seven-minute circuit", phases: 24, fixed: 480),
    ShippedPreset(
      file: "hiit/tabata.yaml", name: "Tabata 8 x 20/10", phases: 16, fixed: 240),
    ShippedPreset(
      file: "kids/animal-walks.yaml", name: "Animal walks", phases: 24, fixed: 470),
    ShippedPreset(
      file: "kids/brush-teeth.yaml", name: "Brush your teeth", phases: 5, fixed: 125),
    ShippedPreset(
      file: "kids/hockey-stick-handling.yaml", name: "Hockey stick-handling stations", phases: 24,
      fixed: 715),
    ShippedPreset(
      file: "kids/homework.yaml", name: "Homework 15/5", phases: 4, fixed: 2400),
    ShippedPreset(
      file: "rehab/handgrip-4x2.yaml", name: "Handgrip 4 x 2 minutes", phases: 8, fixed: 670),
    ShippedPreset(
      file: "rehab/heel-drops.yaml", name: "Heel drops", phases: 12, fixed: 310,
      isOpen: true),
    ShippedPreset(
      file: "rehab/mcgill-big-three.yaml", name: "McGill big three", phases: 120, fixed: 899),
    ShippedPreset(
      file: "rehab/patellar-holds.yaml", name: "Patellar tendon 5 x 45 s", phases: 10, fixed: 715),
    ShippedPreset(
      file: "rehab/rehab-holds.yaml", name: "Holds, each side", phases: 132, fixed: 670),
    ShippedPreset(
      file: "rehab/six-minute-walk.yaml", name: "Six-minute walk test", phases: 2, fixed: 370),
    ShippedPreset(
      file: "rowing/stroke-rate-ladder.yaml", name: "Stroke rate ladder", phases: 9, fixed: 1500),
    ShippedPreset(
      file: "running/10-20-30-running.yaml", name: "Running 10-20-30", phases: 49, fixed: 2040),
    ShippedPreset(
      file: "running/billat-30-30.yaml", name: "Billat 30-30", phases: 25, fixed: 2190),
    ShippedPreset(
      file: "running/c25k-week-1.yaml", name: "Couch to 5K, week 1", phases: 18, fixed: 1800),
    ShippedPreset(
      file: "running/c25k-week-2.yaml", name: "Couch to 5K, week 2", phases: 13, fixed: 1740),
    ShippedPreset(
      file: "running/c25k-week-3.yaml", name: "Couch to 5K, week 3", phases: 10, fixed: 1680),
    ShippedPreset(
      file: "running/c25k-week-4.yaml", name: "Couch to 5K, week 4", phases: 9, fixed: 1890),
    ShippedPreset(
      file: "running/cadence-5x3.yaml", name: "Running cadence 5 x 3", phases: 11, fixed: 2280),
    ShippedPreset(
      file: "running/cooper-test.yaml", name: "Cooper test", phases: 4, fixed: 1650),
    ShippedPreset(
      file: "running/fartlek.yaml", name: "Fartlek with ten surprises", phases: 22, fixed: 2552),
    ShippedPreset(
      file: "running/galloway-4-1.yaml", name: "Run 4, walk 1", phases: 18, fixed: 3000),
    ShippedPreset(
      file: "running/helgerud-15-15.yaml", name: "Helgerud 15/15", phases: 95, fixed: 2175),
    ShippedPreset(
      file: "running/norwegian-4x4.yaml", name: "Norwegian 4 x 4", phases: 9, fixed: 2400),
    ShippedPreset(
      file: "running/running-6x800.yaml", name: "6 x 800 m", phases: 13, fixed: 1200, isOpen: true),
    ShippedPreset(
      file: "running/strides.yaml", name: "Strides 6 x 20 s", phases: 12, fixed: 430),
    ShippedPreset(
      file: "running/yasso-800s.yaml", name: "Yasso 800s", phases: 21, fixed: 4440,
      isOpen: true),
    ShippedPreset(
      file: "strength/density-blocks.yaml", name: "Density, two blocks of 15 minutes", phases: 4,
      fixed: 2110),
    ShippedPreset(
      file: "strength/rep-ladder.yaml", name: "Ladder 1 to 10 and back", phases: 38, fixed: 2170,
      isOpen: true),
    ShippedPreset(
      file: "strength/rest-timer.yaml", name: "Rest timer 5 x 5", phases: 9, fixed: 720,
      isOpen: true),
    ShippedPreset(
      file: "strength/strength-5x5.yaml", name: "5 x 5", phases: 16, fixed: 1380,
      isOpen: true),
    ShippedPreset(
      file: "strength/strength-circuit.yaml", name: "Strength circuit", phases: 25, fixed: 765,
      isOpen: true),
    ShippedPreset(
      file: "strength/tempo-split-squats.yaml", name: "Split squats, tempo 3-1-1-0", phases: 15,
      fixed: 520),
    ShippedPreset(
      file: "strength/wendler-531-week-1.yaml", name: "5/3/1, week 1", phases: 11, fixed: 900,
      isOpen: true),
    ShippedPreset(
      file: "swimming/css-test.yaml", name: "Critical swim speed test", phases: 5, fixed: 1380,
      isOpen: true),
    ShippedPreset(
      file: "swimming/swim-10x50.yaml", name: "Swim 10 x 50 m", phases: 20, fixed: 135,
      isOpen: true),
    ShippedPreset(
      file: "swimming/swim-pyramid.yaml", name: "Swim pyramid", phases: 9, fixed: 120,
      isOpen: true),
    ShippedPreset(
      file: "swimming/swim-send-offs.yaml", name: "10 x 100 m on 2:00", phases: 20, fixed: 1090,
      isOpen: true),
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

  /// The tags that the reference page lists, by what they are of.
  private static func vocabulary() throws -> [String: Set<String>] {
    let page = ShippedPresets.folder.deletingLastPathComponent()
      .appendingPathComponent("Documentation/presets.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let table = text.components(separatedBy: "| Tags of | |\n").last ?? ""
    let rows = table.split(separator: "\n").prefix { $0.hasPrefix("|") }.dropFirst()
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return (cells[0], Set(cells[1].matches(of: /`([a-z-]+)`/).map { String($0.output.1) }))
      })
  }

  @Test(arguments: presets.map(\.file))
  func shippedPresetSaysWhatItIs(file: String) throws {
    let workout = try PresetFile.read(path: ShippedPresets.path(file))
    let facts = workout.facts
    for text in [facts.description, facts.audience, facts.source] {
      #expect((text?.count ?? 0) > 10)
    }
    let vocabulary = try Self.vocabulary()
    #expect(vocabulary.count == 4)
    for (what, tags) in vocabulary {
      #expect(!tags.isDisjoint(with: facts.tags), "no tag of \(what)")
    }
    let known = vocabulary.values.reduce(into: Set()) { $0.formUnion($1) }
    #expect(Set(facts.tags).subtracting(known) == [])
    let timeline = try Timeline(workout)
    let length = timeline.aboutLength ?? timeline.length
    let expected =
      length.map { $0 <= .seconds(900) ? "short" : $0 <= .seconds(2700) ? "medium" : "long" }
      ?? "open"
    #expect(facts.tags.contains(expected))
    #expect(file.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-./".utf8.contains($0) })
  }

  @Test func presetsLieInFoldersByUse() throws {
    let folders = Set(
      try ShippedPresets.files().filter { $0 != "demo.yaml" }.map { file in
        String(file.prefix { $0 != "/" })
      })
    #expect(
      folders == [
        "hiit", "strength", "running", "cycling", "rowing", "swimming", "boxing", "rehab", "focus",
        "kids",
      ])
  }

  @Test func eachEffortOfThePyramidIsASet() throws {
    let timeline = try ShippedPresets.timeline("hiit/pyramid.yaml")
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
        case .next: "next"
        case .finish: "finish"
        default: "other"
        }
      })
    #expect(
      kinds == [
        "countdown", "transition effort", "transition ease", "transition rest", "transition finish",
        "set completion", "next", "finish", "other",
      ])
  }
}
