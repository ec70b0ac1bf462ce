import ControlProtocol
import Foundation
import TestSupport
import Testing

@testable import cuecoach

/// Small files that the service keeps.
@Suite struct KeptFileTests {
  private let folder = TestFolder()

  private func file() -> KeptFile<Favourites> {
    KeptFile("kept.json", in: folder.path("state"), empty: [:])
  }

  private var path: String { folder.path("state/kept.json") }

  @Test func whatIsKeptIsThereForTheNextCoach() throws {
    let first = file()
    #expect(try first.value() == [:])
    try first.change { $0["anna"] = ["rows"] }
    #expect(try first.value() == ["anna": ["rows"]])
    #expect(try file().value() == ["anna": ["rows"]])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("state")) == ["kept.json"])
  }

  @Test func aChangeThatFailsChangesNothing() throws {
    let kept = file()
    try kept.change { $0["anna"] = ["rows"] }
    #expect(throws: ControlError(.full, "no")) {
      try kept.change { value throws(ControlError) in
        value = [:]
        throw ControlError(.full, "no")
      }
    }
    // A folder in its place: the disk does not take it.
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
    #expect(throws: ControlError.self) { try kept.change { $0["ben"] = ["emom"] } }
    #expect(try kept.value() == ["anna": ["rows"]])
  }

  @Test(arguments: ["", "{", "[1]", #"{"\x":1}"#, "\u{0}"])
  func whatIsDamagedIsSetAside(_ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("state"), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let kept = file()
    #expect(try kept.value() == [:])
    try kept.change { $0["anna"] = ["rows"] }
    #expect(try file().value() == ["anna": ["rows"]])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".damaged")) == Data(text.utf8))
  }

  @Test func withoutAFolderNothingIsKept() throws {
    let kept = KeptFile<Favourites>("kept.json", in: nil, empty: [:])
    #expect(try kept.value() == [:])
    #expect(throws: ControlError.self) { try kept.change { $0["anna"] = ["rows"] } }
  }
}
