import Testing

@testable import CueSound

/// Whether the boundary sounds of a pack can be distinguished while a number is said over them.
struct SoundUnderNumberTests {
  private static let rate = 16_000
  private static let boundaries: [SoundRole] = [
    .highBegins, .lowBegins, .restBegins, .setEnds, .finish,
  ]
  /// 40 ms.
  private static let step = rate / 25

  /// Resembles a word of 450 ms: a voice of this pitch, two moving formants, and a hiss at its
  /// beginning; as loud as every word.
  private func word(pitch: Double) -> PCMClip {
    var noise = WhiteNoise()
    let count = Self.rate * 45 / 100
    var turns = 0.0
    let samples = (0..<count).map { index -> Int16 in
      let part = Double(index) / Double(count)
      turns += pitch * (1.1 - 0.2 * part) / Double(Self.rate)
      var value = part < 0.2 ? noise.next() * 0.4 : 0
      for harmonic in 1...24 where Double(harmonic) * pitch < 5_000 {
        let frequency = Double(harmonic) * pitch
        let first = (frequency - (400 + 150 * part)) / 150
        let second = (frequency - (2_000 - 1_100 * part)) / 250
        let level = 0.03 + 1 / (1 + first * first) + 0.5 / (1 + second * second)
        value += level * Sine.of(turns: turns * Double(harmonic))
      }
      return Int16(1_500 * value * min(1, part * 20, (1 - part) * 10))
    }
    let clip = PCMClip(rate: Self.rate, samples: samples)
    return clip.scaled(by: Loudness.gain(of: clip))
  }

  /// The sound with the number over it, or with the number subtracted.
  private func mixed(_ sound: PCMClip, _ word: PCMClip, isWordHeard: Bool) -> PCMClip {
    let link = MixerLink(voices: 4)
    var mixer = Mixer(link: link, rate: Self.rate)
    let map = FrameMap(frame: 0, instant: 0, rate: Double(Self.rate))
    let silence = PCMClip(rate: Self.rate, samples: Array(repeating: 0, count: word.count))
    let said = isWordHeard ? word : silence
    for (id, clip) in [sound, said].enumerated() {
      let isSent = link.commands.push(
        .play(
          Voice(
            id: UInt64(id), lane: 0, due: 0, samples: clip.memory.baseAddress!,
            count: clip.count, gain: 1, isSpeech: id == 1, isTimed: id == 1)))
      #expect(isSent)
    }
    var block = [Int16](repeating: 0, count: Self.rate * 3 / 2)
    mixer.takeCommands(map: map)
    mixer.render(into: &block, count: block.count, map: map)
    withExtendedLifetime((sound, said)) {}
    return PCMClip(rate: Self.rate, samples: block)
  }

  /// 40 ms of a pitch.
  private struct Wave {
    let sine: [Double]
    let cosine: [Double]

    init(_ pitch: Double) {
      let turns = (0..<step).map { pitch * Double($0) / Double(rate) }
      sine = turns.map { Sine.of(turns: $0) }
      cosine = turns.map { Sine.of(turns: $0 + 0.25) }
    }
  }

  /// The strength of each pitch in each 40 ms, normalised to length 1.
  private func melody(_ clip: PCMClip, _ pitches: [Wave]) -> [Double] {
    let strengths = stride(from: 0, to: clip.count - Self.step + 1, by: Self.step).flatMap { from in
      pitches.map { pitch -> Double in
        var (sine, cosine) = (0.0, 0.0)
        var index = 0
        while index < Self.step {
          let sample = Double(clip.samples[from + index])
          sine += sample * pitch.sine[index]
          cosine += sample * pitch.cosine[index]
          index += 1
        }
        // Compressed, like the ear's response to loudness.
        return (sine * sine + cosine * cosine).squareRoot().squareRoot()
      }
    }
    let length = strengths.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return strengths.map { $0 / max(length, .leastNormalMagnitude) }
  }

  @Test(arguments: TonePack.allCases, [120.0, 190.0, 235.0])
  func aBoundaryIsToldFromTheOthersUnderANumber(_ pack: TonePack, _ pitch: Double) {
    let word = word(pitch: pitch)
    let sounds = Self.boundaries.map { meaning in
      let clip = pack[meaning].clip(rate: Self.rate)
      return (meaning: meaning, clip: clip.scaled(by: Loudness.gain(of: clip)))
    }
    let pitches = Set(sounds.flatMap { pack[$0.meaning].notes.map(\.frequency) }).sorted()
      .map(Wave.init)
    let known = sounds.map { melody(mixed($0.clip, word, isWordHeard: false), pitches) }
    for (index, sound) in sounds.enumerated() {
      let heard = melody(mixed(sound.clip, word, isWordHeard: true), pitches)
      let likeness = known.map { zip($0, heard).reduce(0) { $0 + $1.0 * $1.1 } }
      let likest = likeness.indices.max { likeness[$0] < likeness[$1] }
      #expect(likest == index, "\(sound.meaning) is taken for another: \(likeness)")
    }
  }
}

/// White noise, the same each time.
private struct WhiteNoise {
  private var state: UInt64 = 1

  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 40) / Double(1 << 23) - 1
  }
}
