import Testing

@testable import CueSound

/// A mixer at 1 000 frames a second: the dip takes 5 frames, and 60 to go.
private final class Scene {
  enum Event {
    case speech(at: Int64, count: Int)
    case sound(at: Int64, count: Int)
    /// Both on the same lane as they are.
    case withdrawSpeech
    case withdrawSounds
  }

  private let link = MixerLink(voices: 16)
  private var mixer: Mixer
  private let map = FrameMap(frame: 0, instant: 0, rate: 1000)
  private var clips: [PCMClip] = []

  static let speech: Int16 = 10_000
  static let sound: Int16 = 2_000

  init() { mixer = Mixer(link: link, rate: 1000, fade: 4_000_000) }

  func send(_ event: Event) {
    let isSent =
      switch event {
      case .speech(let frame, let count): play(frame, count, isSpeech: true)
      case .sound(let frame, let count): play(frame, count, isSpeech: false)
      case .withdrawSpeech: link.commands.push(.withdraw(lane: 1))
      case .withdrawSounds: link.commands.push(.withdraw(lane: 0))
      }
    #expect(isSent)
  }

  private func play(_ frame: Int64, _ count: Int, isSpeech: Bool) -> Bool {
    let level = isSpeech ? Self.speech : Self.sound
    let clip = PCMClip(rate: 1000, samples: Array(repeating: level, count: count))
    clips.append(clip)
    return link.commands.push(
      .play(
        Voice(
          id: UInt64(clips.count), lane: isSpeech ? 1 : 0,
          due: BootInstant(nanoseconds: frame * 1_000_000),
          samples: clip.memory.baseAddress!, count: clip.count, gain: 1, isSpeech: isSpeech)))
  }

  /// - Parameter unheard: how many of the frames are still queued in the device.
  func render(_ count: Int, unheard: Int = 0) -> [Int16] {
    var block = [Int16](repeating: -1, count: count)
    mixer.takeCommands(map: map)
    mixer.render(into: &block, count: count, map: map)
    mixer.heard(upTo: mixer.frame - Frames(unheard), map: map, by: .heard)
    while link.reports.pop() != nil {}
    return block
  }

  func stepBack(to frame: Frames) { mixer.stepBack(to: frame) }
}

struct SpeechDipTests {
  private let scene = Scene()

  /// The speech in the mix, with the sounds subtracted.
  private func speech(_ sound: [Int16], under sounds: [Range<Int>]) -> [Int] {
    sound.enumerated().map { frame, sample in
      Int(sample) - sounds.count { $0.contains(frame) } * Int(Scene.sound)
    }
  }

  @Test func speechDipsWithTheFirstFrameOfASoundAndComesBackAfterItsLast() {
    scene.send(.speech(at: 0, count: 200))
    scene.send(.sound(at: 20, count: 30))
    let speech = speech(scene.render(200), under: [20..<50])
    #expect(speech[..<20].allSatisfy { $0 == 10_000 })
    // A fifth of 3 690 less with each frame, until four decibels are gone.
    #expect(speech[20..<26] == [9_262, 8_524, 7_786, 7_048, 6_310, 6_310])
    #expect(speech[25...50].allSatisfy { $0 == 6_310 })
    #expect(zip(speech[50..<110], speech[51...110]).allSatisfy { $0 < $1 })
    #expect(speech[80] == 8_155)
    #expect(speech[110...].allSatisfy { $0 == 10_000 })
  }

  @Test func speechThatBeginsUnderASoundIsDippedFromItsFirstFrame() {
    scene.send(.sound(at: 0, count: 50))
    scene.send(.speech(at: 20, count: 20))
    #expect(speech(scene.render(50), under: [0..<50])[20..<40].allSatisfy { $0 == 6_310 })
  }

