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

@Suite struct ShippedPresetsTests {
  /// Of each preset its name, its phases, and the length of those that have one: a change is seen in `shipped.txt`.
  @Test func shippedPresetsAreAsInTheTable() throws {
    let table = try ShippedPresets.files().map { file in
      let timeline = try ShippedPresets.timeline(file)
      if let length = timeline.length { #expect(length == timeline.fixedLength, "\(file)") }
      let end = timeline.length == nil ? " and open" : ""
      let length = "\(timeline.fixedLength.secondsText()) s\(end)"
      return "\(file): \(timeline.workout.name), \(timeline.count) phases, \(length)"
    }
    let text = try SourceTree.text("Tests/PresetsTests/shipped.txt")
    #expect(table == text.split(separator: "\n").map(String.init))
  }

  /// The tags that the reference page lists, by what they are of.
  private static func vocabulary() throws -> [String: Set<String>] {
    let text = try SourceTree.text("Documentation/presets.md")
    let table = text.components(separatedBy: "| Tags of | |\n").last ?? ""
    let rows = table.split(separator: "\n").prefix { $0.hasPrefix("|") }.dropFirst()
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return (cells[0], Set(cells[1].matches(of: /`([a-z-]+)`/).map { String($0.output.1) }))
      })
  }

  @Test(arguments: (try? ShippedPresets.files()) ?? [])
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
