import CueSound
import RecordedSpeech
import Testing

/// What makes a take useless, and what is made of a good one.
struct TakeTests {
  private static let rate = 16_000

  /// Square waves of 400 Hz, each for some milliseconds at a level; the last value, where it has one, is that of a noise
  /// over all of it.
  private static func take(
    _ parts: [(milliseconds: Int, level: Int16)], noise: Int16 = 0, isNumber: Bool = true
  ) -> Take {
    var samples: [Int16] = []
    for (milliseconds, level) in parts {
      for index in 0..<(milliseconds * rate / 1000) {
        let sample = index % 40 < 20 ? level : -level
        // At 4 kHz.
        samples.append(sample + (samples.count % 4 < 2 ? noise : -noise))
      }
    }
    return Take(PCMClip(rate: rate, samples: samples), isNumber: isNumber)
  }

  /// 300 ms between silences.
  private static let good: [(Int, Int16)] = [(200, 0), (300, 10_000), (300, 0)]

  @Test func aWordInSilenceIsGood() {
    #expect(Self.take(Self.good).faults == [])
    // −46 dB.
    #expect(Self.take(Self.good, noise: 50).faults == [])
  }

  @Test func whatIsWrongIsSaid() throws {
    #expect(Self.take([(300, 0)]).faults == [.silent])
    let noisy = Self.take(Self.good, noise: 200).faults
    guard case .noisy(let level) = try #require(noisy.first), noisy.count == 1 else {
      Issue.record("\(noisy)")
      return
    }
    #expect((-38.0 ... -32.0).contains(level))
    #expect(Self.take([(300, 10_000)]).faults == [.cutOff])
    #expect(Self.take([(200, 0), (300, 10_000)]).faults == [.cutShort(atEnd: true)])
    #expect(Self.take([(300, 10_000), (300, 0)]).faults == [.cutShort(atEnd: false)])
    let clipped = Self.take([(200, 0), (300, 32_767), (300, 0)]).faults
    #expect(clipped == [.clipped(at: .milliseconds(200))])
    // Single samples at full scale, as in a recording at a low rate.
    var samples = [Int16](repeating: 0, count: 12_800)
    for index in 3200..<8000 { samples[index] = [0, 20_000, .max, 20_000, 0, -20_000][index % 6] }
    #expect(Take(PCMClip(rate: 16_000, samples: samples), isNumber: true).faults.count == 1)
    guard case .length(let long) = Self.take([(200, 0), (910, 10_000), (200, 0)]).faults.first
    else {
      Issue.record("910 ms are a good number")
      return
    }
    #expect((910...915).contains(long.wholeMilliseconds))
    #expect(long > AnnouncementLayout.longestCount)
    #expect(Self.take([(200, 0), (950, 10_000), (200, 0)], isNumber: false).faults == [])
    #expect(Self.take([(200, 0), (100, 10_000), (200, 0)]).faults.count == 1)
  }

  /// A breath at −26 dB, 100 ms of silence, and the word.
  private static let breath: [(Int, Int16)] = [
    (200, 0), (80, 500), (100, 0), (300, 10_000), (300, 0),
  ]

  @Test func aBreathBeforeANumberPutsItsOnsetInDoubt() {
    guard case .onset(let early) = Self.take(Self.breath).faults.first else {
      Issue.record("the onset is not in doubt")
      return
    }
    #expect((175...185).contains(early.wholeMilliseconds))
    #expect(Self.take(Self.breath, isNumber: false).faults == [])
  }

  /// A knock of 10 ms, 150 ms of silence, and the word.
  @Test(arguments: [4_000, 10_000, 30_000])
  func aKnockBeforeANumberPutsItsOnsetInDoubtHoweverLoudItIs(level: Int16) {
    let take = Self.take([(200, 0), (10, level), (150, 0), (300, 8_000), (300, 0)])
    guard case .onset(let early) = take.faults.first else {
      Issue.record("the onset is not in doubt")
      return
    }
    #expect((155...165).contains(early.wholeMilliseconds))
    #expect((155...165).contains(take.prepared.cut?.wholeMilliseconds ?? 0))
    // A word that is not silent after it begins there.
    #expect(Self.take([(200, 0), (10, level), (300, 8_000), (300, 0)]).faults == [])
  }

  @Test(arguments: [false, true]) func aTakeIsTrimmedAndLevelled(isBreathed: Bool) {
    let parts = isBreathed ? Self.breath : Self.good
    let (clip, cut) = Self.take(parts).prepared
    #expect((cut != nil) == isBreathed)
    // 60 ms, the word and 100 ms.
    #expect((455...465).contains(clip.length.wholeMilliseconds))
    #expect(abs(Loudness.momentary(of: clip) - Loudness.target) < 0.5)
    #expect(clip.samples.first == 0 && clip.samples.last == 0)
    #expect(Take(clip, isNumber: true).faults == [])
  }

  /// Made as loud as others, its few steps would be heard as noise.
  @Test func aTakeThatIsFarTooQuietIsRefused() {
    let take = Self.take([(200, 0), (300, 18), (300, 0)])
    let fault = take.faults.first
    #expect(take.faults.count == 1)
    #expect(fault?.description.hasPrefix("a peak of -66 dB, expected -40 dB of full scale") == true)
    #expect(Self.take([(200, 0), (300, 400), (300, 0)]).faults == [])
  }

  /// Cheap sound cards add one. It is no sound, neither before a number nor in the pack.
  @Test(arguments: [3000, -3000]) func aConstantOffsetIsNoSound(offset: Int16) {
    func take(_ parts: [(Int, Int16)]) -> Take {
      let clip = Self.take(parts).clip
      return Take(
        PCMClip(rate: clip.rate, samples: clip.samples.map { $0 + offset }), isNumber: true)
    }
    #expect(take(Self.good).faults == [])
    let (clip, cut) = take(Self.good).prepared
    #expect(cut == nil && (455...465).contains(clip.length.wholeMilliseconds))
    #expect(clip.samples.prefix(clip.rate / 20).allSatisfy { abs(Int($0)) < 50 })
    guard case .onset = take(Self.breath).faults.first else {
      Issue.record("the onset is not in doubt")
      return
    }
  }

  /// Taken for an offset, it would be sound before and after the word.
  @Test func theMeanOfAVoiceIsNoOffset() {
    let clip = Self.take(Self.good, noise: 20).clip
    let voice = PCMClip(
      rate: clip.rate, samples: clip.samples.map { abs(Int($0)) > 100 ? max($0, -9000) : $0 })
    let take = Take(voice, isNumber: true)
    #expect(take.faults == [])
    #expect(voice.withoutOffset.samples.elementsEqual(voice.samples))
  }

  @Test func aQuietTakeAndALoudOneBecomeEquallyLoud() {
    let loud = Self.take([(200, 0), (300, 20_000), (300, 0)]).prepared.clip
    let quiet = Self.take([(200, 0), (300, 900), (300, 0)]).prepared.clip
    #expect(abs(Loudness.momentary(of: loud) - Loudness.momentary(of: quiet)) < 0.5)
  }
}
