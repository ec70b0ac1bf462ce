import CueSound
import TestSupport
import Testing

@testable import Speech

struct SpeechMemoryTests {
  private let voice = SpeechVoice()

  private func key(_ text: String) -> SpeechMemory.Key { SpeechMemory.Key(text, voice) }

  private func clip(_ count: Int) -> PCMClip { PCMClip(rate: 8_000, count: count) { _ in } }

  @Test func valuesThatAreUsedStayAndTheNumberIsBounded() {
    var values = RecentValues<Int, Int>(limit: 10)
    values.set(-1, for: 1_000)
    for number in 0..<1_000 {
      values.set(number, for: number)
      #expect(values.value(for: 1_000) == -1)
      #expect(values.count <= 10)
      // The four before it are kept in any case.
      for recent in max(0, number - 3)...number { #expect(values.value(for: recent) == recent) }
    }
    #expect(values.value(for: 0) == nil)
    values.set(7, for: 999)
    #expect(values.value(for: 999) == 7)
  }

  @Test func eachTextAndEachVoiceIsItsOwn() {
    var memory = SpeechMemory(capacity: 100, texts: 100)
    var slow = voice
    slow.rate = 100
    memory.keep(.milliseconds(1), for: key("a"))
    memory.keep(.milliseconds(2), for: SpeechMemory.Key("a", slow))
    memory.keep(nil as Duration?, for: key("b"))
    #expect(memory.length(of: key("a")) == .some(.milliseconds(1)))
    #expect(memory.length(of: SpeechMemory.Key("a", slow)) == .some(.milliseconds(2)))
    #expect(memory.length(of: key("b")) == .some(nil))
    #expect(memory.length(of: key("c")) == nil)
    // The gain is the mixer's.
    var soft = voice
    soft.gain = 0.1
    #expect(memory.length(of: SpeechMemory.Key("a", soft)) == .some(.milliseconds(1)))
  }

  @Test func numbersStayWhenOthersSayMuch() {
    var memory = SpeechMemory(capacity: 100_000, texts: 1_000)
    memory.keep(clip(4_000), for: key("3"))
    for number in 0..<100 { memory.keep(clip(16_000), for: key("text \(number)")) }
    #expect(memory.clip(of: key("3")) != nil)
    #expect(memory.samples <= 100_000)
    // Of many short ones those that are used stay, and all together leave room for long ones.
    for number in 0..<1_000 { memory.keep(clip(4_000), for: key("word \(number)")) }
    #expect(memory.clip(of: key("3")) == nil)
    for number in 0..<4 { memory.keep(clip(16_000), for: key("text \(number)")) }
    for number in 0..<4 { #expect(memory.clip(of: key("text \(number)")) != nil) }
  }

  @Test func clipsThatWereUsedLongestAgoGoFirst() {
    var memory = SpeechMemory(capacity: 30, texts: 100)
    for text in ["a", "b", "c"] { memory.keep(clip(10), for: key(text)) }
    #expect(memory.clip(of: key("a")) != nil)
    memory.keep(clip(5), for: key("d"))
    #expect(memory.clip(of: key("b")) == nil)
    #expect(memory.clip(of: key("a")) != nil && memory.clip(of: key("c")) != nil)
    #expect(memory.samples == 25)
    // The same text replaces its earlier clip.
    memory.keep(clip(6), for: key("d"))
    #expect(memory.samples == 26 && memory.clipCount == 3)
    #expect(memory.hasRoom(for: clip(4)) && !memory.hasRoom(for: clip(5)))
    // A clip that exceeds the limit is kept alone.
    memory.keep(clip(50), for: key("e"))
    #expect(memory.clipCount == 1 && memory.clip(of: key("e")) != nil)
  }

  @Test func whatCannotBeSpokenIsKnownWithoutAClip() throws {
    var memory = SpeechMemory(capacity: 30, texts: 100)
    memory.keep(nil as Duration?, for: key("?"))
    guard case .some(.none) = memory.clip(of: key("?")) else {
      throw Unexpected("a text that cannot be spoken is not known")
    }
    #expect(memory.clipCount == 0)
  }
}
