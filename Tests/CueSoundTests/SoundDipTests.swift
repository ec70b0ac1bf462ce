import Testing

@testable import CueSound

/// A mixer at 1 000 frames a second: a sound keeps its first 50 frames, dips within 20, and takes
/// 60 to come back.
private final class Scene {
  private let link = MixerLink(voices: 16)
  private var mixer: Mixer
  private let map = FrameMap(frame: 0, instant: 0, rate: 1000)
  private var clips: [PCMClip] = []

  static let sound: Int16 = 10_000
  static let word: Int16 = 500

  init() { mixer = Mixer(link: link, rate: 1000, fade: 4_000_000) }

  func sound(at frame: Int64, count: Int, level: Int16 = Scene.sound) {
    play(frame, Array(repeating: level, count: count), lane: 0)
  }

  func number(at frame: Int64, count: Int, lane: Int32 = 1, gain: Float = 1) {
    play(
      frame, Array(repeating: Self.word, count: count), lane: lane, gain: gain, isSpeech: true,
      isTimed: true)
  }

  func words(at frame: Int64, count: Int) {
    play(frame, Array(repeating: Self.word, count: count), lane: 1, isSpeech: true)
  }

  func play(
    _ frame: Int64, _ samples: [Int16], lane: Int32, gain: Float = 1, isSpeech: Bool = false,
    isTimed: Bool = false
  ) {
    let clip = PCMClip(rate: 1000, samples: samples)
    clips.append(clip)
    let isSent = link.commands.push(
      .play(
        Voice(
          id: UInt64(clips.count), lane: lane, due: BootInstant(nanoseconds: frame * 1_000_000),
          samples: clip.memory.baseAddress!, count: clip.count, gain: gain, isSpeech: isSpeech,
          isTimed: isTimed)))
    #expect(isSent)
  }

  func withdraw(lane: Int32) {
    let isSent = link.commands.push(.withdraw(lane: lane))
    #expect(isSent)
  }

  /// - Parameter unheard: how many of the frames are still queued in the device.
  func render(_ count: Int, unheard: Int = 0) -> [Int] {
    var block = [Int16](repeating: -1, count: count)
    mixer.takeCommands(map: map)
    mixer.render(into: &block, count: count, map: map)
    mixer.heard(upTo: mixer.frame - Frames(unheard), map: map, by: .heard)
    while link.reports.pop() != nil {}
    return block.map(Int.init)
  }

  func stepBack(to frame: Frames) { mixer.stepBack(to: frame) }
}

struct SoundDipTests {
  private let scene = Scene()
  private static let dipped = 1_585

  /// The sound in the mix, with the numbers subtracted.
  private func sound(_ mixed: [Int], under numbers: [Range<Int>]) -> [Int] {
    mixed.enumerated().map { frame, sample in
      sample - numbers.count { $0.contains(frame) } * Int(Scene.word)
    }
  }

  @Test func aSoundKeepsItsBeginningAndMakesRoomForTheNumberThatBeginsWithIt() {
    scene.sound(at: 10, count: 700)
    scene.number(at: 10, count: 300)
    let sound = sound(scene.render(800), under: [10..<310])
    #expect(sound[..<10].allSatisfy { $0 == 0 })
    #expect(sound[10..<60].allSatisfy { $0 == 10_000 })
    // A twentieth of the way down with each frame, until 16 decibels are gone.
    #expect(sound[60..<64] == [9_579, 9_158, 8_738, 8_317])
    #expect(sound[79..<310].allSatisfy { $0 == Self.dipped })
    // And up again within 60.
    #expect(zip(sound[310..<370], sound[311...370]).allSatisfy { $0 < $1 })
    #expect(sound[340] == 5_792)
    #expect(sound[370..<710].allSatisfy { $0 == 10_000 })
    #expect(sound[710...].allSatisfy { $0 == 0 })
  }

  @Test func aNumberIsAsLoudUnderASoundAsWithoutOne() {
    scene.sound(at: 0, count: 400, level: 0)
    scene.number(at: 0, count: 300)
    scene.number(at: 350, count: 20)
    let mixed = scene.render(400)
    #expect(mixed[..<300].allSatisfy { $0 == Int(Scene.word) })
    #expect(mixed[350..<370].allSatisfy { $0 == Int(Scene.word) })
  }

