import Foundation
import InstalledFiles
import TestSupport
import Testing

/// The clock drifts of cards that are stored between runs.
@Suite struct DriftFileTests {
  private let space: InstalledSpace
  private let file: DriftFile

  init() throws {
    space = InstalledSpace()
    file = DriftFile(in: space.path("state/cuecoach"))
  }

  private var text: String? {
    try? String(contentsOfFile: space.path("state/cuecoach/card-clocks"), encoding: .utf8)
  }

  private func write(_ text: String) throws {
    try space.write(text, to: "state/cuecoach/card-clocks")
  }

  @Test func storedValuesAreRead() {
    #expect(file.drift(of: "Headphones") == nil)
    file.keep(-31.25, of: "Headphones")
    file.keep(80, of: "USB Audio, \"C=1\" ")
    file.keep(12.5, of: "Headphones")
    #expect(file.drift(of: "Headphones") == 12.5)
    #expect(file.drift(of: "USB Audio, \"C=1\" ") == 80)
    #expect(file.drift(of: "USB") == nil)
    #expect(text == "12.5 Headphones\n80.0 USB Audio, \"C=1\" \n")
  }

  @Test func nameWithALineEndIsOneLine() {
    file.keep(5, of: "a\n7 b")
    #expect(file.drift(of: "a\n7 b") == 5)
    #expect(file.drift(of: "b") == nil)
  }

  @Test(arguments: [300.5, -301, .infinity, .nan])
  func absurdDriftIsNotKept(drift: Double) {
    file.keep(drift, of: "Headphones")
    #expect(text == nil)
  }

  @Test(arguments: [
    "", "\n\n", "12", "12 ", " 12 Headphones", "x Headphones", "nan Headphones", "inf Headphones",
    "301 Headphones", "-1e9 Headphones", "12,5 Headphones", "12\tHeadphones", "\0\u{1}\u{2}",
    "12 Headphone", "12 Headphones ",
  ])
  func damagedLineIsNothing(line: String) throws {
    try write("\(line)\n7 Device\n")
    #expect(file.drift(of: "Headphones") == nil)
    #expect(file.drift(of: "Device") == 7)
    file.keep(3, of: "Headphones")
    #expect(file.drift(of: "Headphones") == 3)
    #expect(file.drift(of: "Device") == 7)
  }

  @Test func bytesThatAreNoTextAreNothing() throws {
    try space.write(Data([0xff, 0xfe, 0x0a, 0x35]), to: "state/cuecoach/card-clocks")
    #expect(file.drift(of: "Headphones") == nil)
    file.keep(3, of: "Headphones")
    #expect(file.drift(of: "Headphones") == 3)
  }

  @Test func whatIsNoFileIsNeitherReadNorWaitedFor() throws {
    try write("")
    let path = space.path("state/cuecoach/card-clocks")
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(file.drift(of: "Headphones") == nil)
    file.keep(3, of: "Headphones")
    #expect(file.drift(of: "Headphones") == 3)
  }

  @Test func fileThatCannotBeWrittenIsNobodysConcern() throws {
    try space.write("no folder", to: "state")
    file.keep(3, of: "Headphones")
    #expect(file.drift(of: "Headphones") == nil)
    try FileManager.default.removeItem(atPath: space.path("state"))
    try space.write("a folder", to: "state/cuecoach/card-clocks/file")
    file.keep(3, of: "Headphones")
    #expect(file.drift(of: "Headphones") == nil)
    let left = try FileManager.default.contentsOfDirectory(atPath: space.path("state/cuecoach"))
    #expect(left == ["card-clocks"])
  }

  @Test func fileOfAnySizeIsNotSwallowed() throws {
    try write("7 Device\n" + String(repeating: "8 Other\n", count: 10_000))
    #expect(file.drift(of: "Device") == nil)
  }

  @Test func aHundredCardsAreRememberedTheLatestFirst() {
    for card in 1...102 { file.keep(Double(card), of: "card \(card)") }
    #expect(text?.split(separator: "\n").count == 100)
    #expect(file.drift(of: "card 2") == nil)
    #expect(file.drift(of: "card 3") == 3)
    #expect(file.drift(of: "card 102") == 102)
  }

  @Test func theMemoryOfAFolderIsItsFile() {
    let memory = DriftFile.memory(in: space.path("state/cuecoach"))
    memory.keep("Headphones", 4)
    #expect(file.drift(of: "Headphones") == 4)
    #expect(memory.recall("Headphones") == 4)
  }

  @Test func withoutAFolderNothingIsRemembered() {
    let memory = DriftFile.memory(in: nil)
    memory.keep("Headphones", 4)
    #expect(memory.recall("Headphones") == nil)
  }
}
