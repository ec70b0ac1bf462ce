import Glibc
import InstalledFiles
import TestSupport
import Testing

/// Presets that people make on a surface: saved whole, never lost.
@Suite struct OwnPresetsTests {
  private let space = InstalledSpace()
  private let presets: OwnPresets

  init() { presets = OwnPresets(folder: space.path("state/presets")) }

  @discardableResult
  private func save(
    _ text: String, as name: String = "rows", base: String? = nil, former: String? = nil
  ) throws -> OwnPresets.Stored {
    try presets.save(text, as: name, base: base, former: former) { _ in false }
  }

  private func fault(_ body: () throws -> Void) -> OwnPresets.Fault? {
    failure(OwnPresets.Fault.self, body)
  }

  @Test func savedPresetIsReadAgain() throws {
    let saved = try save("name: Rows\n# a comment\n")
    #expect(try presets.read("rows") == saved)
    #expect(saved.text == "name: Rows\n# a comment\n")
    #expect(presets.names == ["rows"])
    #expect(try presets.read("other") == nil)
  }

  @Test func savedPresetIsFoundByItsNameBeforeOthers() throws {
    try space.write(InstalledSpace.preset("Configured"), to: "config/presets/mine.yaml")
    try space.write(InstalledSpace.preset("Saved"), to: "state/presets/mine.yaml")
    let library = PresetLibrary(in: space.folders)
    #expect(try library.path(of: "mine") == space.path("state/presets/mine.yaml"))
  }

