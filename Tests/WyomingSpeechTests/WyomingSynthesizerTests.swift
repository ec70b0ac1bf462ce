import CueSound
import Foundation
import Glibc
import TestSupport
import Testing

@testable import WyomingSpeech

/// Servers that are started, good ones and bad ones. None is waited for longer than it takes, except one that hangs.
struct WyomingSynthesizerTests {
  private static let child = SourceTree.path("Tests/wyoming/child")

  private let lines = Collected<String>()

  private static func line(_ line: String, _ again: Duration?) -> String {
    again.map { "\(line); again in \($0)" } ?? line
  }

  private func voice(_ arguments: String..., each: Duration = .seconds(600)) -> WyomingSynthesizer {
    WyomingSynthesizer(
      .command([Self.child] + arguments), patience: .init(first: each, each: each)
    ) { [lines] in lines.append(Self.line($0, $1)) }
  }

  private let wish = SpeechVoice(rate: WyomingSynthesizer.nativeRate)

  @Test(arguments: ["good", "stereo", "inline"]) func aServerSpeaks(kind: String) throws {
    let voice = voice(kind)
    #expect(try voice.voices() == [.init(name: "tone", languages: ["en"])])
    #expect(try voice.identity() == "test 1 tone 1")
    for (text, length) in [("Next: Hard", 0.4), ("3", 0.2)] {
      let clip = try voice.render(text, voice: wish)
      #expect(clip.rate == 22_050 && clip.count == Int(length * 22_050))
      #expect((7_900...8_000).contains(clip.peak))
    }
    #expect(lines.all == [])
  }

  @Test func fasterWordsAreAsMuchShorter() throws {
    let voice = voice("good")
    var fast = wish
    fast.rate = WyomingSynthesizer.maxRate
    let (slow, quick) = (
      try voice.render("Next", voice: wish), try voice.render("Next", voice: fast)
    )
    #expect(abs(Double(slow.count) / Double(quick.count) - 187.0 / 150) < 0.05)
    fast.rate = 450
    #expect(try voice.render("Next", voice: fast).count == quick.count)
  }

  private static let faults: [(kind: String, line: String)] = [
    ("crash", "it has ended"),
    ("garbage", "a line that is no event of the Wyoming protocol"),
    ("banner", "a line that is no event of the Wyoming protocol"),
    ("endless", "a sound of more than 15 seconds"),
    ("endless-line", "a line of more than 65536 bytes"),
    ("chatter", "it sends without end"),
    ("pieces", "it sends without end"),
    ("bulk", "it sends without end"),
    ("huge", "a payload of 99000000000 bytes, at most 2880000"),
    ("negative", "a payload of -5 bytes, at most 2880000"),
    ("threaded", "it answers out of turn, expected the sound first"),
    ("begins-twice", "a sound that begins twice"),
    ("error-behind", "an \"error\" that nobody has asked for"),
    ("long-info", "data of 70054 bytes, at most 65536"),
    (
      "rate-0",
      "1 channels of 2 bytes at 0 samples a second, expected 1 or 2 of 2 bytes at 8000 to 48000"
    ),
  ]

