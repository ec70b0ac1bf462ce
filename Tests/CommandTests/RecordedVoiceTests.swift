import Foundation
import TestSupport
import Testing

/// Voices that were recorded, from what is to be recorded to a workout.
@Suite struct RecordedVoiceTests {
  private let space = Workspace()
  private static let voices = ".config/cuecoach/voices"

  private func makeVoice(_ name: String, words: [String] = []) throws {
    try FileManager.default.createDirectory(
      atPath: space.path(Self.voices), withIntermediateDirectories: true)
    try HumanVoice.make(in: space.path("\(Self.voices)/\(name)"), words: words)
  }

  private func bytes(of folder: String) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: space.path(folder))
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        FileManager.default.contents(atPath: space.path("\(folder)/\(name)")).map { (name, $0) }
      })
  }

  /// The pack has numbers and "Pause", and no "set", "of" or "completing in": its gaps are said by espeak-ng, a whole text
  /// each.
  @Test func aWholeWorkoutByAHumanVoiceHasItsGapsFilled() async throws {
    try makeVoice("allison", words: ["dictate/pause=Pause", "hello=Hello"])
    try space.write(
      """
      name: Hello
      blocks:
        - sets: 2
          phases:
            - low: 14s
              say: [{at: 5s, text: Pause}, {at: 8s, text: Hello}]
            - high: 8s

      """, to: "row.yaml")
    let outcome = try await space.run(
      "render", "row.yaml", "--voice", "pack:allison", "--output", "row.wav", "--ledger",
      Workspace.ledgerName)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let cues = space.ledger.cues.filter { $0.voice != nil }
    let counts = cues.filter { $0.kind == "set-completion" }
    #expect(counts.count == 2)
    for count in counts {
      #expect(count.voice == "en-us+f5, pack:allison")
      #expect(count.parts?.map(\.text).suffix(4) == ["3", "2", "1", "0"])
      #expect(
        count.reason?.contains("not by pack:allison: the pack has no recording of it") == true)
      // To the frame, as with any voice.
      for part in count.parts ?? [] {
        #expect(abs(try #require(part.onset) - part.due) < 21_000)
      }
    }
    for cue in cues where cue.kind != "set-completion" {
      let isRecorded = ["Pause", "Hello"].contains(cue.text)
      #expect(cue.voice == (isRecorded ? "pack:allison" : "en-us+f5"), "\(cue.text ?? "")")
      #expect((cue.reason?.contains("not by pack") == true) == !isRecorded)
    }
    #expect(cues.count { $0.text == "Pause" } == 2)
    #expect(space.ledger.outcomes.isSubset(of: ["played", "shortened"]))
  }

  /// Each person of a class is called by a recorded name, before what the pack has.
  @Test func namesOfAClassAreRecorded() async throws {
    try makeVoice("allison", words: ["dictate/pause=Pause"])
    let voice = space.path("\(Self.voices)/allison")
    try FileManager.default.createDirectory(
      atPath: "\(voice)/names", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(voice)/phrases/pause.wav", toPath: "\(voice)/names/Anna.wav")
    for name in ["row", "run"] {
      let text = name == "row" ? "Pause" : "Go on"
      try space.write(
        "name: \(name)\nblocks:\n  - phases:\n      - work: 12s\n        say: [{at: 5s, text: \(text)}]\n",
        to: "\(name).yaml")
    }
    let outcome = try await space.run(
      "timeline", "Anna=row.yaml", "Ben=run.yaml", "--voice", "pack:allison", "--json")
    outcome.expectSuccess()
    let cues = try outcome.lines.flatMap { try TimelineObject($0).cues }
    func isRecorded(_ text: String) throws -> Bool {
      let cue = try #require(cues.first { $0.text == text })
      return cue.reason?.contains("not by pack:allison") != true
    }
    #expect(try isRecorded("Anna: Pause"))
    #expect(try !isRecorded("Ben: Go on"))
  }

  /// A person speaks more slowly than espeak-ng, so there may be room for less: that is in the script, too.
  @Test func aScriptHasTheShorterWordings() async throws {
    let script = try await space.run("voices", "--script", "en", "demo")
    script.expectSuccess()
    for line in [
      "phrases/demo-1-minute-2-sets.wav,\"Demo: 1 minute, 2 sets\",0",
      "phrases/demo-1-minute.wav,Demo: 1 minute,0",
    ] {
      #expect(script.lines.contains(line), "\(script.output)")
    }
  }

  @Test func takesBecomeAVoiceAndStayAsTheyAre() async throws {
    try HumanVoice.make(in: space.path("raw"))
    let script = try await space.run("voices", "--script", "en", "tabata")
    script.expectSuccess()
    #expect(script.lines[0] == "path,text,uses")
    #expect(script.lines[4].hasPrefix("numbers/3.wav,3,"))
    try space.write(script.output, to: "takes/script.csv")
    for number in 0...10 {
      try FileManager.default.copyItem(
        atPath: space.path("raw/numbers/\(number).wav"),
        toPath: space.path("takes/\(number < 9 ? "00" : "0")\(number + 1).wav"))
    }
    let takes = try bytes(of: "takes")
    let check = try await space.run("voices", "--check", "takes")
    check.expectSuccess()
    #expect(check.output == "takes: 11 recordings, 0 faults\n")
    let done = try await space.run(
      "voices", "--import", "takes", "--pack", "anna", "--who", "Anna", "--licence", "CC0")
    done.expectSuccess()
    #expect(try bytes(of: "takes") == takes)
    let pack = try bytes(of: "\(Self.voices)/anna")
    #expect(pack.count == 12 && pack["numbers/10.wav"] != nil && pack["voice.yaml"] != nil)
    let list = try await space.run("voices")
    #expect(list.lines.contains("pack:anna  (recorded, en, Anna, CC0)"))
    try await space.run("voices", "--check", "\(Self.voices)/anna").expectSuccess()

    // Again: nothing that is there is replaced.
    let again = try await space.run("voices", "--import", "takes", "--pack", "anna")
    #expect(again.status == .exited(1) && again.errorLines.count == 11)
    #expect(
      again.errorLines.allSatisfy { $0.hasSuffix(" is there, expected --force to replace it") })
    #expect(try bytes(of: "\(Self.voices)/anna") == pack)
    try await space.run("voices", "--import", "takes", "--pack", "anna", "--force").expectSuccess()

    // Another trim has other onsets.
    let manifest = "language: en\nwho: Anna\nlicence: CC0\nonsets: {3: 20}\n"
    try space.write(manifest, to: "takes/voice.yaml")
    let marked = try await space.run("voices", "--import", "takes", "--pack", "anna", "--force")
    #expect(marked.status == .exited(0))
    #expect(
      marked.errorLines == [
        "cuecoach: takes/voice.yaml: its onsets and phrases are left out, for the takes are trimmed and named anew"
      ])
  }

  /// As on a disk that is full.
  @Test func takesThatCannotBeWrittenAreALineAndNoPartOfAFile() async throws {
    try HumanVoice.make(in: space.path("takes"))
    let full = space.program.with(\.setUp, "trap '' XFSZ && ulimit -f 8")
    let done = try await full.run(["voices", "--import", "takes", "--pack", "anna"])
    #expect(done.status == .exited(1) && done.errorLines.count == 1)
    #expect(done.errors.hasSuffix("anna/numbers/0.wav: File too large\n"), "\(done.errors)")
    #expect(try bytes(of: "\(Self.voices)/anna").keys.sorted() == ["voice.yaml"])
  }

  @Test func badTakesAreRefusedEachWithALine() async throws {
    try HumanVoice.make(in: space.path("takes"))
    // 16, 17 and 19 are spoken too slowly.
    try space.write("no sound", to: "takes/phrases/rest.wav")
    try space.write("no take", to: "takes/7.wav")
    let check = try await space.run("voices", "--check", "takes")
    #expect(check.status == .exited(1))
    let places = check.errorLines.map { String($0.prefix { $0 != ":" }) }
    #expect(
      places == ["14", "16", "17", "19"].map { "takes/numbers/\($0).wav" } + [
        "takes/phrases/rest.wav", "takes/7.wav",
      ])
    #expect(check.errorLines.allSatisfy { $0.contains("expected ") })
    let done = try await space.run("voices", "--import", "takes", "--pack", "anna")
    #expect(done.status == .exited(1) && done.errorLines == check.errorLines)
    #expect(try bytes(of: "\(Self.voices)/anna").count == 26 - 5 + 1)
  }

  @Test func aPackAtFaultIsALineAndAnotherVoiceSpeaks() async throws {
    try space.write("who: Anna\n", to: "\(Self.voices)/anna/voice.yaml")
    let fault = "\(Self.voices)/anna/voice.yaml:1: no language"
    try await space.run("timeline", "demo", "--voice", "pack:anna").expectOneLine(2, fault)
    let list = try await space.run("voices")
    #expect(list.status == .exited(1) && list.errorLines.count == 1)
    try space.write("voice: pack:anna\n\(Preset.oneSet)", to: "row.yaml")
    let outcome = try await space.run(
      "render", "row.yaml", "--output", "row.wav", "--ledger", Workspace.ledgerName)
    #expect(outcome.status == .exited(0))
    #expect(outcome.errorLines.count == 1 && outcome.errors.contains("another voice speaks"))
    #expect(!outcome.errors.contains("the nearest"))
    #expect(space.ledger.outcomes.isSubset(of: ["played", "shortened"]))
  }

  @Test(arguments: [
    ("--voice pack:nobody", "there is no recorded voice"), ("--voice pack:../anna", "no recorded"),
    ("--script xx", "there is no language \"xx\""), ("--import takes", "--import needs --pack"),
    ("--import takes --pack ../anna", "--pack ../anna: expected a name"),
    ("--import takes --pack anna", "there is no folder takes, expected one with recordings"),
    ("--check takes", "there is no folder takes"), ("--check takes --script en", "exclude"),
    ("--pack anna", "go with --import"),
    ("--import takes --pack a\nb", "--pack a b: expected a name on one line"),
  ])
  func aMistakeIsOneLine(arguments: String, says: String) async throws {
    let words = arguments.split(separator: " ").map(String.init)
    let command = words[0] == "--voice" ? ["timeline", "demo"] + words : ["voices"] + words
    try await space.program.run(command).expectOneLine(2, says)
  }
}
