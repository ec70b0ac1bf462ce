import CueSound
import EspeakSpeech
import Foundation
import Testing

/// The adapter through the real libespeak-ng.
struct EspeakTests {
  private let synthesizer = EspeakSynthesizer()

  private func milliseconds(_ clip: PCMClip) -> Int { clip.count * 1000 / clip.rate }

  @Test func aSentenceIsSpokenAtItsOwnRate() throws {
    let clip = try synthesizer.render("Set 3 completing in", voice: SpeechVoice())
    #expect(clip.rate == 22_050)
    #expect((800...2_500).contains(milliseconds(clip)))
    #expect(clip.peak > 8_000)
  }

  @Test(arguments: ["3", "2", "1", "0"]) func aCountWordIsShortAndBeginsAtOnceWhenTrimmed(
    _ word: String
  ) throws {
    let clip = try synthesizer.render(word, voice: SpeechVoice(name: "en")).trimmed()
    #expect((100...900).contains(milliseconds(clip)))
    let onset = clip.samples.firstIndex { abs(Int($0)) > clip.peak / 100 } ?? .max
    #expect(onset <= clip.rate / 1000 + 1)
  }

  @Test(arguments: ["en-gb", "en-us", "de", "fr-fr", "es", "it", "nl", "pt", "pl"])
  func theVoiceAskedForIsTheVoiceHeard(_ voice: String) throws {
    try synthesizer.check(voice)
    #expect(try synthesizer.render("7", voice: SpeechVoice(name: voice)).peak > 1_000)
  }

  @Test(arguments: [
    "xx-none", "", "en-xx", "../../etc/passwd", "en\u{0}x", "+f3", "f3", "!v/f3",
    "variant",
  ])
  func aVoiceThatIsNotThereIsRefusedAndTheNextOneStillSpeaks(_ voice: String) throws {
    #expect(throws: SpeechError.self) {
      try synthesizer.render("Halfway", voice: SpeechVoice(name: voice))
    }
    #expect(try synthesizer.render("Halfway", voice: SpeechVoice(name: "en")).peak > 8_000)
  }

  /// Voices whose data this machine has not.
  private static let withoutData = [
    "en1", "us3", "de4", "de7", "fr2", "es3", "gr2", "hu1", "nl3", "pt1", "sw2", "tr2",
  ].filter { !FileManager.default.fileExists(atPath: "/usr/share/mbrola/\($0)") }

  @Test(arguments: withoutData) func mbrolaVoiceWithoutItsDataSaysWhatIsMissing(_ name: String) {
    let voice = "mb-\(name)"
    #expect(throws: SpeechError.self) {
      try synthesizer.render("Halfway", voice: SpeechVoice(name: voice))
    }
    #expect {
      try synthesizer.check(voice)
    } throws: {
      let error = $0 as? SpeechError
      return error?.kind == .unknownVoice && error?.detail.contains("needs mbrola") == true
    }
  }

  /// Its dictionary alone is 160 kB. Another test may choose another voice between any two texts.
  @Test func theFilesOfAVoiceAreNotReadForEachText() throws {
    let isSpared = try (1...2_000).contains { number in
      let before = try bytesRead()
      _ = try synthesizer.render("\(number % 10)", voice: SpeechVoice(name: "en"))
      return try bytesRead() - before < 50_000
    }
    #expect(isSpared)
  }

  /// The bytes read by this thread so far.
  private func bytesRead() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
    return try #require(Int(line.dropFirst("rchar: ".count)))
  }

  @Test func aVoiceThatIsNotThereIsCalledUnknown() {
    #expect {
      try synthesizer.check("xx-none")
    } throws: { ($0 as? SpeechError)?.kind == .unknownVoice }
  }

  @Test(arguments: ["", "   ", "\n\t", String(repeating: "a", count: 501)])
  func whatCannotBeSpokenIsAnErrorOfTheText(_ text: String) {
    #expect {
      try synthesizer.render(text, voice: SpeechVoice())
    } throws: { ($0 as? SpeechError)?.kind == .text }
  }

  @Test func theListHasTheVoicesThatCanBeAskedFor() throws {
    let languages = Set(try synthesizer.voices().map(\.language))
    #expect(languages.count > 80)
    #expect(languages.isSuperset(of: ["en-gb", "de", "pl"]))
  }

  @Test func anyThreadMaySpeak() async throws {
    let synthesizer = synthesizer
    let peaks = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<40 {
        group.addTask { try synthesizer.render("Set \(number)", voice: SpeechVoice()).peak }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(peaks.count == 40 && peaks.allSatisfy { $0 > 1_000 })
  }
}
