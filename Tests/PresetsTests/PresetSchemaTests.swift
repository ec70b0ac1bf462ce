import Foundation
import TestSupport
import Testing

@testable import Presets

/// The schema for editors, the parser and the reference page say the same of a preset.
@Suite struct PresetSchemaTests {
  /// A place in a preset where keys stand.
  struct Place: Sendable, CustomTestStringConvertible {
    let name: String
    /// A preset with KEY where a key may stand.
    let preset: String
    /// The definition that has the keys as its properties, by its path in the schema.
    let path: [String]
    /// Keys of it that belong elsewhere.
    var without: Set<String> = []

    var testDescription: String { name }
  }

  private static let schema: JSONSchema = {
    let file = ShippedPresets.folder.appendingPathComponent("preset.schema.json")
    let data = (try? Data(contentsOf: file)) ?? Data()
    return JSONSchema(root: (try? JSONDecoder().decode(JSONValue.self, from: data)) ?? .null)
  }()

  private static let flatKeys = schema.root["then"]?["properties"]?.keys ?? []

  private static let places = [
    Place(
      name: "flat form", preset: "KEY: 1\nname: A\nsets: 1\nlow: 5\nhigh: 5\n", path: [],
      without: ["blocks"]),
    Place(
      name: "general form", preset: "KEY: 1\nname: A\nblocks: [{phases: [{work: 5}]}]\n", path: [],
      without: flatKeys),
    Place(
      name: "block", preset: "name: A\nblocks: [{KEY: 1, phases: [{work: 5}]}]\n",
      path: ["$defs", "block"]),
    Place(
      name: "group",
      preset: "name: A\nblocks: [{phases: [{KEY: 1, repeat: 2, phases: [{work: 5}]}]}]\n",
      path: ["$defs", "group"]),
    Place(
      name: "phase",
      preset: "name: A\nblocks: [{count: marked, phases: [{KEY: 1, work: 5, set: 1}]}]\n",
      path: ["$defs", "phase"]),
    Place(
      name: "open length", preset: "name: A\nblocks: [{phases: [{work: {KEY: 1, reps: 5}}]}]\n",
      path: ["$defs", "openLength"]),
    Place(
      name: "text",
      preset: "name: A\nblocks: [{phases: [{work: 5, say: [{KEY: 1, text: a}]}]}]\n",
      path: ["$defs", "remark"]),
    Place(
      name: "phrases",
      preset: "name: A\nphrases: {KEY: a}\nblocks: [{phases: [{work: 5}]}]\n",
      path: ["properties", "phrases"]),
  ]

  @Test(arguments: places) func keysOfTheSchemaAreThoseOfTheParser(place: Place) throws {
    var definition: JSONValue? = Self.schema.root
    for key in place.path { definition = definition?[key] }
    let keys = try #require(definition?["properties"]?.keys).subtracting(place.without)
    // What the parser does not know it names, with what it knows; a long list is cut.
    for key in keys.sorted() {
      let complaint = message(place.preset.replacingOccurrences(of: "KEY", with: key)) ?? ""
      #expect(!complaint.contains("unknown key"), "the parser has no \(key): \(complaint)")
    }
    let complaint = message(place.preset.replacingOccurrences(of: "KEY", with: "qqq")) ?? ""
    let list = try #require(complaint.components(separatedBy: "expected one of ").last)
    let parts = list.components(separatedBy: " and ")
    let named = parts[0].components(separatedBy: ", ")
    let others = parts.count > 1 ? Int(parts[1].prefix { $0.isNumber }) ?? 0 : 0
    let missing = Set(named).subtracting(keys)
    #expect(missing.isEmpty, "preset.schema.json lacks \(missing.sorted()) in the \(place.name)")
    #expect(
      named.count + others == keys.count,
      "the parser has \(named.count + others) keys in the \(place.name), the schema \(keys.count)")
  }

  @Test func everyKeyIsOnTheReferencePage() throws {
    let page = try Self.page()
    for place in Self.places {
      var definition: JSONValue? = Self.schema.root
      for key in place.path { definition = definition?[key] }
      for key in definition?["properties"]?.keys ?? [] {
        let isThere = page.contains("`\(key)") || page.contains("\(key):")
        #expect(isThere, "Documentation/presets.md does not have \(key)")
      }
    }
  }

  private static func page() throws -> String {
    try SourceTree.text("Documentation/presets.md")
  }

  @Test func everyShippedPresetAndEveryExampleFits() throws {
    var presets = try ShippedPresets.files().map { file in
      (file, try String(contentsOfFile: ShippedPresets.path(file), encoding: .utf8))
    }
    let examples = try Self.page().components(separatedBy: "```yaml\n").dropFirst().enumerated()
    presets += examples.map { index, text in
      ("example \(index + 1)", text.components(separatedBy: "```")[0])
    }
    #expect(presets.count > 60)
    for (name, text) in presets {
      let node = try #require(try YamlTree.root(of: Array(text.utf8)))
      #expect(try Self.schema.faults(JSONValue(node)) == [], "\(name)")
    }
  }

  @Test(arguments: [
    "name: A\n", "sets: 3\nlow: 5\nhigh: 5\n", "name: A\nsets: 3\nlow: 5\n",
    "name: A\nsets: 0\nlow: 5\nhigh: 5\n", "name: A\nsets: 3\nlow: 5\nhigh: soon\n",
    "name: A\nsets: 3\nlow: 5\nhigh: -5\n", "name: A\nrate: 900\nsets: 3\nlow: 5\nhigh: 5\n",
    "name: A\nsets: 3\nlow: 5\nhigh: 5\nblocks: [{phases: [{work: 5}]}]\n",
    "name: A\nblocks: []\n", "name: A\nblocks: [{sets: 2}]\n",
    "name: A\nblocks: [{phases: [{name: B}]}]\n",
    "name: A\nblocks: [{phases: [{work: 5, rest: 5}]}]\n",
    "name: A\nblocks: [{phases: [{phases: [{work: 5}]}]}]\n",
    "name: A\nblocks: [{phases: [{work: {reps: 0}}]}]\n",
    "name: A\nblocks: [{phases: [{work: {reps: 5, until: next}}]}]\n",
    "name: A\nblocks: [{phases: [{work: 5, say: [{at: 1s}]}]}]\n",
    "name: A\nblocks: [{ladder: [5], phases: [{work: rung}]}]\n",
    "name: A\ndensity: loud\nblocks: [{phases: [{work: 5}]}]\n",
    "name: A\nphrases: {nxt: a}\nblocks: [{phases: [{work: 5}]}]\n",
    "name: A\ntempo of my own: 5\nblocks: [{phases: [{work: 5}]}]\n",
  ])
  func whatTheParserRefusesTheSchemaDoesToo(preset: String) throws {
    #expect(message(preset) != nil)
    let node = try #require(try YamlTree.root(of: Array(preset.utf8)))
    #expect(try !Self.schema.faults(JSONValue(node)).isEmpty)
  }

  @Test(arguments: ["1m30s", "1:30", "2h", "0.5s", "250ms", "90", "1h30m", "1.5h", "1:02:30.5"])
  func lengthsOfTheParserAreThoseOfTheSchema(length: String) throws {
    let preset = "name: A\nblocks: [{phases: [{work: \(length)}]}]\n"
    #expect(message(preset) == nil)
    let node = try #require(try YamlTree.root(of: Array(preset.utf8)))
    #expect(try Self.schema.faults(JSONValue(node)) == [])
  }
}
