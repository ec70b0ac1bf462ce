import Testing

@testable import CueSound

/// A mixer at 1 000 frames a second, so that a change of volume takes 20 frames, with one voice that
/// sounds throughout.
private final class SteadyTone {
  let link = MixerLink(voices: 8)
  var mixer: Mixer
  private let map = FrameMap(frame: 0, instant: 0, rate: 1000)
  private let clip = PCMClip(rate: 1000, samples: Array(repeating: 1000, count: 1_000))

  init() {
    mixer = Mixer(link: link, rate: 1000)
    #expect(link.play(clip, id: 1, lane: 0, due: 0, gain: 1))
  }

  func set(_ volume: Float) { #expect(link.commands.push(.volume(volume))) }

  /// Whether what has been rendered should be rendered again.
  func takeCommands() -> Bool { mixer.takeCommands(map: map) }

  func render(_ count: Int) -> [Int16] {
    _ = takeCommands()
    var block = [Int16](repeating: -1, count: count)
    mixer.render(into: &block, count: count, map: map)
    return block
  }
}

struct VolumeTests {
  private let tone = SteadyTone()
  private static let ramp = (0..<20).map { Int16(1000 - 25 * $0) }

  @Test func aChangeTakesTwentyMillisecondsSampleBySample() {
    #expect(tone.render(5) == Array(repeating: 1000, count: 5))
    tone.set(0.5)
    #expect(tone.render(22) == Self.ramp + [500, 500])
    tone.set(1)
    #expect(tone.render(22) == Self.ramp.map { 1500 - $0 } + [1000, 1000])
  }

  @Test func theBlocksItIsCutIntoChangeNothing() {
    tone.set(0.5)
    #expect([3, 1, 9, 9].flatMap(tone.render) == Self.ramp + [500, 500])
  }

  @Test func aNewVolumeContinuesFromWhereTheLastChangeIs() {
    tone.set(0)
    #expect(tone.render(10).last == 550)
    tone.set(1)
    let sound = tone.render(21)
    #expect(sound.first == 500 && sound[10] == 750 && sound.last == 1000)
  }

  @Test func whatIsQueuedIsRenderedAgainFromTheFrameSteppedBackTo() {
    _ = tone.render(300)
    tone.set(0.5)
    #expect(tone.takeCommands())
    tone.mixer.stepBack(to: 100)
    #expect(tone.render(22) == Self.ramp + [500, 500])
    // The same frames again sound the same.
    tone.mixer.stepBack(to: 110)
    #expect(tone.render(12) == Array(Self.ramp[10...]) + [500, 500])
  }

  @Test func whereNothingSoundsNothingIsRenderedAgain() {
    let link = MixerLink(voices: 8)
    var mixer = Mixer(link: link, rate: 1000)
    #expect(link.commands.push(.volume(0.5)))
    let isLate = mixer.takeCommands(map: FrameMap(frame: 0, instant: 0, rate: 1000))
    #expect(!isLate)
  }

  @Test(arguments: [(Float(7), 1000), (-1, 0), (.nan, 0), (.infinity, 1000)])
  func itIsClamped(volume: Float, sample: Int) {
    tone.set(0.5)
    _ = tone.render(20)
    tone.set(volume)
    #expect(tone.render(21).last == Int16(sample))
  }

  @Test func itComesOnTopOfTheOutputsGain() {
    tone.mixer.gain = 0.5
    tone.set(0.5)
    #expect(tone.render(25).last == 250)
  }
}
