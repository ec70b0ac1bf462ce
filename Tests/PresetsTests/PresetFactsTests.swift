import Foundation
import IntervalTimeline
import Presets
import Testing

/// What a preset says of itself.
@Suite struct PresetFactsTests {
  private static let facts = WorkoutFacts(
    description: "Hills: up hard, down easy", audience: "runners", author: "Anna's coach",
    source: "common practice", tags: ["running", "10-20", "no"])

  @Test func factsAreReadInBothForms() throws {
    let keys = """
      description: "Hills: up hard, down easy"
      for: runners
      author: Anna's coach
      source: common practice
      tags: [running, 10-20, no]

      """
    for form in ["sets: 1\nlow: 3\nhigh: 3\n", "blocks: [{phases: [{high: 3}]}]\n"] {
      let workout = try PresetFile.parse(Array("name: A\n\(keys)\(form)".utf8), file: "a.yaml")
      #expect(workout.facts == Self.facts)
    }
  }

  @Test func factsAreWrittenAndStoredAsTheyWere() throws {
    var workout = try PresetFile.parse(
      Array("name: A\nsets: 1\nlow: 3\nhigh: 3\n".utf8), file: "a.yaml")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let plain = try encoder.encode(workout)
    #expect(!String(decoding: plain, as: UTF8.self).contains("facts"))
    #expect(try JSONDecoder().decode(Workout.self, from: plain).facts.isEmpty)
    workout.facts = Self.facts
    let again = try PresetFile.parse(
      Array(PresetWriter.text(of: workout).utf8), file: "a.yaml")
    #expect(again.facts == Self.facts)
    let stored = try encoder.encode(workout)
    #expect(try JSONDecoder().decode(Workout.self, from: stored) == workout)
    workout.facts = WorkoutFacts()
    #expect(try encoder.encode(workout) == plain)
  }

  @Test func theLimitsThemselvesAreAllowed() throws {
    let text = String(repeating: "é", count: 500)
    let tags = (1...12).map { "\(String(repeating: "a", count: 28))\($0 + 10)" }
    let workout = try PresetFile.parse(
      Array(
        "name: A\ndescription: \(text)\ntags: [\(tags.joined(separator: ", "))]\nsets: 1\nlow: 3\nhigh: 3\n"
          .utf8), file: "a.yaml")
    #expect(workout.facts == WorkoutFacts(description: text, tags: tags))
  }

  private static let mistakes: [BadPreset] = [
    .flat("description: [a]", "description is a list, expected a text"),
    .flat("for: ''", "for is blank, expected a text"),
    .flat("source:", "source is empty, expected a text"),
    .flat(
      "author: \(String(repeating: "a", count: 501))",
      "author is too long, expected at most 500 characters"),
    .flat(
      "tags: running", "tags is \"running\", expected a list of tags, such as [running, intervals]"),
    .flat(
      "tags: []", "tags is an empty list, expected a list of tags, such as [running, intervals]"),
    .flat(
      "tags: [running, VO2max]",
      "\"VO2max\" in tags, expected tags of 1 to 30 of a-z, 0-9 and hyphens"),
    .flat("tags: [[a]]", "a list in tags, expected tags of 1 to 30 of a-z, 0-9 and hyphens"),
    .flat(
      "tags: [\(String(repeating: "a", count: 31))]",
      "\"\(String(repeating: "a", count: 31))\" in tags, expected tags of 1 to 30 of a-z, 0-9 and hyphens"
    ),
    .flat("tags: [a, b, a]", "\"a\" twice in tags, expected each tag once"),
    .flat(
      "tags: [a, b, c, d, e, f, g, h, i, j, k, l, m]", "tags has 13 tags, expected at most 12"),
    .flat(
      "audience: runners",
      "unknown key \"audience\" in a preset, expected one of name, language, voice, variant, rate, "
        + "pitch, speech-volume, sounds, density, countdown, acknowledge, phrases, values, sets, first, "
        + "low, high, prepare, warmup, rest, cooldown and 9 more"),
  ]

  @Test(arguments: mistakes)
  func mistakeIsOneLineWithItsPlace(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }
}
