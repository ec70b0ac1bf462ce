import Foundation
import Glibc
import TestSupport
import Testing

/// Commands with a program in config.yaml whose voices may speak.
struct OtherVoicesTests {
  private static let child = SourceTree.path("Tests/wyoming/child")

  private let space = Workspace()

  private func run(with kind: String, _ arguments: String...) async throws -> Outcome {
    try configure("[\(Self.child), \(kind)]")
    return try await space.program.run(arguments)
  }

  private func configure(_ command: String, voice: String = "tone", cache: Int = 64) throws {
    try space.write(
      "speech:\n  command: \(command)\n  voice: \(voice)\n  cache: \(cache)\n",
      to: ".config/cuecoach/config.yaml")
  }

  /// That it is placed at its time is all that there is to be told of a text.
  @Test func aTextByAnotherVoiceIsNotMoved() async throws {
    try space.write(
      "name: One\nblocks:\n  - phases:\n    - work: 9s\n      say: [{at: 4s, text: Bad}]\n",
      to: "one.yaml")
    let outcome = try await run(with: "error", "timeline", "one.yaml")
    outcome.expect(0)
    let line = try #require(outcome.lines.first { $0.contains("text: Bad") })
    #expect(line.contains("0:04  text: Bad  (not by wyoming:tone: "))
    #expect(!outcome.output.contains("moved:"))
  }

  /// A program may be configured besides.
  @Test func aVoicesNameSaysWhoseItIs() async throws {
    try space.write(Preset.oneSet, to: "one.yaml")
    try configure("[\(Self.child), good]", voice: "pack:anna")
    let outcome = try await space.run("timeline", "one.yaml")
    #expect(outcome.errors.contains("there is no recorded voice \"pack:anna\""))
    #expect(!outcome.output.contains("wyoming"))
    // One with a colon of its own.
    try configure("[\(Self.child), other-names]", voice: "\"a:b\"")
    let other = try await space.run(
      "render", "one.yaml", "--output", "one.wav", "--ledger", Workspace.ledgerName)
    other.expectSuccess()
    #expect(space.ledger.cues.contains { $0.voice == "wyoming:a:b" })
  }

  /// A voice that has to be loaded may take a minute.
  @Test func aTerminalSaysWhatIsWaitedFor() async throws {
    try configure("[\(Self.child), no-reader]")
    let terminal = try PseudoTerminal()
    let voices = try await space.program.start(["voices"], on: terminal)
    try await voices.until("it says so") {
      voices.output.contains("waiting for wyoming, which may take a minute …")
    }
    _ = await voices.end(by: SIGKILL)
    // A pipe does not.
    try await run(with: "slow-start, 1.5", "voices").expectSuccess()
  }