  @Test func withoutANumberNothingDips() {
    let alone = Scene()
    alone.sound(at: 5, count: 200)
    #expect(alone.render(300)[5..<205].allSatisfy { $0 == 10_000 })
    // Other words dip themselves.
    scene.sound(at: 5, count: 200)
    scene.words(at: 5, count: 200)
    #expect(scene.render(300)[10..<205].allSatisfy { $0 == 10_315 || $0 == 10_316 })
    // A muted one causes no dip.
    let mute = Scene()
    mute.sound(at: 5, count: 200)
    mute.number(at: 5, count: 200, gain: 0)
    #expect(mute.render(300)[5..<205].allSatisfy { $0 == 10_000 })
  }

  @Test func aNumberThatBeganBeforeTheSoundLeavesItItsBeginning() {
    scene.number(at: 0, count: 300)
    scene.sound(at: 100, count: 400)
    let sound = sound(scene.render(500), under: [0..<300])
    #expect(sound[100..<150].allSatisfy { $0 == 10_000 })
    #expect(sound[150] == 9_579 && sound[169] == Self.dipped && sound[299] == Self.dipped)
    #expect(sound[360..<500].allSatisfy { $0 == 10_000 })
  }

  @Test func aNumberThatBeginsInTheMiddleOfASoundDipsItFromThere() {
    scene.sound(at: 0, count: 500)
    scene.number(at: 200, count: 100)
    let sound = sound(scene.render(500), under: [200..<300])
    #expect(sound[..<200].allSatisfy { $0 == 10_000 })
    #expect(sound[200] == 9_579 && sound[219] == Self.dipped)
    #expect(zip(sound[200..<219], sound[201...219]).allSatisfy { $0 > $1 })
  }

  @Test func aNumberOfOneLaneDipsTheSoundOfAnother() {
    scene.sound(at: 0, count: 600)
    scene.number(at: 0, count: 200, lane: 1)
    scene.number(at: 150, count: 200, lane: 2)
    let sound = sound(scene.render(600), under: [0..<200, 150..<350])
    // Two numbers dip it no deeper than one, and it recovers after the later one.
    #expect(sound[70..<350].allSatisfy { $0 == Self.dipped })
    #expect(sound[380] == 5_792 && sound[410] == 10_000)
  }

  @Test func aNumberThatIsWithdrawnLetsTheSoundComeBackSmoothly() {
    scene.sound(at: 0, count: 600)
    scene.number(at: 0, count: 400)
    _ = scene.render(200)
    scene.withdraw(lane: 1)
    let rest = scene.render(200)
    // The number fades within four frames, then the sound rises in 60.
    #expect([rest[4], rest[34], rest[64]] == [Self.dipped, 5_792, 10_000])
    #expect(zip(rest[4..<64], rest[5...64]).allSatisfy { $1 > $0 && $1 - $0 < 150 })
  }

  @Test func aNumberThatIsTakenBackBeforeItBeganLeavesTheSoundAsItIs() {
    scene.sound(at: 0, count: 600)
    scene.number(at: 100, count: 400)
    let first = scene.render(150, unheard: 150)
    #expect(first[149] < 10_000)
    scene.withdraw(lane: 1)
    scene.stepBack(to: 0)
    #expect(scene.render(600).allSatisfy { $0 == 10_000 })
  }

  @Test func whatIsRenderedAnewDipsTheSame() {
    scene.number(at: 10, count: 100)
    scene.sound(at: 10, count: 300)
    let first = scene.render(200, unheard: 195)
    scene.stepBack(to: 7)
    #expect(scene.render(193, unheard: 80).elementsEqual(first[7...]))
    scene.stepBack(to: 130)
    #expect(scene.render(70).elementsEqual(first[130...]))
  }

  @Test(arguments: [1, 3, 7, 64, 100, 333]) func blocksMakeNoDifference(_ size: Int) {
    func play(_ size: Int) -> [Int] {
      let scene = Scene()
      scene.sound(at: 20, count: 500)
      scene.number(at: 20, count: 130)
      scene.sound(at: 90, count: 100)
      scene.number(at: 300, count: 10, lane: 2)
      scene.words(at: 340, count: 300)
      var mixed: [Int] = []
      while mixed.count < 700 { mixed += scene.render(min(size, 700 - mixed.count)) }
      return mixed
    }
    let whole = play(700)
    #expect(play(size) == whole)
    #expect(Set(whole).count > 60)
  }
}
