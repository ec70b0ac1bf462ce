import Foundation
import Testing

/// The folders of the user who runs the program, and what is found in them.
@Suite struct UserPathsTests {
  private let space = Workspace()

  private func preset(_ name: String) -> String {
    "name: \(name)\nblocks: [{phases: [{work: 1s}]}]\n"
  }

  /// The name of the workout that `cuecoach timeline NAME` shows.
  private func found(_ name: String, by program: Program) async throws -> String? {
    let outcome = try await program.run(["timeline", name]).expectSuccess()
    return outcome.lines.first?.split(separator: ",").first.map(String.init)
  }

  @Test func presetsOfTheUserAreFoundByName() async throws {
    try space.write(preset("Mine"), to: "config/cuecoach/presets/mine.yaml")
    let program = space.program.with("XDG_CONFIG_HOME", space.path("config"))
    let name = try await found("mine", by: program)
    #expect(name == "Mine")
  }

  @Test(arguments: [nil, "", "config"])
  func withoutAnAbsoluteConfigurationFolderItIsTheOneAtHome(folder: String?) async throws {
    try space.write(preset("Wrong"), to: "config/cuecoach/presets/mine.yaml")
    try space.write(preset("At home"), to: ".config/cuecoach/presets/mine.yaml")
    let program = space.program.with("XDG_CONFIG_HOME", folder)
    let name = try await found("mine", by: program)
    #expect(name == "At home")
  }

  @Test func presetOfTheCurrentFolderHidesOthers() async throws {
    let installed = try await found("demo", by: space.program)
    #expect(installed == "Demo")
    try space.write(preset("Mine"), to: ".config/cuecoach/presets/demo.yaml")
    let mine = try await found("demo", by: space.program)
    #expect(mine == "Mine")
    try space.write(preset("Here"), to: "Presets/demo.yaml")
    let here = try await found("demo", by: space.program)
    #expect(here == "Here")
  }

  @Test func aWorkoutIsNamedAsItsPresetIs() async throws {
    try space.write(Preset.tiny, to: "Presets/mine.yaml")
    try await space.run(
      "run", "MINE", "--no-sound", "--ledger", Workspace.ledgerName
    ).expect(0)
    #expect(Set(space.ledger.lines.compactMap(\.lane)) == ["mine"])
  }

  @Test(arguments: ["./demo", "demo.yaml", "Presets/demo"])
  func whatLooksLikeAPathIsOne(path: String) async throws {
    let outcome = try await space.run("timeline", path).expect(2)
    #expect(outcome.errors.hasPrefix("\(path): no such file"))
  }

  @Test func listHasEveryPresetOnceWithItsLength() async throws {
    try space.write(preset("Mine"), to: ".config/cuecoach/presets/mine.yaml")
    try space.write(preset("Here"), to: "Presets/demo.yaml")
    let outcome = try await space.run("presets").expectSuccess()
    // A line with four blanks more is a description.
    let presets = outcome.lines.filter { !$0.hasSuffix(":") && !$0.hasPrefix("    ") }
    let names = presets.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.sorted() == (Preset.shipped + ["mine"]).sorted())
    // Those in no folder come first.
    #expect(names.prefix(2) == ["demo", "mine"])
    let folders = outcome.lines.filter { $0.hasSuffix(":") }
    #expect(
      folders == [
        "boxing:", "cycling:", "focus:", "hiit:", "kids:", "rehab:", "rowing:", "running:",
        "strength:",
        "swimming:",
      ])
    let hiit = try #require(outcome.lines.firstIndex(of: "hiit:"))
    #expect(outcome.lines[(hiit + 1)...].contains { $0.hasPrefix("  tabata ") })
    #expect(outcome.lines.contains { $0.hasPrefix("demo ") && $0.hasSuffix("  0:01  Here") })
    #expect(outcome.lines.contains { $0.hasPrefix("  rest-timer ") && $0.contains("  open  ") })
  }

  @Test func listShowsWhatIsWrongWithAPreset() async throws {
    try space.write("name: A\nblocks: []\n", to: "Presets/bad.yaml")
    let outcome = try await space.run("presets").expect(0)
    let bad = "bad                    Presets/bad.yaml:2: blocks is an empty list"
    #expect(outcome.lines.contains { $0.hasPrefix(bad) })
  }
}