  @Test func wordsThatCannotBeKeptAreALine() async throws {
    try space.write(Preset.oneSet, to: "one.yaml")
    try configure("[\(Self.child), good]")
    let full = space.program.with(\.setUp, "trap '' XFSZ && ulimit -f 4")
    let outcome = try await full.run(["voices", "--prepare", "one.yaml"])
    outcome.expect(1)
    // A library has a line of its own about the limit.
    let lines = outcome.errorLines.filter { $0.hasPrefix("cuecoach: ") }
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix("File too large: no more words can be kept") == true)
    #expect(!outcome.output.contains("1 of 1"))
    try await space.run("voices", "--prepare", "one.yaml").expectSuccess()
  }

  /// Words that have been dropped for others are not ready.
  @Test func wordsForWhichThereIsNoRoomAreALine() async throws {
    try space.write(Preset.oneSet, to: "one.yaml")
    try configure("[\(Self.child), good]", cache: 1)
    try await space.run("voices", "--prepare", "demo").expectSuccess()
    let outcome = try await space.run("voices", "--prepare", "pomodoro")
    outcome.expect(1)
    #expect(outcome.errorLines.count == 1)
    let line = outcome.errors
    #expect(line.hasPrefix("cuecoach: the 1 MiB for words of wyoming are full: "))
    #expect(line.contains(" announcements of pomodoro are not kept, expected fewer presets, or "))
    try await space.run("voices", "--prepare", "one.yaml").expectSuccess()
  }

  /// Each with the file of the other.
  @Test func twoThatPrepareAtOnceKeepBoth() async throws {
    let presets = ["demo", "tabata", "pomodoro"]
    try configure("[\(Self.child), good]")
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for preset in presets {
        group.addTask { [space] in try await space.run("voices", "--prepare", preset) }
      }
      for try await outcome in group { outcome.expectSuccess() }
    }
    let file = URL(fileURLWithPath: space.path(".cache/cuecoach/speech-wyoming"))
    let size = try Data(contentsOf: file).count
    try await space.program.run(["voices", "--prepare"] + presets).expectSuccess()
    // Only lengths, which say what was used last.
    #expect(try Data(contentsOf: file).count - size < 20_000)
  }

  /// A slow voice takes minutes.
  @Test func aPresetThatTakesLongToPrepareSaysHowFarItIs() async throws {
    let outcome = try await run(with: "late, 0.25", "voices", "--prepare", "demo")
    #expect(outcome.lines.count >= 2)
    #expect(outcome.lines.first?.hasPrefix("demo: ") == true)
    #expect(outcome.lines.first?.contains(", up to 0:") == true)
    #expect(outcome.lines.last?.hasPrefix("1 of 1: demo, ") == true)
  }

  /// Whoever compares the voices of a server changes its arguments.
  @Test func anotherCommandLeavesTheWordsOfOthers() async throws {
    try space.write(Preset.oneSet, to: "one.yaml")
    var sizes: [Int] = []
    for argument in ["a", "b", "a", "b"] {
      try await run(with: "good, \(argument)", "voices", "--prepare", "one.yaml").expectSuccess()
      let file = space.path(".cache/cuecoach/speech-wyoming")
      sizes.append(try Data(contentsOf: URL(fileURLWithPath: file)).count)
    }
    #expect(sizes[1] > sizes[0] * 3 / 2)
    // Only lengths, which say what was used last.
    #expect(sizes[2] - sizes[1] < 2000 && sizes[3] - sizes[2] < 2000)
  }

  @Test func aVoiceThatTheProgramLacksIsRefused() async throws {
    let line = "wyoming has no voice \"tune\"; it has tone; the nearest is wyoming:tone"
    for command in ["timeline demo", "voices --prepare demo", "voices --try wyoming:tune"] {
      let words = command.split(separator: " ").map(String.init)
      let voice = words.contains("--try") ? [] : ["--voice", "wyoming:tune"]
      try configure("[\(Self.child), good]")
      try await space.program.run(words + voice).expectOneLine(2, line)
    }
    // In a file it is a warning, as with any voice.
    try configure("[\(Self.child), good]", voice: "tune")
    let outcome = try await space.run("timeline", "demo")
    outcome.expect(0)
    #expect(outcome.errors.contains("tone, so another voice speaks"))
  }

  /// A workout does not wait for the program, and no word is said by another voice under that name.
  @Test func aRunSaysThatTheProgramLacksTheVoice() async throws {
    try space.write(Preset.long, to: "long.yaml")
    try configure("[\(Self.child), good]")
    let coach = try await space.program.start(
      ["run", "long.yaml", "--no-sound", "--voice", "wyoming:tune"])
    let line = "the voice's server \(Self.child): it has no voice \"tune\"; it has tone"
    try await coach.until("it says so") { coach.errors.contains(line) }
    let outcome = await coach.end(by: SIGTERM)
    #expect(outcome.errorLines.count { $0.contains(line) } == 1)
  }

  @Test func ofALanguageThatAVoiceLacksTheLedgerSaysWhy() async throws {
    try space.write(Preset.oneSet, to: "one.yaml")
    try space.write(
      "speech:\n  command: [\(Self.child), good]\n  languages: [en]\n",
      to: ".config/cuecoach/config.yaml")
    let outcome = try await space.run(
      "render", "one.yaml", "--language", "de", "--voice", "wyoming:tone", "--output", "one.wav",
      "--ledger", Workspace.ledgerName)
    outcome.expect(0)
    let spoken = space.ledger.cues.filter { $0.voice != nil }
    #expect(!spoken.isEmpty && spoken.allSatisfy { $0.voice?.hasPrefix("de") == true })
    let reason = "not by wyoming:tone: it speaks en and not de"
    #expect(spoken.allSatisfy { $0.reason?.contains(reason) == true })
  }

  /// A program that has German speaks it, also where the configuration's own language is another.
  @Test func aPresetOfAnotherLanguageIsSpokenByAProgramThatHasIt() async throws {
    try space.write("language: de\n" + Preset.oneSet, to: "one.yaml")
    for (languages, speaks) in [("[en, de]", true), ("[en]", false)] {
      try space.write(
        "speech:\n  command: [\(Self.child), good]\n  voice: tone\n  languages: \(languages)\n",
        to: ".config/cuecoach/config.yaml")
      let outcome = try await space.run(
        "render", "one.yaml", "--output", "one.wav", "--ledger", Workspace.ledgerName)
      outcome.expect(0)
      let spoken = space.ledger.cues.filter { $0.voice != nil }
      #expect(!spoken.isEmpty && spoken.allSatisfy { ($0.voice == "wyoming:tone") == speaks })
      #expect(
        spoken.allSatisfy { $0.reason?.contains("it speaks en and not de") ?? false } != speaks)
    }
  }

  @Test func aVoiceThatCannotBeOfferedIsALine() async throws {
    try space.write(
      "speech:\n  offered: [en-gb, nonesuch]\n", to: ".config/cuecoach/config.yaml")
    let outcome = try await space.run("voices")
    #expect(outcome.status == .exited(0) && outcome.errorLines.count == 1)
    #expect(
      outcome.errors.contains(
        "config.yaml:2: it is not offered: there is no voice \"nonesuch\"; "), "\(outcome.errors)")
  }

  @Test func voicesThatNobodyCouldNameAreNotListed() async throws {
    let outcome = try await run(with: "odd-names", "voices")
    #expect(outcome.status == .exited(0))
    let voices = outcome.lines.filter { $0.hasPrefix("wyoming:") }
    #expect(voices.first == "wyoming:good  (wyoming, en)")
    #expect(voices.count == 1000 && voices.last == "wyoming:v998  (wyoming, en)")
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.hasPrefix("cuecoach: 4005 of 5005 voices of wyoming are left out: "))
  }

  /// Also what the program has started, and what no signal but that to kill ends.
  @Test func nothingOutlivesACoachThatIsKilled() async throws {
    try space.write(Preset.long, to: "long.yaml")
    let file = space.path("group")
    try configure("[\(Self.child), family, \(file)]")
    let coach = try await space.program.start(["run", "long.yaml", "--no-sound"])
    try await coach.until("the voice speaks") {
      (try? String(contentsOfFile: file, encoding: .utf8))?.isEmpty == false
    }
    let group = try #require(pid_t(String(contentsOfFile: file, encoding: .utf8)))
    #expect(Glibc.kill(-group, 0) == 0)
    _ = await coach.end(by: SIGKILL)
    #expect(await eventually { Glibc.kill(-group, 0) != 0 })
    Glibc.kill(-group, SIGKILL)
  }

  /// As in a workout, one voice says all numbers of a count.
  @Test func aVoiceThatLacksANumberIsTriedWithoutACount() async throws {
    try configure("[\(Self.child), refuses-bad]")
    let card = try SoundCard(in: space)
    let outcome = try await card.program.run(["voices", "--try", "wyoming:tone"])
    #expect(
      outcome.lines.dropFirst().first
        == "wyoming:tone  (Set 3 of 8. Next: Hard, 4 minutes. 3, 2, 1, 0), the count by en-us+f5")
    let line = "cuecoach: counts with \"2\" are not by wyoming:tone: the server says: no such voice"
    #expect(outcome.errorLines.count { $0.hasPrefix(line) } == 1)
  }

  @Test func aVoiceThatDoesNotCountIsALine() async throws {
    try space.write(Preset.oneSet, to: "one.yaml")
    let outcome = try await run(
      with: "short-numbers", "render", "one.yaml", "--output", "out.wav", "--ledger",
      Workspace.ledgerName)
    #expect(outcome.status == .exited(0) && outcome.errorLines.count == 1)
    let line =
      "cuecoach: counts with \"3\" are not by wyoming:tone: the voice's \"3\" does not begin "
    #expect(outcome.errors.hasPrefix(line), "\(outcome.errors)")
    // What leads in to the count is the voice's own.
    let voices = Set(space.ledger.cues.compactMap(\.voice))
    #expect(voices == ["wyoming:tone", "wyoming:tone, en-us+f5"])
  }

  /// A command that ends does not promise another attempt.
  @Test func aProgramAtFaultIsNamedOnce() async throws {
    try space.write(Preset.oneSet, to: "one.yaml")
    let outcome = try await run(
      with: "garbage", "render", "one.yaml", "--output", "out.wav", "--ledger", "ledger.jsonl")
    #expect(outcome.status == .exited(0) && outcome.errorLines.count == 1)
    #expect(
      outcome.errorLines.first
        == "cuecoach: the voice's server \(Self.child): a line that is no event of the Wyoming protocol"
    )
    #expect(!outcome.errors.contains("again"))
    let ledger = try String(contentsOfFile: space.path("ledger.jsonl"), encoding: .utf8)
    #expect(ledger.contains("a line that is no event of the Wyoming protocol"))
  }

  /// The program in the documentation speaks for one that writes a file: here it is one of the sounds.
  @Test func aProgramThatWritesAFileSpeaks() async throws {
    let blocks = DocumentationPage.all.flatMap(\.blocks)
    let block = try #require(
      blocks.first { $0.language == "python" && $0.text.contains("wav-voice") })
    let script = try space.write(block.text, to: "wav-voice")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let sound = SourceTree.path("Sounds/default/finish.wav")
    try configure("[\(script), en, cp, \(sound), \"{file}\"]", voice: "voice")
    let voices = try await space.run("voices")
    voices.expectSuccess()
    #expect(voices.lines.last == "wyoming:voice  (wyoming, en)")
    try space.write(Preset.oneSet, to: "one.yaml")
    let outcome = try await space.run(
      "render", "one.yaml", "--output", "out.wav", "--ledger", "ledger.jsonl")
    outcome.expectSuccess()
    let ledger = try String(contentsOfFile: space.path("ledger.jsonl"), encoding: .utf8)
    #expect(ledger.contains("\"voice\":\"wyoming:voice\""))
  }
}
