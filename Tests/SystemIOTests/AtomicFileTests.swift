import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  private let space = TestFolder()
  private var folder: String { space.folder }

  private func text(_ name: String) -> String? { try? space.text(name) }

  @Test func theOldFileIsThereUntilTheNewOneIsWhole() throws {
    for (index, content) in ["one", "two"].enumerated() {
      let file = try #require(AtomicFile("\(folder)/a"))
      #expect(file.write(content.utf8))
      #expect(text("a") == (index == 0 ? nil : "one"))
      #expect(file.commit(isDurable: true))
      #expect(text("a") == content)
    }
    #expect(Folder.names(in: folder) == ["a"])
  }

  @Test func nothingIsLeftOfOneThatIsNotCommitted() throws {
    do {
      let files = (0..<3).compactMap { _ in AtomicFile("\(folder)/a") }
      let all = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(files.count == 3 && files.allSatisfy { $0.write("x".utf8) })
      #expect(all.count == 3 && Folder.names(in: folder) == [])
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(left == [])
  }

  /// What a writer has left that was killed goes with the next file of the folder; nobody else's does.
  @Test func theNextWriterRemovesWhatWasAbandoned() throws {
    let kept = [
      ".cuecoach-notes", ".cuecoach~3w5e11264sgsfx", ".cuecoach~3W", "3w5e11264sgsf",
      ".cuecoach-3w5e11264sgsf", ".cuecoach~3W5E11264SGSF", ".cuecoach~1000000000000",
    ]
    for name in kept + [".cuecoach~3w5e11264sgsf"] { try space.write("part", to: name) }
    let writing = try #require(AtomicFile("\(folder)/a"))
    let all = { try FileManager.default.contentsOfDirectory(atPath: folder) }
    let old = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -7200)]
    for name in try all() where name != ".cuecoach~1000000000000" {
      try FileManager.default.setAttributes(old, ofItemAtPath: "\(folder)/\(name)")
    }
    #expect(try #require(AtomicFile("\(folder)/b")).commit())
    #expect(writing.write("whole".utf8) && writing.commit())
    #expect(try all().sorted() == (kept + ["a", "b"]).sorted())
  }

  @Test func aNameMayBeAsLongAsTheFolderTakes() throws {
    let name = String(repeating: "n", count: 255)
    let file = try #require(AtomicFile("\(folder)/\(name)"))
    #expect(file.write("whole".utf8) && file.commit())
    #expect(text(name) == "whole")
  }

  @Test func ofTwoThatDoNotReplaceTheFirstStays() throws {
    let first = try #require(AtomicFile("\(folder)/a"))
    let second = try #require(AtomicFile("\(folder)/a"))
    #expect(first.write("first".utf8) && first.commit(isReplacing: false))
    #expect(!second.commit(isReplacing: false) && errno == EEXIST)
    #expect(text("a") == "first")
  }

  @Test func theFoldersThatLeadToAFileAreMade() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(AtomicFile.makeFolders(for: "\(folder)/state/coach/file", mode: 0o755))
    #expect(!AtomicFile.makeFolders(for: "/dev/null/coach/file", mode: 0o755) && errno == ENOTDIR)
    let made = try FileManager.default.subpathsOfDirectory(atPath: folder)
    #expect(made.sorted() == ["state", "state/coach"])
  }

  @Test func aFolderThatIsNotThereIsNamedByErrno() {
    space.remove()
    #expect(AtomicFile("\(folder)/a") == nil)
    #expect(errno == ENOENT)
  }
}
