import CueSound
import CueTesting
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// Voices of an engine, and who speaks where it does not.
struct VoiceEngineTests {
  /// Speaks once it may.
  private final class SlowSpeech: SpeechSynthesizer {
    let mayGo = DispatchSemaphore(value: 0)
    private let speech = ScriptedSpeech { _ in 300 }

    func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
      mayGo.wait()
      defer { mayGo.signal() }
      return try speech.render(text, voice: voice)
    }
  }

  /// A buzz of 100 ms, 100 ms that are nearly silent, and a word of 300 ms, as often as it is asked but for the last `good` times.
  private final class BuzzingSpeech: SpeechSynthesizer {
    private let asked = Mutex(0)
    let bad: Int
    init(bad: Int) { self.bad = bad }
    var count: Int { asked.withLock { $0 } }

    func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
      let isBad = asked.withLock { asked in
        asked += 1
        return asked <= bad
      }
      func tone(_ milliseconds: Int, _ level: Int16) -> [Int16] {
        (0..<milliseconds * 8).map { $0 % 8 < 4 ? level : -level }
      }
      return PCMClip(
        rate: 8_000,
        samples: isBad ? tone(100, 200) + tone(100, 100) + tone(300, 8_000) : tone(300, 8_000))
    }
  }

  private let usual = ScriptedSpeech { _ in 200 }
  private let voice = SpeechVoice(name: "slow:a", standIn: "en")
  private func id(_ number: Int) -> SpeechQueue.Request.ID { .init(client: 1, number: number) }
  private let owner = SpeechQueue.Owner(client: 1, lane: 1)

  private func library(_ engine: any SpeechSynthesizer) -> SpeechLibrary {
    SpeechLibrary(
      usual, converter: RepeatedSamples(), rate: 8_000, engines: [VoiceEngine("slow", engine)],
      level: { _ in 1 })
  }

  /// Requests texts as an announcement does.
  private func request(
    _ texts: [String], from library: SpeechLibrary, as voice: SpeechVoice? = nil,
    patience: Duration? = nil,
    // Each request has a number of its own, as the engine's have.
    number: Int = #line,
    done: @escaping @Sendable () -> Void = {}
  ) {
    let orders = texts.map { SpeechOrder(text: $0, voice: voice ?? self.voice, purpose: .clip) }
    library.render(
      orders, SpeechUrgency(by: .init(nanoseconds: 0), patience: patience), as: id(number),
      for: owner, then: done)
  }

  private func length(_ text: String, in library: SpeechLibrary) -> Duration? {
    if case .there(let length) = library.renderedLength(of: text, voice: voice) {
      length
    } else {
      nil
    }
  }

  @Test func anEngineSpeaksInItsVoices() {
    let engine = ScriptedSpeech { _ in 300 }
    let library = library(engine)
    request(["Next"], from: library)
    library.finishRendering()
    #expect(length("Next", in: library) == .milliseconds(300))
    #expect(library.reasonForStandIn("Next", voice) == nil)
    #expect(engine.texts == ["Next"] && usual.texts == [])
    let own = SpeechVoice(name: "en")
    #expect(library.length(of: "Next", voice: own) == .milliseconds(200))
    #expect(library.reasonForStandIn("Next", own) == nil)
  }

  /// Whatever becomes of the engine, the numbers of the next repetitions are there.
  @Test func theStandInHasTheNextNumbersToo() {
    let engine = SlowSpeech()
    let library = library(engine)
    library.prefetch(["7", "Next"], voice: voice, for: owner)
    engine.mayGo.signal()
    library.finishAllRendering()
    #expect(usual.texts == ["7"])
    #expect(length("7", in: library) == .milliseconds(300))
  }

  /// A pack's recordings may have the same lengths.
  @Test func aNumberIsAsLongAsACountAllows() {
    let library = library(ScriptedSpeech(fastest: 200) { ["1": 140, "2": 1_050][$0] ?? 890 })
    request(["1", "2", "3"], from: library)
    library.finishRendering()
    for number in ["1", "2"] {
      #expect(library.reasonForStandIn(number, voice)?.contains("or is no word") == true)
    }
    #expect(library.reasonForStandIn("3", voice) == nil)
  }

  /// Each count with it is another voice's from then on.
  @Test func aVoiceThatDoesNotCountIsALineOnce() {
    let lines = Collected<String>()
    var engine = VoiceEngine("slow", ScriptedSpeech { ["2": 140, "1": 140, "Next": 0][$0] ?? 300 })
    engine.report = { lines.append($0) }
    let library = SpeechLibrary(
      usual, converter: RepeatedSamples(), rate: 8_000, engines: [engine], level: { _ in 1 })
    var measured = voice
    measured.isPassing = true
    request(["1"], from: library, as: measured)
    request(["Next", "3"], from: library)
    library.finishRendering()
    #expect(lines.all == [])
    request(["2", "1"], from: library)
    request(["2", "1"], from: library, as: SpeechVoice(name: "slow:b", standIn: "en"))
    library.finishRendering()
    let why = "the voice's \"2\" does not begin when it should, or is no word"
    #expect(lines.all == ["a", "b"].map { "counts with \"2\" are not by slow:\($0): \(why)" })
  }

  @Test func aNumberThatIsALittleTooLongIsSaidFaster() {
    let engine = ScriptedSpeech(fastest: 200) { _ in 945 }
    let library = library(engine)
    request(["17"], from: library)
    library.finishRendering()
    #expect(library.reasonForStandIn("17", voice) == nil)
    #expect(engine.rates == [175, 188])
    #expect((length("17", in: library) ?? .zero) <= AnnouncementLayout.longestCount)
  }

  /// Those of one voice may range over more than those of another.
  @Test func anEngineMayHaveALevelOfItsOwn() {
    var engine = VoiceEngine("slow", ScriptedSpeech { _ in 300 })
    engine.level = { _ in 0.5 }
    let library = SpeechLibrary(
      usual, converter: RepeatedSamples(), rate: 8_000, engines: [engine], level: { _ in 1 })
    let own = library.clip("Next", voice: SpeechVoice(name: "en"))
    let other = library.clip("Next", voice: voice)
    #expect(own != nil && other.map { Int($0.peak) * 2 } == own.map { Int($0.peak) })
  }

  @Test func aTextThatItCannotSayIsSaidByItsStandIn() {
    let library = library(ScriptedSpeech { $0 == "Next" ? 0 : 300 })
    request(["Next", "Rest"], from: library)
    library.finishRendering()
    #expect(length("Next", in: library) == .milliseconds(200))
    #expect(length("Rest", in: library) == .milliseconds(300))
    #expect(library.reasonForStandIn("Next", voice) == "nothing scripted")
    #expect(library.isReady(["Next", "Rest"], lengthsOf: [], voice: voice))
    #expect(usual.texts == ["Next"])
  }

  /// For as long as it takes the engine, another voice speaks; then the engine does.
  @Test func nobodyWaitsForAnEngineForLong() async {
    let engine = SlowSpeech()
    let library = library(engine)
    let done = DispatchSemaphore(value: 0)
    request(["Next"], from: library, patience: .milliseconds(1)) { done.signal() }
    await withCheckedContinuation { next in
      DispatchQueue.global().async {
        done.wait()
        next.resume()
      }
    }
    #expect(length("Next", in: library) == .milliseconds(200))
    #expect(library.reasonForStandIn("Next", voice) == "it was not ready in time")
    engine.mayGo.signal()
    let speaks = await eventually { [voice] in library.reasonForStandIn("Next", voice) == nil }
    #expect(speaks && length("Next", in: library) == .milliseconds(300))
  }

  /// Once patience is over, a busy machine may take long to render them.
  @Test func theWordsOfTheStandInAreRenderedWhileTheEngineIsAwaited() async {
    let engine = SlowSpeech()
    let library = library(engine)
    request(["Next"], from: library, patience: .seconds(3600))
    #expect(await eventually { usual.texts == ["Next"] })
    engine.mayGo.signal()
    library.finishAllRendering()
    #expect(length("Next", in: library) == .milliseconds(300))
  }

  /// So that room is kept for what may be said by the stand-in.
  @Test func untilAnEngineHasSpokenItsStandInTellsHowLongATextTakes() async {
    let engine = SlowSpeech()
    let library = library(engine)
    library.measure(["Next"], voice: voice)
    #expect(await eventually { length("Next", in: library) == .milliseconds(200) })
    #expect(library.isReady([], lengthsOf: ["Next"], voice: voice))
    #expect(!library.isReady(["Next"], lengthsOf: [], voice: voice))
    engine.mayGo.signal()
    library.finishAllRendering()
    #expect(length("Next", in: library) == .milliseconds(300))
  }

  @Test func wordsThatAreWithdrawnAreNotAwaited() {
    let engine = SlowSpeech()
    let library = library(engine)
    request(["Next"], from: library, number: 1) { Issue.record("nobody waits for these words") }
    library.stopRendering(id(1))
    engine.mayGo.signal()
    library.finishAllRendering()
    #expect(usual.texts == [])
  }

  @Test func oneVoiceSaysAllNumbersOfACount() {
    let numbers = ["3", "2", "1", "0"]
    let whole = library(ScriptedSpeech { _ in 300 })
    request(numbers, from: whole)
    whole.finishRendering()
    #expect(whole.countVoice(numbers, voice) == voice)
    let lacksTwo = library(ScriptedSpeech { $0 == "2" ? 0 : 300 })
    request(numbers, from: lacksTwo)
    lacksTwo.finishRendering()
    #expect(lacksTwo.countVoice(numbers, voice) == SpeechVoice(name: "en"))
    #expect(lacksTwo.countVoice(["1", "0"], voice) == voice)
  }

  /// At its greatest rate a number would last longer than its second.
  @Test func numbersThatAreTooLongAreSaidByTheStandIn() {
    let library = library(ScriptedSpeech(fastest: 200) { $0 == "10" ? 1_200 : 300 })
    request(["10", "9"], from: library)
    library.finishRendering()
    #expect(library.countVoice(["10", "9"], voice) == SpeechVoice(name: "en"))
    #expect(library.countVoice(["9"], voice) == voice)
  }

  @Test(arguments: [(bad: 2, tries: 3, isGood: true), (bad: 3, tries: 3, isGood: false)])
  func aNumberThatBeginsLateIsSpokenAgain(bad: Int, tries: Int, isGood: Bool) {
    let engine = BuzzingSpeech(bad: bad)
    let library = library(engine)
    request(["3"], from: library)
    library.finishRendering()
    #expect(engine.count == tries)
    #expect(library.countVoice(["3"], voice) == (isGood ? voice : SpeechVoice(name: "en")))
    let fault = "the voice's \"3\" does not begin when it should, or is no word"
    #expect(library.reasonForStandIn("3", voice) == (isGood ? nil : fault))
  }

  /// A library without engines has no other voice: what is before the silence is cut off.
  @Test func theOnlyVoiceIsCutWhereItsNumberBegins() throws {
    let library = SpeechLibrary(
      BuzzingSpeech(bad: 1), converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    let clip = try #require(library.clip("3", voice: SpeechVoice()))
    #expect((.milliseconds(295)...(.milliseconds(305))).contains(clip.length))
    let text = SpeechLibrary(
      BuzzingSpeech(bad: 1), converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    #expect(text.clip("Next", voice: SpeechVoice())?.length ?? .zero > .milliseconds(495))
  }

  @Test func namesWithoutAnEngineAreTheSynthesizersOwn() {
    let library = SpeechLibrary(usual, converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    #expect(library.length(of: "Next", voice: voice) == .milliseconds(200))
    #expect(library.countVoice(["1"], voice) == voice)
    #expect(library.reasonForStandIn("Next", voice) == nil)
  }

  /// Has "Next" of an earlier run, until an engine says who it is.
  private final class KeptWords: SpeechCache {
    private let isKept = Mutex(true)
    private let isSame: Bool
    private let engine: SlowSpeech
    init(_ engine: SlowSpeech, isSame: Bool) { (self.engine, self.isSame) = (engine, isSame) }

    func load() {}
    func confirm() -> Bool {
      engine.mayGo.wait()
      defer { engine.mayGo.signal() }
      return isKept.withLock { isKept in
        defer { isKept = isSame }
        return isSame || !isKept
      }
    }
    func length(of text: String, voice: SpeechVoice) -> Duration? {
      clip(of: text, voice: voice)?.length
    }
    func clip(of text: String, voice: SpeechVoice) -> PCMClip? {
      guard text == "Next", isKept.withLock({ $0 }) else { return nil }
      return PCMClip(rate: 8_000, samples: Array(repeating: 8_000, count: 250 * 8))
    }
    func keep(_ length: Duration, _ clip: PCMClip?, of text: String, voice: SpeechVoice) {}
    func save() {}
  }

  /// An engine that loads its voice, or that says another text, does not hold up what an earlier run has rendered.
  @Test(arguments: [true, false]) func wordsOfAnEarlierRunAreThereAtOnce(isSame: Bool) async {
    let engine = SlowSpeech()
    let words = VoiceEngine("slow", engine, cache: KeptWords(engine, isSame: isSame))
    let library = SpeechLibrary(
      usual, converter: RepeatedSamples(), rate: 8_000, engines: [words], level: { _ in 1 })
    await withCheckedContinuation { (next: CheckedContinuation<Void, Never>) in
      if isSame { library.prefetch(["Rest"], voice: voice) }
      request(["Next"], from: library) { next.resume() }
    }
    #expect(length("Next", in: library) == .milliseconds(250))
    #expect(usual.texts == [])
    engine.mayGo.signal()
    guard !isSame else { return library.finishAllRendering() }
    // It was another engine's.
    #expect(await eventually { length("Next", in: library) == nil })
    request(["Next"], from: library)
    library.finishRendering()
    #expect(length("Next", in: library) == .milliseconds(300))
  }

  /// Counts how often it is read, and has the texts that it was to keep.
  private final class CountedCache: SpeechCache {
    private let loads = Mutex(0)
    private let kept = Mutex<[String]>([])
    var count: Int { loads.withLock { $0 } }
    var texts: [String] { kept.withLock { $0 } }
    func load() { loads.withLock { $0 += 1 } }
    func length(of text: String, voice: SpeechVoice) -> Duration? { nil }
    func clip(of text: String, voice: SpeechVoice) -> PCMClip? { nil }
    func keep(_ length: Duration, _ clip: PCMClip?, of text: String, voice: SpeechVoice) {
      kept.withLock { $0.append(text) }
    }
    func save() {}
  }

  /// Is given up at "Bad".
  private struct FaultySpeech: SpeechSynthesizer {
    let speech = ScriptedSpeech { _ in 300 }

    func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
      guard text != "Bad" else { throw SpeechError(kind: .unavailable, detail: "it has ended") }
      return try speech.render(text, voice: voice)
    }
  }

  /// Where a program has been one text late, that was another's.
  @Test func whatWasSaidLastBeforeAFaultIsNotKept() {
    let cache = CountedCache()
    let engine = VoiceEngine("slow", FaultySpeech(), cache: cache)
    let library = SpeechLibrary(
      usual, converter: RepeatedSamples(), rate: 8_000, engines: [engine], level: { _ in 1 })
    request(["Next", "Rest"], from: library)
    library.finishRendering()
    #expect(cache.texts == ["Next"])
    #expect(length("Rest", in: library) == .milliseconds(300))
    request(["Bad", "Low"], from: library)
    library.finishRendering()
    #expect(length("Rest", in: library) == nil)
    #expect(length("Next", in: library) == .milliseconds(300))
    library.saveCache()
    #expect(cache.texts == ["Next", "Low"])
  }

  @Test func anEnginesCacheIsReadOnceItIsNeeded() {
    let (own, others) = (CountedCache(), CountedCache())
    let engine = VoiceEngine("slow", ScriptedSpeech { _ in 300 }, cache: others)
    let library = SpeechLibrary(
      usual, converter: RepeatedSamples(), rate: 8_000, cache: own, engines: [engine],
      level: { _ in 1 })
    _ = library.length(of: "Next", voice: SpeechVoice(name: "en"))
    #expect(own.count == 1 && others.count == 0)
    request(["Next", "Rest"], from: library)
    library.finishRendering()
    #expect(own.count == 1 && others.count == 1)
  }
}