  @Test func secondWhoChangesTheSameTextIsTold() throws {
    let first = try save("1")
    let second = try save("2", base: first.tag)
    #expect(
      fault { try save("3", base: first.tag) } == .changed("\"rows\" has been changed meanwhile"))
    #expect(fault { try save("3") } == .changed("\"rows\" has been changed meanwhile"))
    #expect(try presets.read("rows") == second)
    // The same text twice, because the first answer was lost.
    #expect(try save("2", base: first.tag) == second)
    try presets.delete("rows", base: second.tag)
    #expect(
      fault { try save("3", base: second.tag) } == .changed("\"rows\" has been deleted meanwhile"))
  }

  @Test func lastTenVersionsAreKept() throws {
    var tag: String?
    for number in 0...13 { tag = try save("text \(number)", base: tag).tag }
    let versions = try presets.versions(of: "rows")
    #expect(versions.count == OwnPresets.maxVersions)
    #expect(try presets.read("rows", version: versions[0].number).text == "text 12")
    #expect(try presets.read("rows", version: versions[9].number).text == "text 3")
    #expect(
      fault { _ = try presets.read("rows", version: 1) } == .missing("\"rows\" has no version 1"))
  }

  @Test func aVersionHasTheTimeAtWhichItWasSaved() throws {
    let first = try save("1")
    var times = [timeval(tv_sec: 100, tv_usec: 0), timeval(tv_sec: 1000, tv_usec: 500_000)]
    #expect(utimes(space.path("state/presets/rows.yaml"), &times) == 0)
    let second = try save("2", base: first.tag)
    let versions = try presets.versions(of: "rows")
    #expect(versions.map(\.number) == [1] && versions.map(\.saved) == [1_000_500_000_000])
    times[1].tv_sec = 2000
    #expect(utimes(space.path("state/presets/rows.yaml"), &times) == 0)
    try presets.delete("rows", base: second.tag)
    #expect(
      try presets.versions(of: "rows").map(\.saved) == [2_000_500_000_000, 1_000_500_000_000])
  }

  @Test func theTextsOfTheLatestDeletedPresetsAreKept() throws {
    try save("0", as: "stays")
    for number in 0...OwnPresets.maxDeleted + 1 {
      let name = "p\(number)"
      try presets.delete(name, base: save("\(number)", as: name).tag)
      var times = [timeval(tv_sec: number, tv_usec: 0), timeval(tv_sec: number, tv_usec: 0)]
      #expect(utimes(space.path("state/presets/.versions/\(name)"), &times) == 0)
    }
    let kept = try (0...OwnPresets.maxDeleted + 1).filter {
      try !presets.versions(of: "p\($0)").isEmpty
    }
    // The last one made room for itself before it got its time.
    #expect(kept.count == OwnPresets.maxDeleted && !kept.contains(0) && !kept.contains(1))
    #expect(presets.names == ["stays"])
  }

  @Test func deletedPresetIsTheLatestOfItsVersions() throws {
    try save("all of it", base: nil)
    #expect(
      fault { try presets.delete("rows", base: "other") }
        == .changed("\"rows\" has been changed meanwhile"))
    try presets.delete("rows", base: try #require(try presets.read("rows")).tag)
    #expect(presets.names == [])
    let latest = try #require(try presets.versions(of: "rows").first)
    #expect(try presets.read("rows", version: latest.number).text == "all of it")
    // Undone.
    try save("all of it")
    #expect(presets.names == ["rows"])
  }

  @Test func renamedPresetKeepsItsVersions() throws {
    let first = try save("1")
    let second = try save("2", base: first.tag)
    try save("3", as: "sprints", base: second.tag, former: "rows")
    #expect(presets.names == ["sprints"])
    let other = try save("other", as: "other")
    guard case .taken = fault({ try save("4", as: "sprints", base: other.tag, former: "other") })
    else {
      Issue.record("a preset of one's own is replaced")
      return
    }
    try presets.delete("other", base: other.tag)
    #expect(
      try presets.versions(of: "sprints").map {
        try presets.read("sprints", version: $0.number).text
      } == [
        "2", "1",
      ])
    #expect(
      fault { try save("4", as: "other", base: "x", former: "rows") }
        == .changed("\"rows\" has been deleted meanwhile"))
  }

  /// Who looks for it by the new name finds the former one where only cases differ.
  @Test func presetIsRenamedInOtherCasesAndOnce() throws {
    let rows = try save("1")
    let renamed = try presets.save("1", as: "Rows", base: rows.tag, former: "rows") { _ in true }
    #expect(presets.names == ["Rows"])
    // The answer was lost.
    let again = try presets.save("1", as: "Rows", base: rows.tag, former: "rows") { _ in true }
    #expect(again == renamed && presets.names == ["Rows"])
  }

  @Test func nameOfAnotherPresetIsTaken() throws {
    #expect(
      fault { _ = try presets.save("1", as: "tabata", base: nil) { _ in true } }
        == .taken("there is a preset \"tabata\" already"))
    let rows = try save("1")
    #expect(
      fault {
        _ = try presets.save("1", as: "tabata", base: rows.tag, former: "rows") { _ in true }
      } == .taken("there is a preset \"tabata\" already"))
    #expect(presets.names == ["rows"])
  }

  @Test(arguments: [
    "", ".", "..", "../rows", "a/b", ".rows", "-rows", "rows.yaml", "rows.zwo", "a\0b", "a\nb",
    String(repeating: "x", count: 41),
  ])
  func nameThatLeadsElsewhereIsRefused(name: String) {
    for body in [
      { try save("1", as: name) }, { _ = try presets.read(name) },
      { _ = try presets.read(name, version: 1) }, { try presets.delete(name, base: "") },
    ] as [() throws -> Void] {
      guard case .name = fault(body) else {
        Issue.record("\(name.debugDescription) is accepted")
        continue
      }
    }
  }

  @Test func limitsHold() throws {
    let long = String(repeating: "x", count: OwnPresets.maxBytes)
    try save(long)
    #expect(
      fault { try save(long + "x", as: "longer") }
        == .large("49153 bytes; a preset has at most 49152"))
    for number in 1..<OwnPresets.maxCount {
      try space.write("", to: "state/presets/p\(number).yaml")
    }
    #expect(fault { try save("1", as: "one-more") } == .full("there are 1000 presets already"))
    #expect(throws: Never.self) { try save("2", base: presets.read("rows")?.tag) }
  }

  @Test func folderThatCannotBeWrittenLosesNothing() throws {
    try space.write("a file", to: "state/presets")
    guard case .disk = fault({ try save("1") }) else {
      Issue.record("saved in a file")
      return
    }
  }
}
