import CueSound
import CueTesting
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// What returns at once while words are being rendered.
struct UnrenderedSpeechTests {
  private let voice = SpeechVoice()
  private let owner = SpeechQueue.Owner(client: 1, lane: 1)

  @Test func textsThatCannotKeepUpWaitInABoundedQueue() {
    let stuck = StuckSpeech()
    let library = SpeechLibrary(stuck, converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    library.prefetch(["first"], voice: voice)
    for number in 0..<20_000 {
      library.prefetch(["soon \(number)"], voice: voice)
      library.measure(["later \(number)"], voice: voice)
    }
    #expect(library.held.waiting <= 8_192 && library.held.waiting > 8_000)
    stuck.release()
    library.renderFirst([], lengthsOf: [], for: .seconds(600))
    #expect(library.held.waiting == 0)
  }

  @Test func whatIsNotThereIsKnownAtOnce() throws {
    let stuck = StuckSpeech()
    let library = SpeechLibrary(stuck, converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    library.prefetch(["word"], voice: voice)
    #expect(library.renderedLength(of: "word", voice: voice).isMissing)
    #expect(library.renderedClip("word", voice: voice, within: .seconds(1)).isMissing)
    #expect(!library.isReady(["word"], lengthsOf: [], voice: voice))
    stuck.release()
    library.renderFirst([], lengthsOf: [], for: .seconds(600))
    guard case .there = library.renderedClip("word", voice: voice, within: .seconds(1)) else {
      throw Unexpected("it has been rendered")
    }
  }

  @Test func whatFailsIsTriedOnceForAnAnnouncement() {
    let failing = ScriptedSpeech { _ in 0 }
    let library = SpeechLibrary(failing, converter: RepeatedSamples(), level: { _ in 1 })
    let purposes: [SpeechOrder.Purpose] = [.length, .clip, .fitting(.seconds(1))]
    library.render(
      purposes.map { SpeechOrder(text: "x", voice: voice, purpose: $0) },
      SpeechUrgency(by: .never),
      as: .init(client: 1, number: 1), for: owner
    ) {}
    library.finishRendering()
    #expect(failing.texts.count == 3)
  }

  @Test func whatIsNotNeededAnyMoreIsNotRendered() {
    let stuck = StuckSpeech()
    let library = SpeechLibrary(stuck, converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    let done = Mutex<[Int]>([])
    library.prefetch(["first"], voice: voice)
    stuck.waitUntilItIsStuck()
    for number in 1...2 {
      library.render(
        [SpeechOrder(text: "text \(number)", voice: voice, purpose: .clip)],
        SpeechUrgency(by: .never),
        as: .init(client: 1, number: number), for: owner
      ) { done.withLock { $0.append(number) } }
    }
    library.stopRendering(.init(client: 1, number: 1))
    // Another client's request of that number stays.
    library.stopRendering(.init(client: 2, number: 2))
    stuck.release()
    library.finishRendering()
    #expect(done.withLock { $0 } == [2])
    #expect(!library.isReady(["text 1"], lengthsOf: [], voice: voice))
  }
}

/// A synthesizer that waits until it is released.
private final class StuckSpeech: SpeechSynthesizer {
  private let gate = DispatchSemaphore(value: 0)
  private let begun = DispatchSemaphore(value: 0)

  func release() { gate.signal() }

  /// Returns when it has been asked for a text.
  func waitUntilItIsStuck() { begun.wait() }

  func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    begun.signal()
    gate.wait()
    gate.signal()
    return PCMClip(rate: 8_000, samples: [8_000])
  }
}
