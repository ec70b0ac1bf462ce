import Foundation
import IntervalTimeline
import SessionStore
import Testing

/// Files whose modes forbid writing or reading.
@Suite struct ReadOnlyTests {
  private let space = Workspace()
  private let program: Program

  init() throws {
    program = space.program.with(\.obeysModes, true)
  }

  /// Restores access, so that the folder can be removed.
  private func end() {
    for name in [".local", ".config", "closed"] {
      let files = FileManager.default.enumerator(atPath: space.path(name))
      chmod(space.path(name), 0o700)
      while let file = files?.nextObject() as? String {
        chmod("\(space.path(name))/\(file)", 0o700)
      }
    }
    space.remove()
  }

  // MARK: The state folder

  /// Stores a past session and an interrupted one, only in the journal; then makes the folder and
  /// its files read-only.
  private func keep(_ suffixes: [String]) throws {
    let source = Workspace()
    defer { source.remove() }
    let store = try SessionStore(folder: source.stateFolder, date: "2026-11-21")
    _ = try store.past.add([PastSession.entry("a1", at: 1_795_287_095_654_763_495)])
    try store.save(PastSession.interrupted("b2", lane: "ben"))
    try FileManager.default.createDirectory(
      atPath: space.stateFolder, withIntermediateDirectories: true)
    for suffix in suffixes {
      let file = "\(space.stateFolder)/sessions.db\(suffix)"
      try FileManager.default.copyItem(
        atPath: "\(source.stateFolder)/sessions.db\(suffix)", toPath: file)
      chmod(file, 0o444)
    }
    withExtendedLifetime(store) { _ = chmod(space.stateFolder, 0o555) }
  }

  @Test(arguments: [["", "-wal"], ["", "-wal", "-shm"]])
  func aFolderThatMayNotBeWrittenIsListed(suffixes: [String]) async throws {
    defer { end() }
    try keep(suffixes)
    let history = try await program.run(["history", "--csv"]).expectSuccess()
    #expect(history.output.contains("a1,anna,Rows,finished,"))
    let sessions = try await program.run(["sessions"]).expectSuccess()
    #expect(sessions.output.hasPrefix("ben: Rows, "))
    let export = try await program.run(["export"]).expectSuccess()
    #expect(export.lines.count == 2)
    let files = try FileManager.default.contentsOfDirectory(atPath: space.stateFolder)
    #expect(Set(files) == Set(suffixes.map { "sessions.db\($0)" }))
  }

  @Test func itIsNotWrittenTo() async throws {
    defer { end() }
    try keep(["", "-wal"])
    try space.write("{\"cuecoach\":\"history\",\"version\":1}\n", to: "h")
    for arguments in [
      ["history", "delete", "a1", "--yes"], ["import-history", "h"],
      ["sessions", "discard", "ben"],
    ] {
      try await program.run(arguments).expectOneLine(1, "Permission denied")
    }
    try await program.run(["history", "show", "a1"]).expect(0)
  }

  @Test(arguments: [["history"], ["sessions"], ["export"]])
  func oneThatMayNotBeReadIsOneLineAndExitCodeOne(arguments: [String]) async throws {
    defer { end() }
    try keep([""])
    for (path, mode) in [("sessions.db", 0), ("", 0)] as [(String, mode_t)] {
      chmod("\(space.stateFolder)/\(path)", mode)
      try await program.run(arguments).expectOneLine(
        1, " in \(space.stateFolder) cannot be opened: ")
    }
  }

  // MARK: The configuration and presets

  @Test(arguments: ["config.yaml", ""])
  func aConfigurationThatMayNotBeReadIsOneLineAndExitCodeTwo(closed: String) async throws {
    defer { end() }
    try space.write(Preset.tiny, to: "tiny.yaml")
    let file = try space.write("density: quiet\n", to: ".config/cuecoach/config.yaml")
    chmod(space.path(".config/cuecoach/\(closed)"), 0)
    let outcome = try await program.run(["run", "tiny.yaml", "--no-sound"]).expect(2)
    #expect(
      outcome.errors == "\(file): no permission to read it, expected a configuration file\n")
    #expect(!space.has(".local/state/cuecoach/sessions.db"))
  }

  @Test func inAHomeThatIsClosedNothingIsConfigured() async throws {
    defer { end() }
    try space.write(Preset.tiny, to: "tiny.yaml")
    try space.write("no configuration\n", to: "closed/.config/cuecoach/config.yaml")
    chmod(space.path("closed"), 0)
    let program = program.with("XDG_CONFIG_HOME", space.path("closed/.config"))
    try await program.run(["run", "tiny.yaml", "--no-sound"]).expectSuccess()
  }

  @Test func aPresetThatMayNotBeReadIsOneLineAndExitCodeTwo() async throws {
    defer { end() }
    chmod(try space.write(Preset.tiny, to: "tiny.yaml"), 0)
    let outcome = try await program.run(["timeline", "tiny.yaml"]).expect(2)
    #expect(outcome.errors == "tiny.yaml: no permission to read it, expected a preset file\n")
  }
}
