import Foundation
import Testing

/// Files that a command writes: none that it reads, none that another writes.
@Suite struct OutputFilesTests {
  private let space = Workspace()

  private static let refused = [
    "run tiny.yaml --no-sound --ledger x --record x",
    "run tiny.yaml --no-sound --ledger x --record ./x",
    "run tiny.yaml --no-sound --record tiny.yaml",
    "run tiny.yaml --no-sound --ledger tiny.yaml",
    "run tiny.yaml --no-sound --ledger hard",
    "run tiny.yaml --no-sound --record symbolic",
    "run tiny.yaml --no-sound --ledger other.yaml",
    "run tiny.yaml --no-sound --ledger .local/state/cuecoach/sessions.db",
    "run tiny.yaml --no-sound --ledger .config/cuecoach/config.yaml",
    "run anna=tiny.yaml ben=other.yaml --no-sound --record other.yaml",
    "run tiny.yaml --no-sound --record -",
    "resume --no-sound --ledger tiny.yaml",
    "render tiny.yaml --output tiny.yaml",
    "render tiny.yaml --output hard",
    "render tiny.yaml --output x --ledger ./x",
    "render tiny.yaml --output x.wav --ledger tiny.yaml",
    "render tiny.yaml --output -",
    "render tiny.yaml --output x --cue-sheet ./x",
    "render tiny.yaml --output pack/count.wav --music pack/count.wav",
    "render tiny.yaml --sounds ./pack --output pack/count.wav",
    "run tiny.yaml --no-sound --sounds ./pack --record pack/count.wav",
    "run tiny.yaml --no-sound --record .config/cuecoach/sounds/mine/finish.wav",
    "run tiny.yaml --no-sound --ledger new --record new",
    "run tiny.yaml --no-sound --ledger hard-other",
    "render tiny.yaml --output link-other.wav",
    "render tiny.yaml --output BIG.YAML",
    "show tiny.yaml --svg other.yaml --force",
  ]

