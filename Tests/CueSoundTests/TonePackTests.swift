import Testing

@testable import CueSound

struct TonePackTests {
  /// Every sound of every pack but the ticks, which are no melodies.
  private static let sounds = TonePack.allCases.flatMap { pack in
    melodies.map { (pack, $0) }
  }
  private static let melodies = SoundRole.allCases.filter { !$0.isTick }

  /// A Hann pulse: silent at both ends, greatest in the middle, no longer than 20 ms.
  @Test(arguments: TonePack.allCases) func aTickIsAPulse(_ pack: TonePack) {
    for meaning in SoundRole.allCases where meaning.isTick {
      let clip = pack[meaning].clip(rate: 48_000)
      #expect((.milliseconds(15)...(.milliseconds(20))).contains(clip.length))
      let peak = clip.samples.firstIndex { abs(Int($0)) == clip.peak } ?? 0
      #expect(abs(peak - clip.count / 2) < clip.count / 8)
      for edge in [clip.samples.prefix(10), clip.samples.suffix(10)] {
        #expect(edge.allSatisfy { abs(Int($0)) < clip.peak / 50 })
      }
      // 12 dB below words, whose greatest samples are at a third of full scale.
      let tick = clip.scaled(by: Loudness.tickGain(of: clip))
      #expect(abs(tick.peak - 2_785) <= 1)
    }
    #expect(pack[.tick].notes[0].frequency != pack[.accent].notes[0].frequency)
    #expect(SoundRole.offbeat.gain < SoundRole.tick.gain)
  }

  @Test(arguments: sounds) func aSoundBeginsAtOnceAndEndsInSilence(
    _ pack: TonePack, _ meaning: SoundRole
  ) {
    let clip = pack[meaning].clip(rate: 48_000)
    // Audible within 0.2 ms.
    let onset = clip.samples.firstIndex { abs(Int($0)) > clip.peak / 100 } ?? .max
    #expect(onset < 10)
    #expect(abs(Int(clip.samples[clip.count - 1])) < 40)
  }

  @Test(arguments: sounds) func aSoundReachesItsLoudnessBelowTheLimitersKnee(
    _ pack: TonePack, _ meaning: SoundRole
  ) {
    let clip = pack[meaning].clip(rate: 48_000)
    let levelled = clip.scaled(by: Loudness.gain(of: clip))
    #expect(abs(Loudness.momentary(of: levelled) - Loudness.target) < 0.1)
    #expect(levelled.peak < 16_384)
  }

  /// Up, down or level, between notes.
  private func melody(_ tone: Tone) -> [Int] {
    zip(tone.notes, tone.notes.dropFirst()).map {
      $0.frequency < $1.frequency ? 1 : $0.frequency > $1.frequency ? -1 : 0
    }
  }

  @Test(arguments: TonePack.allCases) func soundsOfOneMelodyDifferInLength(_ pack: TonePack) {
    for (index, meaning) in Self.melodies.enumerated() {
      for other in Self.melodies[..<index]
      where melody(pack[meaning]) == melody(pack[other]) {
        let lengths = [meaning, other].map { pack[$0].clip(rate: 8_000).count }.sorted()
        #expect(lengths[1] * 10 > lengths[0] * 17, "\(meaning) and \(other)")
      }
    }
  }

  @Test(arguments: SoundRole.allCases) func everyPackTellsAMeaningByTheSameMelody(
    _ meaning: SoundRole
  ) {
    let melodies = Set(TonePack.allCases.map { melody($0[meaning]) })
    #expect(melodies.count == 1)
  }

  @Test(arguments: TonePack.allCases) func answersToAKeyAreShort(_ pack: TonePack) {
    for meaning in [SoundRole.paused, .resumed] {
      #expect(pack[meaning].clip(rate: 48_000).length <= .milliseconds(350))
    }
  }

  @Test(arguments: SoundRole.allCases) func theLowPackIsBelowAKilohertz(_ meaning: SoundRole) {
    let clip = TonePack.low[meaning].clip(rate: 8_000)
    #expect(Spectrum(clip).part(1_000..<4_000) < 0.001)
    #expect(TonePack.low[meaning].notes.allSatisfy { (200...600).contains($0.frequency) })
  }

  @Test(arguments: SoundRole.allCases) func theGymPackIsWhereTheEarIsKeenest(
    _ meaning: SoundRole
  ) {
    let clip = TonePack.gym[meaning].clip(rate: 16_000)
    #expect(Spectrum(clip).part(1_000..<4_000) > 0.8)
    #expect(clip.count > TonePack.standard[meaning].clip(rate: 16_000).count)
  }
}
