import Foundation
import Testing

/// Invalid presets: every command that reads one reports the location and does nothing else.
@Suite struct BadPresetTests {
  private let space = Workspace()

  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The contents of the preset; nil for no file.
    var bytes: [UInt8]?
    /// The message after the file's name.
    let says: String

    init(_ name: String, _ text: String, _ says: String) {
      self.init(name, bytes: Array(text.utf8), says)
    }

    init(_ name: String, bytes: [UInt8]?, _ says: String) {
      testDescription = name
      self.bytes = bytes
      self.says = says
    }

    /// A preset that is valid except for line 5.
    static func line(_ name: String, _ line: String, _ says: String) -> Kind {
      Kind(name, "name: A\nsets: 2\nlow: 30s\nhigh: 30s\n\(line)\n", ":5: \(says)")
    }
  }

  private static let kinds: [Kind] = [
    Kind("empty", "", ":1: an empty preset"),
    Kind("a list", "- name: A\n", ":1: a preset that is a list"),
    .line("unknown key", "hihg: 3", "unknown key \"hihg\""),
    .line("duplicate key", "low: 5", "the key \"low\" is given again, first on line 3"),
    .line("wrong type", "rest: [1]", "rest is a list"),
    .line("no length", "rest: soon", "the length \"soon\" of rest is not a length"),
    .line("zero", "rest: 0s", "the length \"0s\" of rest is zero"),
    .line("negative", "rest: -5s", "the length \"-5s\" of rest is negative"),
    .line("over a day", "rest: 25h", "the length \"25h\" of rest is over 24 h"),
    .line("anchor", "rest: &a 5", "an anchor (&)"),
    .line("control character", "voice: \u{7}", "the control character \\u{7}"),
    Kind("no set", "name: A\nsets: 0\nlow: 1\nhigh: 1\n", ":2: sets is \"0\""),
    Kind("no blocks", "name: A\nblocks: []\n", ":2: blocks is an empty list"),
    Kind(
      "no phases", "name: A\nblocks:\n  - sets: 2\n    phases: []\n",
      ":4: phases is an empty list"),
    Kind(
      "over a day in all", "name: A\nsets: 10000\nlow: 5\nhigh: 5\n",
      ":2: more than 24 h in all"),
    Kind("not UTF-8", bytes: Array("name: A\nsets: ".utf8) + [0xFF, 0xFE], ":2: not UTF-8"),
    Kind("binary", bytes: [0, 1, 2, 3], ":1: the control character \\u{0}"),
    Kind("over a megabyte", bytes: Array(repeating: 0x23, count: 1_000_001), ": over 1 MB"),
    Kind("deep", String(repeating: "[", count: 200_000), ":1: lists and maps more than 64 deep"),
    Kind("missing", bytes: nil, ": no such file"),
  ]

  /// The command line before and after the preset.
  static let commands: [[String]] = [
    ["run", "PRESET", "--no-sound", "--record", "kept.wav", "--ledger", "kept.wav"],
    ["run", "tiny.yaml", "ben=PRESET", "--no-sound", "--record", "kept.wav"],
    ["check", "PRESET"], ["timeline", "PRESET"], ["timeline", "PRESET", "--json"],
    ["render", "PRESET", "--output", "kept.wav"],
  ]

  /// All of them in one command: every command reads presets in the same way.
  @Test func eachIsOneLineWithItsPlace() async throws {
    for (index, kind) in Self.kinds.enumerated() {
      if let bytes = kind.bytes { try space.write(Data(bytes), to: "bad\(index).yaml") }
    }
    let names = Self.kinds.indices.map { "bad\($0).yaml" }
    let outcome = try await space.program.run(["check"] + names)
    #expect(outcome.status == .exited(2))
    #expect(outcome.output == "")
    try #require(outcome.errorLines.count == Self.kinds.count, "\(outcome.errors)")
    for (index, kind) in Self.kinds.enumerated() {
      let line = outcome.errorLines[index]
      #expect(line.hasPrefix("\(names[index])\(kind.says)"), "\(kind): \(line)")
      #expect(line.contains(", expected "))
    }
  }

  @Test(arguments: [kinds[2], kinds[kinds.count - 1]], commands)
  func everyCommandGoesNoFurther(kind: Kind, command: [String]) async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    try space.write("as it was", to: "kept.wav")
    if let bytes = kind.bytes { try space.write(Data(bytes), to: "bad.yaml") }
    try await expectRefusal(of: "bad.yaml", says: "bad.yaml\(kind.says)", by: command)
  }

  @Test(arguments: commands + [["show", "PRESET"], ["convert", "PRESET"]])
  func folderIsRefused(command: [String]) async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    try space.write("as it was", to: "kept.wav")
    try space.write("", to: "folder.yaml/file")
    try await expectRefusal(of: "folder.yaml", says: "folder.yaml: a folder", by: command)
  }

  /// One command for all of them: what a file is, is asked in the same way.
  @Test func whatIsNoFileIsOneLine() async throws {
    try space.write("as it was", to: "kept.wav")
    try space.write("", to: "rides/file")
    #expect(mkfifo(space.path("pipe.yaml"), 0o600) == 0)
    for (name, says) in [
      ("rides", "rides: a folder"), (".", ".: a folder"), ("pipe.yaml", "pipe.yaml: a pipe"),
      ("a\nb\u{1b}[2J.yaml", "a\\u{A}b\\u{1B}[2J.yaml: no such file"),
    ] { try await expectRefusal(of: name, says: says, by: ["timeline", "PRESET"]) }
  }

  private func expectRefusal(
    of preset: String, says: String, by command: [String]
  ) async throws {
    let arguments = command.map { $0.replacingOccurrences(of: "PRESET", with: preset) }
    let outcome = try await space.program.run(arguments)
    outcome.expectOneLine(2)
    #expect(outcome.errors.hasPrefix(says), "\(outcome.errors)")
    #expect(outcome.errors.contains(", expected "))
    let kept = try String(contentsOfFile: space.path("kept.wav"), encoding: .utf8)
    #expect(kept == "as it was")
  }
}