  @Test(arguments: faults) func aServerAtFaultIsGivenUp(kind: String, line: String) {
    let voice = voice(kind)
    #expect(throws: SpeechError(kind: .unavailable, detail: line)) {
      try voice.render("Next", voice: wish)
    }
    #expect(lines.all == ["the voice's server \(Self.child): \(line); again in 1.0 seconds"])
    // Until then it is not asked.
    #expect(throws: SpeechError(kind: .unavailable, detail: line)) {
      try voice.render("Rest", voice: wish)
    }
    #expect(lines.all.count == 1)
  }

  /// A server that has answered everything, and later says an old text.
  @Test func soundBetweenTwoTextsIsNotTheNextOnes() throws {
    let folder = TestFolder()
    let voice = voice("afterwards", folder.path("late"))
    #expect(throws: SpeechError(kind: .failed, detail: "the server says: busy")) {
      try voice.render("3", voice: wish)
    }
    // Once this is there, the sound is on its way.
    #expect(mkfifo(folder.path("late"), 0o600) == 0)
    let fifo = open(folder.path("late"), O_RDONLY)
    defer { close(fifo) }
    var byte = UInt8(0)
    #expect(read(fifo, &byte, 1) == 0)
    #expect(
      throws: SpeechError(kind: .unavailable, detail: "sound that nobody has asked for")
    ) { try voice.render("2", voice: wish) }
  }

  @Test func aSoundThatIsFarTooLongIsNotTheTexts() {
    #expect(
      throws: SpeechError(
        kind: .failed, detail: "it says more than \"Next\", expected at most 2.88 s")
    ) { try voice("long").render("Next", voice: wish) }
  }

  /// It is there until the server has spoken, and no longer: behind that a text has no time at all here.
  @Test func theTimeToLoadAVoiceOutlastsARefusal() throws {
    let voice = WyomingSynthesizer(
      .command([Self.child, "refuses-bad"]),
      patience: .init(first: .seconds(600), each: .seconds(-100))
    ) { [lines] in lines.append(Self.line($0, $1)) }
    #expect(throws: SpeechError(kind: .failed, detail: refusal)) {
      try voice.render("Bad", voice: wish)
    }
    #expect(try voice.render("Next", voice: wish).length == .milliseconds(400))
    #expect(
      throws: SpeechError(kind: .unavailable, detail: "no answer within 0 s")
    ) { try voice.render("Rest", voice: wish) }
  }

  private let refusal = "the server says: no such voice  [31m"

  /// A stream with a refusal is still in step.
  @Test func aTextThatIsRefusedIsRefusedAlone() throws {
    let voice = voice("refuses-bad")
    for number in 1...3 {
      // Were the server given up, the next text would be refused too.
      for _ in 1...9 {
        #expect(throws: SpeechError(kind: .failed, detail: refusal)) {
          try voice.render("Bad", voice: wish)
        }
      }
      #expect(try voice.render("Next \(number)", voice: wish).length == .milliseconds(400))
    }
    #expect(
      lines.all == Array(repeating: "the voice's server \(Self.child): \(refusal)", count: 3))
  }

  @Test func aServerThatRefusesEverythingIsGivenUp() {
    let voice = voice("error")
    for number in 1...9 {
      #expect(throws: SpeechError(kind: .failed, detail: refusal)) {
        try voice.render("\(number)", voice: wish)
      }
    }
    for number in 10...11 {
      #expect(throws: SpeechError(kind: .unavailable, detail: refusal)) {
        try voice.render("\(number)", voice: wish)
      }
    }
    let line = "the voice's server \(Self.child): \(refusal)"
    #expect(lines.all == [line, "\(line); again in 1.0 seconds"])
  }

  /// Not only at its deadline, which is a minute at first: until then it would cost a processor.
  @Test func aServerThatSendsWithoutEndIsGivenUp() {
    let voice = voice("chatter", each: .seconds(600))
    #expect(throws: SpeechError.self) { try voice.render("Next", voice: wish) }
    #expect(lines.all.count == 1 && lines.all[0].contains("it sends without end"), "\(lines.all)")
  }

  @Test(arguments: ["hang", "half", "no-reader"]) func aServerThatHangsIsGivenUp(
    kind: String
  ) {
    let voice = voice(kind, each: .milliseconds(20))
    #expect(throws: SpeechError.self) { try voice.render("Next", voice: wish) }
    #expect(lines.all.count == 1)
  }

  @Test(arguments: ["silent", "short"]) func aTextWithoutWordsIsNone(kind: String) {
    let voice = voice(kind)
    for text in ["Next", "Rest"] {
      let detail = "it says nothing, or too little, for \"\(text)\""
      #expect(throws: SpeechError(kind: .text, detail: detail)) {
        try voice.render(text, voice: wish)
      }
    }
    #expect(
      lines.all == [
        "the voice's server \(Self.child): it says nothing, or too little, for \"Next\""
      ])
  }

  /// Made as loud as others, it would be noise.
  @Test func wordsThatAreFarTooQuietAreNone() {
    let voice = voice("quiet")
    let why = "it speaks too quietly, expected a peak of at least -40 dB of full scale"
    for text in ["Next", "Rest"] {
      #expect(throws: SpeechError(kind: .text, detail: why)) { try voice.render(text, voice: wish) }
    }
    #expect(lines.all == ["the voice's server \(Self.child): \(why)"])
  }

  /// Which of two sounds is the text's nobody can tell, so neither is taken for it, nor for the next one.
  @Test(arguments: [("twice", 0), ("error-late", 0), ("stale", 1)])
  func aTextWithTwoSoundsHasNone(kind: String, good: Int) throws {
    let voice = voice(kind)
    for number in 0..<good {
      #expect(try voice.render("\(number)", voice: wish).length == .milliseconds(200))
    }
    let fault = "sound that nobody has asked for"
    for text in ["Next: Rest, 12 seconds", "2"] {
      #expect(throws: SpeechError(kind: .unavailable, detail: fault)) {
        try voice.render(text, voice: wish)
      }
    }
    #expect(lines.all == ["the voice's server \(Self.child): \(fault); again in 1.0 seconds"])
  }

  /// Some servers speak with another voice than the one that they do not have.
  @Test func aVoiceThatAServerLacksSaysNothing() throws {
    let voice = voice("other-names")
    let lack = "it has no voice \"typo\"; it has a:b, ton, tone"
    for text in ["Next", "Rest"] {
      #expect(throws: SpeechError(kind: .unknownVoice, detail: lack)) {
        try voice.render(text, voice: SpeechVoice(name: "typo", rate: wish.rate))
      }
    }
    _ = try voice.render("Next", voice: SpeechVoice(name: "a:b", rate: wish.rate))
    #expect(lines.all == ["the voice's server \(Self.child): \(lack)"])
  }

  @Test func aDescriptionMayBeLong() throws {
    #expect(try voice("long-info").voices().count == 1)
  }

  @Test func aProgramThatThereIsNotIsSaid() {
    let voice = WyomingSynthesizer(.command(["/no/such/program"])) { [lines] in
      lines.append(Self.line($0, $1))
    }
    #expect(throws: SpeechError.self) { try voice.render("Next", voice: wish) }
    #expect(
      lines.all == [
        "the voice's server /no/such/program: there is no program \"/no/such/program\"; again in 1.0 seconds"
      ])
    let socket = WyomingSynthesizer(.socket("/no/such/socket")) { [lines] in
      lines.append(Self.line($0, $1))
    }
    #expect(throws: SpeechError.self) { try socket.render("Next", voice: wish) }
    #expect(
      lines.all.last
        == "the voice's server /no/such/socket: No such file or directory; again in 1.0 seconds"
    )
  }

  @Test func aServersWholeFamilyIsKilled() async throws {
    let folder = TestFolder()
    let file = folder.folder + "/group"
    var voice: WyomingSynthesizer? = voice("family", file)
    _ = try voice?.render("Next", voice: wish)
    let group = try #require(pid_t(String(contentsOfFile: file, encoding: .utf8)))
    #expect(group != getpgrp() && Glibc.kill(-group, 0) == 0)
    voice = nil
    #expect(await eventually { Glibc.kill(-group, 0) != 0 })
  }

  @Test func aServerGetsNoOtherVariables() throws {
    let folder = TestFolder()
    setenv("CUECOACH_SECRET", "1", 1)
    _ = try voice("environment", folder.folder + "/variables").render("Next", voice: wish)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.folder + "/variables"))
    let variables = try JSONDecoder().decode([String: String].self, from: bytes)
    #expect(variables["CUECOACH_SECRET"] == nil)
    #expect(variables["PATH"] != nil)
  }
}
