import Testing

@testable import CueSound

struct TonePackTests {
  /// Every sound of every pack.
  private static let sounds = TonePack.allCases.flatMap { pack in
    SoundRole.allCases.map { (pack, $0) }
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
    for (index, meaning) in SoundRole.allCases.enumerated() {
      for other in SoundRole.allCases[..<index]
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
