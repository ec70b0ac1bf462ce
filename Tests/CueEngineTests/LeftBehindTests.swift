import CueSound
import CueTesting
import IntervalTimeline
import Testing

@testable import CueEngine

/// What an output's thread may still use if it hangs in a driver and everything else has been
/// released.
struct LeftBehindTests {
  /// An output whose thread hangs in its driver until the test continues it. `stop` leaves it
  /// behind, as the contract allows. The test acts as the thread.
  private final class HangingOutput: SoundOutput, @unchecked Sendable {
    // Unchecked: the test calls it from one thread, and an engine only `start`.

    let latency = Duration.zero
    private let map: FrameMap
    /// All that the thread owns.
    private var mixer: Mixer?

    init(origin: BootInstant) {
      map = FrameMap(frame: 0, instant: origin, rate: 48_000)
    }

    func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
      mixer = Mixer(link: link, rate: 48_000)
    }

    func setActivity(_ activity: OutputActivity) {}
    func wake() {}
    func stop() {}

    /// The thread takes its commands and renders `count` frames. Returns the loudest sample.
    func render(_ count: Int) -> Int {
      var block = [Int16](repeating: 0, count: count)
      mixer!.takeCommands(map: map)
      block.withUnsafeMutableBufferPointer { block in
        mixer!.render(into: block.baseAddress!, count: count, map: map)
      }
      return block.map { abs(Int($0)) }.max() ?? 0
    }

    /// The driver has returned, and the thread ends.
    func end() {
      mixer!.abandon()
      mixer = nil
    }
  }

  private final class Clips {
    weak var sound: PCMClip?
    weak var link: MixerLink?
  }

  @Test func clipsLiveUntilTheThreadThatReadsThemHasEnded() throws {
    let clock = ManualClock()
    let output = HangingOutput(origin: clock.now)
    let clips = Clips()
    do {
      let link = MixerLink()
      output.start(link) { _ in }
      let clip = PCMClip(rate: 48_000, samples: Array(repeating: 8_000, count: 48_000))
      clips.sound = clip
      clips.link = link
      #expect(link.play(clip, id: 1, lane: 0, due: clock.now, gain: 1))
      #expect(output.render(100) == 8_000)
      output.stop()
    }
    // The sender is released, and the thread keeps reading.
    #expect(clips.link != nil)
    #expect(clips.sound != nil)
    #expect(output.render(100) == 8_000)
    output.end()
    #expect(clips.sound == nil)
    #expect(clips.link == nil)
  }

  @Test func whatAnEngineHandedOverOutlivesIt() throws {
    let clock = ManualClock()
    let output = HangingOutput(origin: clock.now)
    weak var sound: PCMClip?
    do {
      // Not the shared pack, whose clips would stay alive in any case.
      let own = PCMClip(rate: 48_000, samples: Array(repeating: 8_000, count: 4_800))
      let sounds = SoundPack(replacing: [.lowBegins: own])
      sound = sounds[.lowBegins]
      let engine = CueEngine(
        output: output, sounds: sounds, speech: nil, clock: { clock.now }, sleepClock: { .zero })
      let lane = try engine.addLane("anna", timeline: try Timeline(.sets(1, [(.low, 10)])))
      engine.send(.start)
      // Comes after the command on the check queue.
      _ = engine.status(of: lane)
      _ = output.render(1)
      engine.shutDown()
    }
    #expect(sound != nil)
    #expect(output.render(48_000) > 0)
    output.end()
    #expect(sound == nil)
  }

  @Test func aClipIsReleasedWhenItsEndIsReported() {
    let clock = ManualClock()
    let output = HangingOutput(origin: clock.now)
    let link = MixerLink()
    output.start(link) { _ in }
    weak var sound: PCMClip?
    do {
      let clip = PCMClip(rate: 48_000, samples: [1, 2, 3])
      sound = clip
      #expect(link.play(clip, id: 7, lane: 0, due: .boot, gain: 1))
    }
    // Long past: missed.
    _ = output.render(1)
    #expect(link.nextReport() == .missed(7))
    #expect(sound != nil)
    #expect(link.nextReport() == .ended(7))
    #expect(sound == nil)
    #expect(link.nextReport() == nil)
  }

  @Test func aClipThatFindsNoRoomIsNotKept() {
    let link = MixerLink(voices: 1)
    weak var sound: PCMClip?
    do {
      let clip = PCMClip(rate: 48_000, samples: [1, 2, 3])
      sound = clip
      let other = PCMClip(rate: 48_000, samples: [1])
      #expect(link.play(other, id: 1, lane: 0, due: .boot, gain: 1))
      #expect(!link.play(clip, id: 2, lane: 0, due: .boot, gain: 1))
    }
    #expect(sound == nil)
  }
}
