import CueSound
import CueTesting
import Foundation
import RecordedSpeech
import SoundFiles
import Speech
import Synchronization
import TestSupport
import Testing

/// Packs on the disk, good and bad, as voices of a library of words.
struct RecordedSpeechTests {
  /// What was reported, in order.
  private final class Reports: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private let space = TestFolder()
  private let reports = Reports()
  private let usual = ScriptedSpeech { _ in 200 }
  private let voice = SpeechVoice(name: "pack:anna", standIn: "en")

  private var packs: VoicePacks { VoicePacks(in: [space.path("voices")]) }

  private func library(isHeard: Bool = true) -> SpeechLibrary {
    let synthesizer = RecordedSynthesizer(packs) { [reports] in reports.add($0) }
    return SpeechLibrary(
      usual, converter: SampleRateLibrary(), isHeard: isHeard,
      engines: [VoiceEngine(VoicePacks.engine, synthesizer)])
  }

  private func write(_ data: Data, to name: String) throws {
    try space.write(data, to: "voices/anna/\(name)")
  }

  private func writeManifest(_ more: String = "") throws {
    try space.write(
      "language: en\nwho: Anna\nlicence: CC0\n\(more)", to: "voices/anna/voice.yaml")
  }

  /// A square wave of 400 Hz after 100 ms of silence.
  private static func samples(_ milliseconds: Int, rate: Int) -> [Int16] {
    [Int16](repeating: 0, count: rate / 10)
      + (0..<(milliseconds * rate / 1000)).map { $0 * 800 / rate % 2 == 0 ? 9_000 : -9_000 }
  }

