import Foundation
import Presets
import TestSupport
import Testing

/// Names that lead to something other than a preset.
@Suite struct PresetReadingTests {
  private let space = TestFolder()

  private func message(_ path: String) -> String? {
    do throws(FileError) {
      _ = try PresetFile.read(path: path)
      return nil
    } catch {
      #expect(error.file == path && error.line == nil)
      return error.description
    }
  }

  private func write(_ bytes: Int, to name: String) throws -> String {
    let preset = "name: A\nsets: 2\nlow: 3\nhigh: 3\n#"
    let text = preset + String(repeating: "x", count: bytes - preset.utf8.count)
    return try space.write(text, to: name)
  }

  @Test func missingFileIsNamed() {
    let path = space.path("none.yaml")
    #expect(message(path) == "\(path): no such file, expected a preset file")
    #expect(message("\(path)/none") == "\(path)/none: no such file, expected a preset file")
  }

  @Test func nameWithNulLeadsNowhere() throws {
    let path = try write(100, to: "a.yaml")
    #expect(message(path + "\0b") == "\(path)\\u{0}b: no such file, expected a preset file")
  }

  @Test func nameWithLineBreakStaysOnOneLine() {
    #expect(message("a\nb") == "a\\u{A}b: no such file, expected a preset file")
  }

  @Test(.timeLimit(.minutes(30)))
  func directoryPipeAndDeviceAreRefusedUnread() throws {
    #expect(message(space.folder) == "\(space.folder): a folder, expected a preset file")
    #expect(message("/dev/zero") == "/dev/zero: a device, expected a preset file")
    let pipe = space.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    #expect(message(pipe) == "\(pipe): a pipe, expected a preset file")
  }

  @Test func circleOfLinksIsRefused() throws {
    let link = space.path("link")
    try #require(symlink(link, link) == 0)
    #expect(
      message(link)
        == "\(link): cannot be read (Too many levels of symbolic links), expected a preset file")
  }

  @Test func oneMegabyteIsReadAndOneByteMoreIsNot() throws {
    #expect(message(try write(1_000_000, to: "fits.yaml")) == nil)
    let large = try write(1_000_001, to: "large.yaml")
    #expect(message(large) == "\(large): over 1 MB, expected a file of at most 1,000,000 bytes")
  }
}
