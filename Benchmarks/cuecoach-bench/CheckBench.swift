import CueEngine
import CueSound
import IntervalTimeline

/// A coach with any number of lanes under a clock of its own, to measure what a check costs.
struct CheckBench: ~Copyable {
  private var coach: Coach
  private var mixer: Mixer
  private let map = FrameMap(frame: 0, nanoseconds: 0, rate: 48_000)
  private var now = BootInstant(nanoseconds: 0)
  private let block: UnsafeMutableBufferPointer<Int16>

  /// Lanes that start 37 ms apart, so that their cues are spread as those of strangers are.
  init(_ timeline: Timeline, lanes: Int, speech: SpeechLibrary?) {
    let link = MixerLink(voices: max(512, lanes * 12))
    coach = Coach(
      link: link, sounds: SoundPack(), speech: speech, settings: .init(), write: { _ in },
      tell: { _ in })
    mixer = Mixer(link: link)
    block = .allocate(capacity: 24_000)
    let ids = (0..<lanes).compactMap {
      try? coach.addLane("\($0)", timeline: timeline, manner: LaneManner())
    }
    for (lane, id) in ids.enumerated() {
      coach.handle(
        .start, lane: id, at: BootInstant(nanoseconds: Int64(lane % 1_600) * 37_000_000))
    }
  }

  deinit { block.deallocate() }

  /// Half a second passes; how long the check that follows takes.
  mutating func check() -> Duration {
    mixer.takeCommands(map: map)
    mixer.render(into: block.baseAddress!, count: block.count, map: map)
    mixer.heard(upTo: mixer.frame, map: map, by: .heard)
    now = BootInstant(nanoseconds: map.nanoseconds(of: mixer.frame))
    let begin = ContinuousClock.now
    coach.check(at: now)
    return ContinuousClock.now - begin
  }
}