  @Test(arguments: [
    ("run tiny.yaml --no-sound --record notes", "WAV file"),
    ("run tiny.yaml --no-sound --record link.wav", "WAV file"),
    ("run tiny.yaml --no-sound --ledger notes", "ledger"),
    ("render tiny.yaml --output notes.opus", "Opus file"),
    ("render tiny.yaml --output x.wav --cue-sheet notes", "cue sheet"),
    ("render tiny.yaml --output x.wav --ledger notes", "ledger"),
  ])
  func aFileOfAnotherKindIsReplacedByForceAlone(_ command: String, _ kind: String) async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    let notes = Data("What I wrote".utf8)
    for name in ["notes", "notes.opus"] { try space.write("What I wrote", to: name) }
    try space.link("link.wav", to: space.path("notes"))
    let words = command.split(separator: " ").map(String.init)
    let refused = try await space.program.run(words).expect(2)
    #expect(refused.errors.contains("that file is no \(kind); expected another name, or --force"))
    for name in ["notes", "notes.opus"] {
      #expect(FileManager.default.contents(atPath: space.path(name)) == notes)
    }
    #expect(!space.has("x.wav"))
    // Then it is of the kind, and is replaced as such.
    for more in [["--force"], []] {
      #expect(try await space.program.run(words + more).status == .exited(0))
    }
  }

  /// The name of such a file does not say what it is.
  @Test(arguments: ["run tiny.yaml --no-sound --record", "render tiny.yaml --output"])
  func aSoundWithoutAnEndingIsSaidToBeWAV(command: String) async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    let words = command.split(separator: " ").map(String.init)
    for (name, isSaid) in [("take", true), ("take.wav", false)] {
      let outcome = try await space.program.run(words + [name]).expect(0)
      let line = "cuecoach: \(words.last!) \(name): the name has no ending, and the file is WAV"
      #expect(outcome.errorLines.contains(line) == isSaid)
      #expect(try space.recording(name).isWhole)
    }
    let other = try await space.run("run", "tiny.yaml", "--no-sound", "--record", "take.flac")
    #expect(other.errors.contains("take.flac: the name ends in .flac, and the file is WAV"))
  }

  @Test(arguments: refused) func fileThatIsReadOrGivenTwiceIsRefused(command: String) async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    try space.write(Preset.short, to: "other.yaml")
    try space.write("density: normal\n", to: ".config/cuecoach/config.yaml")
    try space.write("sound", to: "pack/count.wav")
    try space.write("sound", to: ".config/cuecoach/sounds/mine/finish.wav")
    let isOfSessions = command.hasPrefix("resume") || command.contains("sessions.db")
    try space.write(Preset.long, to: "long.yaml")
    if isOfSessions { try await space.interrupt("two", "long.yaml") }
    let files = FileManager.default
    try files.linkItem(atPath: space.path("tiny.yaml"), toPath: space.path("hard"))
    try space.link("symbolic", to: space.path("tiny.yaml"))
    try files.linkItem(atPath: space.path("other.yaml"), toPath: space.path("hard-other"))
    try space.link("link-other.wav", to: space.path("other.yaml"))
    try space.write("name: Damaged\nlow: no length\n", to: "BIG.YAML")
    let outcome = try await space.program.run(
      command.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    ).expect(2)
    #expect(outcome.output == "")
    #expect(outcome.errorLines.filter { $0.contains("expected ") }.count == 1)
    #expect(files.contents(atPath: space.path("tiny.yaml")) == Data(Preset.tiny.utf8))
    #expect(files.contents(atPath: space.path("other.yaml")) == Data(Preset.short.utf8))
    #expect(files.contents(atPath: space.path("pack/count.wav")) == Data("sound".utf8))
    // A command that was refused leaves nothing behind.
    #expect(!space.has("x") && !space.has("new"))
    if isOfSessions { #expect(try await space.run("sessions").lines.count == 1) }
  }

  @Test(arguments: ["--ledger", "--record"])
  func fileThatAnotherProgramWritesIsRefused(option: String) async throws {
    try space.write(Preset.long, to: "long.yaml")
    let command = ["run", "anna=long.yaml", "--no-sound", "--ledger", Workspace.ledgerName]
    let first = try await space.program.start(command + ["--record", "take.wav"])
    try await first.until("it has begun") { space.ledger.has("cue") }
    let file = option == "--ledger" ? Workspace.ledgerName : "take.wav"
    let before = space.ledger.lines.count
    let second = try await space.run("run", "ben=long.yaml", "--no-sound", option, "./\(file)")
      .expect(1)
    #expect(
      second.errors
        == "cuecoach: \(option) ./\(file): another program is writing that file; expected a file of "
        + "its own\n")
    #expect(await first.end(by: SIGTERM).status == .exited(143))
    #expect(space.ledger.isWhole)
    #expect(space.ledger.lines.count >= before)
    #expect(try space.recording("take.wav").isWhole)
  }

  @Test(arguments: [
    ["run", "tiny.yaml", "--no-sound"], ["render", "tiny.yaml", "--output", "x.wav"],
  ])
  func ledgerOnStandardOutputIsAloneThere(command: [String]) async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    let outcome = try await space.program.run(command + ["--ledger", "-"]).expect(0)
    let ledger = Ledger(of: Data(outcome.output.utf8))
    #expect(ledger.isWhole)
    #expect(ledger.events.first == "start")
    #expect(ledger.has("finish"))
    if command[0] == "run" { #expect(outcome.errors.contains("complete")) }
  }

  @Test func soundsThatAreThereAreReplacedOnlyByForce() async throws {
    try space.write("mine", to: "pack/finish.wav")
    try space.write(Preset.tiny, to: "tiny.yaml")
    try space.link("pack/count.wav", to: space.path("tiny.yaml"))
    let refused = try await space.run("sounds", "--output", "pack").expect(1)
    #expect(
      refused.errors == "cuecoach: pack already has count.wav, finish.wav; --force replaces them\n")
    #expect(!space.has("pack/high-begins.wav"))
    #expect(try await space.run("sounds", "--output", "pack", "--force").status == .exited(0))
    #expect(try space.recording("pack/finish.wav").isWhole)
    // A link is replaced, not the file behind it.
    #expect(try space.recording("pack/count.wav").isWhole)
    let tiny = FileManager.default.contents(atPath: space.path("tiny.yaml"))
    #expect(tiny == Data(Preset.tiny.utf8))
  }
}

extension Workspace {
  /// Runs this until the workout has begun, and ends it with SIGTERM.
  func interrupt(_ arguments: [String]) async throws {
    let ledger = "interrupted-\(UUID().uuidString).jsonl"
    let run = try await program.start(["run"] + arguments + ["--no-sound", "--ledger", ledger])
    try await run.until("it has begun") {
      Ledger(of: FileManager.default.contents(atPath: self.path(ledger))).has("cue")
    }
    _ = await run.end(by: SIGTERM)
  }
}