  @Test func speechDoesNotDipUnderSpeechNorASoundUnderAnything() {
    scene.send(.speech(at: 0, count: 30))
    scene.send(.speech(at: 10, count: 10))
    #expect(
      scene.render(100)[..<30].elementsEqual((0..<30).map { 10..<20 ~= $0 ? 20_000 : 10_000 }))
    scene.send(.sound(at: 100, count: 10))
    scene.send(.sound(at: 105, count: 5))
    #expect(scene.render(10) == [2, 2, 2, 2, 2, 4, 4, 4, 4, 4].map { $0 * 1_000 })
  }

  @Test func soundsOneAfterTheOtherDipNoDeeperThanOne() {
    scene.send(.speech(at: 0, count: 300))
    for frame in [20, 20, 40, 60] { scene.send(.sound(at: Int64(frame), count: 20)) }
    let speech = speech(scene.render(300), under: [20..<40, 20..<40, 40..<60, 60..<80])
    // Where one follows another it has begun to come back, by four frames of sixty.
    #expect(speech[24...80].allSatisfy { (6_310...6_556).contains($0) })
    #expect(speech[140...].allSatisfy { $0 == 10_000 })
  }

  @Test func aSoundShorterThanTheDipTakesIsFollowedAsFarAsItGoes() {
    scene.send(.speech(at: 0, count: 100))
    scene.send(.sound(at: 10, count: 2))
    let speech = speech(scene.render(100), under: [10..<12])
    #expect(speech[10..<13] == [9_262, 8_524, 8_524])
    #expect(speech[13] > 8_524 && speech[36] == 10_000)
  }

  @Test func aSoundThatIsTakenBackLetsSpeechComeBack() {
    scene.send(.speech(at: 0, count: 200))
    scene.send(.sound(at: 10, count: 100))
    _ = scene.render(30)
    scene.send(.withdrawSounds)
    let rest = scene.render(100)
    // Four frames of fade, then the way up.
    #expect(rest[4] == 6_310 && rest[34] == 8_155 && rest[64] == 10_000)
  }

  @Test func whatIsRenderedAnewDipsTheSame() {
    scene.send(.speech(at: 0, count: 200))
    scene.send(.sound(at: 10, count: 20))
    let first = scene.render(60, unheard: 55)
    scene.stepBack(to: 7)
    #expect(scene.render(53, unheard: 20).elementsEqual(first[7...]))
    scene.stepBack(to: 40)
    #expect(scene.render(20).elementsEqual(first[40...]))
  }

  // Block lengths, repeated until the end; events are sent at their frames.
  @Test(arguments: [[1], [2, 3], [7], [13, 1], [64], [100, 5], [400], [1_500]])
  func blocksMakeNoDifference(_ lengths: [Int]) {
    let events: [(frame: Int, event: Scene.Event)] = [
      (0, .speech(at: 5, count: 300)), (0, .sound(at: 40, count: 25)),
      (0, .sound(at: 62, count: 3)), (0, .sound(at: 120, count: 400)),
      (150, .withdrawSounds), (152, .sound(at: 180, count: 10)),
      (200, .speech(at: 330, count: 200)), (360, .withdrawSpeech),
      (370, .speech(at: 380, count: 1_000)), (370, .sound(at: 1_020, count: 10)),
    ]
    let whole = play(events, blocks: [2_000])
    #expect(play(events, blocks: lengths) == whole)
    #expect(Set(whole).count > 60)
  }

  private func play(_ events: [(frame: Int, event: Scene.Event)], blocks: [Int]) -> [Int16] {
    let scene = Scene()
    var sound: [Int16] = []
    var sent = 0
    var turn = 0
    while sound.count < 1_500 {
      while sent < events.count, events[sent].frame == sound.count {
        scene.send(events[sent].event)
        sent += 1
      }
      // A block ends where something is sent.
      let next = sent < events.count ? events[sent].frame : 1_500
      sound += scene.render(min(blocks[turn % blocks.count], next - sound.count))
      turn += 1
    }
    return sound
  }

  @Test func cuesThatCoincideNeverClip() {
    for count in 1...12 {
      let link = MixerLink(voices: 16)
      var mixer = Mixer(link: link)
      let map = FrameMap(frame: 0, instant: 0, rate: 48_000)
      // As loud as a clip may be, all at once.
      let clip = PCMClip(
        rate: 48_000, samples: (0..<4_800).map { Int16(29_490 * Sine.of(turns: Double($0) / 50)) })
      for id in 0..<count {
        let isSent = link.commands.push(
          .play(
            Voice(
              id: UInt64(id), lane: 0, due: 0, samples: clip.memory.baseAddress!,
              count: clip.count, gain: 1, isSpeech: id % 2 == 1)))
        #expect(isSent)
      }
      var block = [Int16](repeating: 0, count: 4_800)
      mixer.takeCommands(map: map)
      mixer.render(into: &block, count: block.count, map: map)
      withExtendedLifetime(clip) {}
      #expect(block.allSatisfy { abs(Int($0)) < 32_767 })
      // Limited smoothly, not clipped: a peak is a single frame, and its neighbours are lower.
      let top = block.indices.max { block[$0] < block[$1] } ?? 0
      #expect(block[top] > block[top - 6] && block[top] > block[top + 6])
    }
  }
}