  /// A WAV file with a header of any kind.
  private static func wav(
    _ data: [UInt8], rate: Int = 16_000, channels: Int = 1, bits: Int = 16, isFloat: Bool = false
  ) -> Data {
    func little(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let frame = channels * bits / 8
    var file = Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVEfmt ".utf8)
    file += little(16, 4) + little(isFloat ? 3 : 1, 2) + little(channels, 2) + little(rate, 4)
    file += little(rate * frame, 4) + little(frame, 2) + little(bits, 2)
    return Data(file + Array("data".utf8) + little(data.count, 4) + data)
  }

  private static func wav(_ milliseconds: Int, rate: Int = 16_000, channels: Int = 1) -> Data {
    wav(
      samples(milliseconds, rate: rate).flatMap { sample in
        (0..<channels).flatMap { _ in
          [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
      }, rate: rate, channels: channels)
  }

  /// Whether the pack says a text; otherwise why not.
  private func isSaid(_ text: String, in library: SpeechLibrary) -> (isSaid: Bool, reason: String?)
  {
    let clip = library.clip(text, voice: voice)
    let reason = library.reasonForStandIn(text, voice)
    #expect(clip != nil)
    #expect((reason != nil) == (clip?.length == .milliseconds(200)))
    return (reason == nil, reason)
  }

  @Test func aPackSaysItsTextsAndTheStandInAllOthers() throws {
    try writeManifest("phrases: {\"Rest!\": phrases/take-7.wav}\n")
    for (path, length) in [
      ("numbers/3.wav", 300), ("phrases/next-hard.wav", 600), ("phrases/take-7.wav", 500),
      ("phrases/rest.wav", 450), ("names/Anna.wav", 350), ("names/Ben.wav", 400),
    ] { try write(Self.wav(length), to: path) }
    let library = library()
    func length(_ text: String) -> Int64? {
      library.length(of: text, voice: voice).map { $0.wholeMilliseconds }
    }
    for (text, milliseconds) in [
      ("3", 300), ("Next: Hard", 600), ("next, hard…", 600), ("Rest!", 500), ("Rest", 450),
      ("Anna", 350), ("Anna: Rest", 350 + 150 + 450),
      ("Anna, Ben: Rest", 350 + 150 + 400 + 150 + 450),
      // Said by the stand-in.
      ("Anna: 4", 200), ("Carl: Rest", 200), ("Anna, Carl: Rest", 200), ("2", 200),
      ("Next: Hard, 4 minutes", 200), ("Anna:Rest", 200), ("Carl, Anna: Rest", 200),
    ] {
      let found = try #require(length(text))
      #expect(abs(found - Int64(milliseconds)) <= 8, "\(text): \(found) ms")
    }
    #expect(library.reasonForStandIn("2", voice) == "the pack has no recording of it")
    #expect(reports.all == [])
  }

  /// One voice says all numbers of a count.
  @Test func aCountIsThePacksOnlyWithEachOfItsNumbers() throws {
    try writeManifest()
    for number in [0, 1, 3] { try write(Self.wav(300), to: "numbers/\(number).wav") }
    let source = SpeechOnTheSpot(library())
    #expect(source.countVoice(["1", "0"], voice) == voice)
    #expect(source.countVoice(["3", "2", "1", "0"], voice) == voice.ofStandIn)
    try write(Self.wav(1_000), to: "numbers/2.wav")
    let again = SpeechOnTheSpot(library())
    #expect(again.countVoice(["3", "2", "1", "0"], voice) == voice.ofStandIn)
    #expect(
      again.reasonForStandIn("2", voice)
        == "the voice's \"2\" does not begin when it should, or is no word")
  }

  @Test(arguments: SoundFormat.allCases) func everyFormatOfSoundsIsRead(format: SoundFormat) throws
  {
    try writeManifest()
    try FileManager.default.createDirectory(
      atPath: space.path("voices/anna/numbers"), withIntermediateDirectories: true)
    let samples = Self.samples(400, rate: 48_000) + [Int16](repeating: 0, count: 4800)
    let writer = try SoundFileWriter(
      space.path("voices/anna/numbers/3.\(format.endings[0])"), as: format, rate: 48_000)
    try samples.withUnsafeBufferPointer {
      try writer.write($0.baseAddress!, count: $0.count)
    }
    try writer.finish()
    let (isSaid, reason) = isSaid("3", in: library())
    #expect(isSaid, "\(reason ?? "")")
    let takes = try TakeFolder(space.path("voices/anna"))
    #expect(takes.faults() == [])
    let manifest = VoiceManifest(language: "en", who: "Ben", licence: "CC0")
    #expect(takes.add(to: space.path("voices/ben"), manifest, isReplacing: false).written == 1)
  }

  @Test(arguments: [8_000, 44_100, 96_000]) func everyRateAndManyChannelsAreRead(rate: Int) throws {
    try writeManifest()
    try write(Self.wav(300, rate: rate, channels: 6), to: "numbers/3.wav")
    let library = library()
    let (isSaid, reason) = isSaid("3", in: library)
    #expect(isSaid, "\(reason ?? "")")
    let clip = try #require(library.clip("3", voice: voice))
    #expect(clip.rate == 48_000 && abs(clip.length.wholeMilliseconds - 300) <= 6)
  }

  @Test func eightBitsAreRead() throws {
    try writeManifest()
    let quiet = [UInt8](repeating: 128, count: 800)
    let word = (0..<2400).map { UInt8($0 / 10 % 2 == 0 ? 200 : 56) }
    try write(Self.wav(quiet + word, rate: 8_000, bits: 8), to: "numbers/3.wav")
    #expect(isSaid("3", in: library()).isSaid)
  }

  /// Each costs its own words and a line; the stand-in says them.
  @Test func aBadFileIsOneLineAndItsWordsAreSaidByTheStandIn() throws {
    try writeManifest()
    let nan = (0..<8_000).flatMap { _ in
      withUnsafeBytes(of: Float.nan.bitPattern.littleEndian, Array.init)
    }
    // STREAMINFO of 16-bit mono at 8 kHz with 2^36 − 1 samples.
    let flac =
      Array("fLaC".utf8) + [0x80, 0, 0, 34, 16, 0, 16, 0, 0, 0, 0, 0, 0, 0]
      + [0x01, 0xf4, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff] + [UInt8](repeating: 0, count: 16)
    let bad: [(name: String, data: Data)] = [
      ("empty.wav", Data()), ("nothing.wav", Self.wav([])), ("text.wav", Data("no sound".utf8)),
      ("huge.flac", Data(flac)), ("nan.wav", Self.wav(nan, bits: 32, isFloat: true)),
      ("long.wav", Self.wav(16_000)), ("nine.wav", Self.wav(100, channels: 9)),
      ("slow.wav", Self.wav(300, rate: 1_000)),
    ]
    for (name, data) in bad { try write(data, to: "phrases/\(name)") }
    let folder = space.path("voices/anna/phrases")
    try FileManager.default.createDirectory(
      atPath: "\(folder)/folder.wav", withIntermediateDirectories: true)
    try space.write(Self.wav(300), to: "elsewhere.wav")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link.wav", withDestinationPath: space.path("elsewhere.wav"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/dangling.wav", withDestinationPath: "gone.wav")
    mkfifo("\(folder)/pipe.wav", 0o600)
    let texts =
      bad.map { String($0.name.prefix { $0 != "." }) } + ["folder", "link", "dangling", "pipe"]
    let library = library()
    for text in texts {
      let (isSaid, reason) = isSaid(text, in: library)
      #expect(!isSaid, "\(text)")
      #expect(reason?.hasPrefix("its recording cannot be used: ") == true, "\(reason ?? "")")
    }
    #expect(reports.all.count == texts.count)
    for line in reports.all {
      #expect(line.contains("/phrases/") && !line.contains("\n"), "\(line)")
    }
  }

  @Test(arguments: ["", "..", ".", "../voices/anna", "anna/../anna", ".hidden", "nobody"])
  func aNameIsNeverAPath(name: String) throws {
    try writeManifest()
    #expect(try packs.pack(named: name) == nil)
    let voice = SpeechVoice(name: "pack:\(name)", standIn: "en")
    #expect(library().length(of: "Go", voice: voice) == .milliseconds(200))
  }

  @Test func aPackWithoutAManifestIsALineAndTheStandInSpeaks() throws {
    try write(Self.wav(300), to: "numbers/3.wav")
    let library = library()
    #expect(!isSaid("3", in: library).isSaid && !isSaid("4", in: library).isSaid)
    #expect(reports.all.count == 1 && reports.all[0].contains("voice.yaml: no such file"))
    #expect(packs.names == ["anna"])
  }

  /// Two rules disagree where a word begins after a breath; the manifest decides.
  @Test func theManifestSaysWhereADoubtfulWordBegins() throws {
    var samples = [Int16](repeating: 0, count: 16_000)
    for index in 1600..<2400 { samples[index] = index % 40 < 20 ? 600 : -600 }
    for index in 4000..<8800 { samples[index] = index % 40 < 20 ? 9_000 : -9_000 }
    let bytes = samples.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    try writeManifest()
    try write(Self.wav(bytes), to: "numbers/3.wav")
    #expect(!isSaid("3", in: library()).isSaid)
    try writeManifest("onsets: {3: 250}\n")
    let library = library()
    #expect(isSaid("3", in: library).isSaid)
    let length = try #require(library.length(of: "3", voice: voice))
    #expect(abs(length.wholeMilliseconds - 300) <= 4)
    try writeManifest("onsets: {3: 2000}\n")
    let late = self.library()
    #expect(
      isSaid("3", in: late).reason == "its recording cannot be used: it ends before its onset")
  }

  @Test func lengthsAreTheSameWhereNobodyListens() throws {
    try writeManifest()
    try write(Self.wav(300), to: "numbers/3.wav")
    let silent = try #require(library(isHeard: false).length(of: "3", voice: voice))
    let heard = try #require(library().length(of: "3", voice: voice))
    #expect(abs(silent.wholeMilliseconds - heard.wholeMilliseconds) <= 3)
  }

  /// A person's voice: every number that is short enough begins within 2 ms, by both rules.
  @Test func aHumanVoiceBeginsOnItsSecond() throws {
    try FileManager.default.createDirectory(
      atPath: space.path("voices"), withIntermediateDirectories: true)
    try HumanVoice.make(in: space.path("voices/anna"))
    let library = library()
    var said: [Int] = []
    for number in 0...20 where isSaid("\(number)", in: library).isSaid {
      said.append(number)
      let clip = try #require(library.clip("\(number)", voice: voice))
      let level = clip.peak / 20
      let onset = try #require(clip.samples.firstIndex { abs(Int($0)) > level })
      #expect(onset <= 96, "\(number): \(onset) samples")
      #expect(clip.falseStart == 0)
    }
    #expect(said.starts(with: 0...10), "\(said)")
    #expect(reports.all == [])
  }
}
