import Foundation
import InstalledFiles
import IntervalTimeline
import TestSupport
import Testing

/// Which catalogue of phrases speaks a language.
@Suite struct CataloguesTests {
  private let space: InstalledSpace
  private let catalogues: Catalogues

  init() throws {
    space = InstalledSpace()
    catalogues = Catalogues(in: space.shippedFolders)
  }

  @Test func aPersonsOwnCatalogueReplacesWhatItHolds() throws {
    let shipped = try #require(try catalogues.load("de"))
    try space.write("phrases: {halfway: Mitte}\n", to: "config/phrases/de.yaml")
    let own = try #require(try catalogues.load("de"))
    #expect(own.phrases[.halfway] != shipped.phrases[.halfway])
    #expect(own.phrases[.finish] == shipped.phrases[.finish])
  }

  @Test func aCountryWithoutACatalogueHasThatOfItsLanguage() throws {
    #expect(try catalogues.load("de-ch") == catalogues.load("de"))
    #expect(try catalogues.load("xx-de") == nil)
  }

  /// The file is a catalogue that could be read, and the folder is there.
  @Test(arguments: ["../other", "./other", "sub/other", "de/../../other", "other.x", "../other-x"])
  func aPathIsNoLanguage(_ text: String) throws {
    for place in ["config", "config/phrases/sub", "config/phrases", "config/phrases/de"] {
      let other = place == "config/phrases" ? "other.x" : "other"
      try space.write("phrases: {halfway: Mitte}\n", to: "\(place)/\(other).yaml")
    }
    #expect(try catalogues.load(text) == nil)
    #expect(!catalogues.languages.contains(text))
  }

  @Test func languagesOfBothFoldersAreListedOnce() throws {
    let shipped = catalogues.languages
    #expect(shipped.contains("en") && shipped.contains("de"))
    for name in ["de", "nds"] { try space.write("", to: "config/phrases/\(name).yaml") }
    try space.write("", to: "config/phrases/note.txt")
    #expect(catalogues.languages == (shipped + ["nds"]).sorted())
  }

  @Test func linkThatLeadsNowhereIsAMistakeWithItsPlace() throws {
    let path = try space.write("", to: "config/phrases/nds.yaml")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: space.path("nowhere"))
    #expect {
      try catalogues.load("nds")
    } throws: {
      let error = $0 as? InstallationError
      return error?.kind == .file && error?.description.hasPrefix("\(path): ") == true
    }
  }
}
