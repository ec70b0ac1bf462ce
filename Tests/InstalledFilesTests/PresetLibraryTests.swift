import Foundation
import InstalledFiles
import TestSupport
import Testing

/// Where a preset is found by its name.
@Suite struct PresetLibraryTests {
  private let space: InstalledSpace
  private let library: PresetLibrary

  init() throws {
    space = InstalledSpace()
    library = PresetLibrary(in: space.folders)
  }

  private func install(_ name: String, in path: String) throws {
    try space.write(InstalledSpace.preset(name), to: path)
  }

  /// The name of the workout that is found.
  private func found(_ name: String) throws -> String {
    try library.timeline(path: library.path(of: name)).workout.name
  }

  @Test(arguments: ["near/mine.yaml", "config/presets/mine.yml", "data/Presets/mine.yaml"])
  func presetsOfEveryFolderAreFoundByName(file: String) throws {
    try install("Mine", in: file)
    #expect(try found("mine") == "Mine")
    #expect(library.has("mine"))
    #expect(!library.has("yours"))
  }

  @Test func nearerPresetHidesOneOfTheSameName() throws {
    try install("Installed", in: "data/Presets/demo.yaml")
    try install("Mine", in: "config/presets/demo.yaml")
    #expect(try found("demo") == "Mine")
    try install("Near", in: "near/demo.yml")
    #expect(try found("demo") == "Near")
    #expect(library.all().map(\.name) == ["demo"])
    #expect(library.all().map(\.path) == [space.path("near/demo.yml")])
  }

  @Test func presetsInFoldersByUseAreFoundByTheirBareNames() throws {
    try install("Tabata", in: "data/Presets/hiit/tabata.yaml")
    try install("Hills", in: "config/presets/running/hills.yml")
    try install("Mine", in: "config/presets/mine.yaml")
    try install("Deep", in: "data/Presets/hiit/old/deep.yaml")
    try install("Hidden", in: "data/Presets/.git/hidden.yaml")
    #expect(try found("tabata") == "Tabata")
    #expect(try found("HILLS") == "Hills")
    #expect(library.all().map(\.name) == ["mine", "tabata", "hills"])
    #expect(library.all().map(\.folder) == [nil, "hiit", "running"])
    #expect(failure(InstallationError.self) { _ = try library.path(of: "deep") }?.kind == .preset)
    #expect(
      failure(InstallationError.self) { _ = try library.path(ofName: "hiit/tabata") }?.kind
        == .preset)
  }

  @Test func nearerPresetHidesOneInAFolder() throws {
    try install("Installed", in: "data/Presets/hiit/tabata.yaml")
    try install("Mine", in: "config/presets/tabata.yaml")
    #expect(try found("tabata") == "Mine")
    #expect(library.all().map(\.folder) == [nil])
  }

  @Test func noTwoShippedPresetsHaveOneName() throws {
    let folder = URL(fileURLWithPath: SourceTree.path("Presets"))
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") }
    let shipped = PresetLibrary(in: space.shippedFolders)
    #expect(files.count >= 30)
    #expect(shipped.all().count == files.count)
    #expect(Set(shipped.all().map { $0.name.lowercased() }).count == files.count)
  }

  @Test(arguments: ["Demo", "DEMO", "demo"])
  func capitalsDoNotMatterInAName(name: String) throws {
    try install("Demo", in: "data/Presets/demo.yaml")
    #expect(try found(name) == "Demo")
  }

  @Test func namesThatDifferInCapitalsAloneAreToldApart() throws {
    for name in ["mine", "Mine"] { try install(name, in: "near/\(name).yaml") }
    #expect(try found("Mine") == "Mine")
    #expect(try found("mine") == "mine")
    let error = failure(InstallationError.self) { _ = try library.path(of: "MINE") }
    #expect(error?.kind == .preset)
    #expect(
      error?.description == "there is no preset \"MINE\"; did you mean \"Mine\" or \"mine\"?")
  }

  private static let unknown: [(String, String)] = [
    ("tabat", "there is no preset \"tabat\"; did you mean \"tabata\"?"),
    ("zither", "there is no preset \"zither\"; cuecoach presets lists them"),
    ("", "there is no preset \"\"; cuecoach presets lists them"),
    ("a\nb\u{202e}", "there is no preset \"a b\"; cuecoach presets lists them"),
    (
      String(repeating: "x", count: 5000),
      "there is no preset \"\(String(repeating: "x", count: 29))…\"; cuecoach presets lists them"
    ),
  ]

  @Test(arguments: unknown)
  func nameThatIsNotThereIsOneLineThatSaysWhatToDo(name: String, line: String) throws {
    try install("Tabata", in: "data/Presets/tabata.yaml")
    let error = failure(InstallationError.self) { _ = try library.path(of: name) }
    #expect(error == failure(InstallationError.self) { _ = try library.path(ofName: name) })
    #expect(error?.kind == .preset)
    #expect(error?.description == line)
  }

  @Test(arguments: ["./demo", "demo.yaml", "Presets/demo", "demo.yml"])
  func whatLooksLikeAPathIsOneUnlessANameIsExpected(path: String) throws {
    try install("Demo", in: "data/Presets/demo.yaml")
    #expect(try library.path(of: path) == path)
    #expect(failure(InstallationError.self) { _ = try library.path(ofName: path) }?.kind == .preset)
  }

  /// A service takes names from elsewhere.
  @Test func nameIsNeverTheFileThatHasThatPath() throws {
    let path = try space.write(InstalledSpace.preset("Secret"), to: "secret")
    #expect(try found(path) == "Secret")
    #expect(failure(InstallationError.self) { _ = try library.path(ofName: path) }?.kind == .preset)
    #expect(
      failure(InstallationError.self) { _ = try library.path(ofName: "../secret") }?.kind == .preset
    )
  }

  @Test func mistakeInAPresetHasItsPlace() throws {
    let path = try space.write("name: A\nblocks: []\n", to: "near/bad.yaml")
    let error = failure(InstallationError.self) { _ = try library.timeline(path: path) }
    #expect(error?.kind == .file)
    #expect(error?.description.hasPrefix("\(path):2: blocks is an empty list") == true)
    #expect(error == failure(InstallationError.self) { _ = try library.document(path: path) })
  }

  @Test func onePlaceUnderTwoNamesIsListedOnce() throws {
    try install("Demo", in: "data/Presets/demo.yaml")
    try space.link("near", to: space.path("data/Presets"))
    #expect(library.all().map(\.path) == [space.path("near/demo.yaml")])
    #expect(
      library.searched
        == ["near", "state/presets", "config/presets", "data/Presets"].map(space.path).joined(
          separator: ", "))
  }

  @Test func whereNothingIsInstalledNothingIsFound() {
    let library = PresetLibrary(in: InstalledFolders())
    #expect(library.all().isEmpty)
    #expect(failure(InstallationError.self) { _ = try library.path(of: "demo") }?.kind == .preset)
  }
}
