import Testing

@testable import CueSound

/// A mixer at 1 000 frames a second, so that a frame is a millisecond.
private final class Bench {
  let link = MixerLink(voices: 8)
  var mixer: Mixer
  let map = FrameMap(frame: 0, instant: 0, rate: 1000)
  var clips: [PCMClip] = []
  var reports: [MixerReport] {
    var all: [MixerReport] = []
    while let report = link.reports.pop() { all.append(report) }
    return all
  }

  init(late: Duration = 100_000_000) {
    mixer = Mixer(link: link, rate: 1000, late: late, fade: 4_000_000)
  }

  func play(
    _ id: UInt64, at frame: Int64, _ samples: [Int16], lane: Int32 = 0, gain: Float = 1,
    isTimed: Bool = false
  ) {
    let clip = PCMClip(rate: 1000, samples: samples)
    clips.append(clip)
    let voice = Voice(
      id: id, lane: lane, due: BootInstant(nanoseconds: frame * 1_000_000),
      samples: clip.memory.baseAddress!,
      count: clip.count, gain: gain, isTimed: isTimed)
    #expect(link.commands.push(.play(voice)))
  }

  func render(_ count: Int, by audience: Mixer.Audience = .heard) -> [Int16] {
    var block = [Int16](repeating: -1, count: count)
    mixer.takeCommands(map: map)
    block.withUnsafeMutableBufferPointer {
      mixer.render(into: $0.baseAddress!, count: count, map: map)
    }
    let end = mixer.frame
    mixer.heard(upTo: end, map: map, by: audience)
    return block
  }
}

extension Bench {
  func isSilent(for count: Int) -> Bool { mixer.isSilent(for: count, map: map) }

  /// Renders what the device has queued and not played.
  func renderUnheard(_ count: Int) -> [Int16] {
    var block = [Int16](repeating: -1, count: count)
    mixer.takeCommands(map: map)
    mixer.render(into: &block, count: count, map: map)
    return block
  }
}

struct MixerTests {
  private let bench = Bench()

  @Test func aVoiceBeginsOnTheFrameOfItsInstant() {
    bench.play(1, at: 3, [10, 20, 30])
    #expect(bench.render(8) == [0, 0, 0, 10, 20, 30, 0, 0])
    #expect(bench.reports == [.onset(1, at: 3_000_000), .ended(1)])
  }

  @Test(arguments: [1, 2, 3, 5, 8]) func blocksMakeNoDifference(_ size: Int) {
    bench.play(1, at: 2, [1, 2, 3, 4, 5])
    bench.play(2, at: 4, [100, 100])
    var sound: [Int16] = []
    while sound.count < 8 { sound += bench.render(size) }
    #expect(sound.prefix(8) == [0, 0, 1, 2, 103, 104, 5, 0])
  }

  @Test func voicesAtTheSameInstantAreAddedAndNeitherIsLost() {
    bench.play(1, at: 1, [100, 100])
    bench.play(2, at: 1, [11, 11, 11])
    #expect(bench.render(5) == [0, 111, 111, 11, 0])
  }

  @Test func itIsSilentUntilAVoiceBeginsAndOnceItHasEnded() {
    bench.play(1, at: 5, [10, 20])
    bench.mixer.takeCommands(map: bench.map)
    #expect(bench.isSilent(for: 5))
    #expect(!bench.isSilent(for: 6))
    bench.mixer.skip(to: 5)
    #expect(bench.render(1) == [10])
    #expect(!bench.isSilent(for: 1))
    #expect(bench.render(1) == [20])
    #expect(bench.isSilent(for: 1))
    #expect(bench.reports == [.onset(1, at: 5_000_000), .ended(1)])
  }

  /// The thread that renders reports it as missed.
  @Test func aVoiceWhoseTimeHasPassedIsNoSilence() {
    let bench = Bench(late: 10_000_000)
    bench.mixer.skip(to: 100)
    bench.play(1, at: 5, [10])
    bench.mixer.takeCommands(map: bench.map)
    #expect(!bench.isSilent(for: 10))
  }

  @Test func gainsScaleAVoiceAndTheWhole() {
    bench.mixer.gain = 0.5
    bench.play(1, at: 0, [1000, -1000], gain: 0.5)
    #expect(bench.render(2) == [250, -250])
  }

  @Test func whatIsLoudIsBentAndNeverClips() {
    for id in 1...4 { bench.play(UInt64(id), at: 0, [32_767, -32_768, 8_000]) }
    let sound = bench.render(3)
    #expect(sound[0] < 32_767 && sound[0] > 24_576)
    #expect(sound[1] > -32_768 && sound[1] < -24_576)
    #expect(sound[2] == SoftLimit.limited(32_000))
  }

  @Test func theLimiterLeavesWhatIsNotLoudAsItIsAndKeepsTheOrder() {
    var last: Int16 = 0
    for level in stride(from: Float(0), through: 200_000, by: 16) {
      let limited = SoftLimit.limited(level)
      #expect(limited >= last)
      if level <= 24_576 { #expect(limited == Int16(level)) }
      last = limited
    }
  }

  @Test func theLimiterTakesEachSampleByItself() {
    // Halves and loud samples, at each place of a group of eight.
    let levels = (0..<400).map { Float($0 * 7919 % 130_001) / 2 - 32_500 }
    for count in 0...40 {
      for begin in 0..<9 {
        let sum = levels[(begin * 40)..<(begin * 40 + count)].map { $0 }
        var target = [Int16](repeating: 99, count: count + 1)
        SoftLimit.write(sum, by: 0.75, to: &target, count: count)
        #expect(target == sum.map { SoftLimit.limited($0 * 0.75) } + [99])
      }
    }
    #expect([0.5, 1.5, -0.5, -1.5, -2.5].map(SoftLimit.limited) == [1, 2, -1, -2, -3])
  }

  @Test func aVoiceALittleLatePlaysWholeAtOnce() {
    _ = bench.render(50)
    bench.play(1, at: 20, [7, 8])
    #expect(bench.render(4) == [7, 8, 0, 0])
    #expect(bench.reports == [.onset(1, at: 50_000_000), .ended(1)])
  }

  @Test func aTimedVoiceIsOnItsInstantOrMissed() {
    _ = bench.render(50)
    bench.play(1, at: 48, [7], isTimed: true)
    bench.play(2, at: 47, [50], isTimed: true)
    #expect(bench.render(2) == [7, 0])
    #expect(Set(bench.reports.prefix(2)) == [.missed(2), .ended(2)])
  }

  @Test func aVoiceTooLateIsMissed() {
    _ = bench.render(500)
    bench.play(1, at: 20, [7, 8])
    #expect(bench.render(4) == [0, 0, 0, 0])
    #expect(bench.reports == [.missed(1), .ended(1)])
  }

  @Test func withdrawingTakesBackWhatWaitsAndFadesWhatSounds() {
    bench.play(1, at: 0, Array(repeating: 1000, count: 100))
    bench.play(2, at: 50, Array(repeating: 1000, count: 10))
    bench.play(3, at: 6, [5], lane: 1)
    _ = bench.render(2)
    _ = bench.reports
    #expect(bench.link.commands.push(.withdraw(lane: 0)))
    #expect(bench.render(6) == [1000, 750, 500, 250, 5, 0])
    #expect(
      bench.reports == [
        .withdrawn(2), .ended(2), .cut(1), .ended(1), .onset(3, at: 6_000_000), .ended(3),
      ])
    #expect(bench.render(60) == Array(repeating: 0, count: 60))
  }

  @Test func aClockThatDriftsPlacesEveryVoiceAnewAndAnchorsIt() {
    bench.play(1, at: 10, [9])
    bench.mixer.takeCommands(map: bench.map)
    var block = [Int16](repeating: 0, count: 20)
    // The card is 10 % fast, so the frame of that instant is the eleventh.
    let fast = FrameMap(frame: 0, instant: 0, rate: 1100)
    bench.mixer.render(into: &block, count: 20, map: fast)
    #expect(block.firstIndex(of: 9) == 11)
  }

  @Test(arguments: [
    (Mixer.Audience.heard, MixerReport.onset(1, at: 1_000_000)), (.silent, .unheard(1)),
    (.lost, .missed(1)),
  ])
  func theReportSaysWhoListened(_ audience: Mixer.Audience, _ report: MixerReport) {
    bench.play(1, at: 1, [1])
    _ = bench.render(4, by: audience)
    #expect(bench.reports == [report, .ended(1)])
  }

  @Test func anOnsetIsReportedOnlyOnceItHasBeenHeard() {
    bench.play(1, at: 5, [1])
    bench.mixer.takeCommands(map: bench.map)
    var block = [Int16](repeating: 0, count: 10)
    bench.mixer.render(into: &block, count: 10, map: bench.map)
    bench.mixer.heard(upTo: 5, map: bench.map, by: .heard)
    #expect(bench.reports.isEmpty)
    bench.mixer.heard(upTo: 6, map: bench.map, by: .heard)
    #expect(bench.reports == [.onset(1, at: 5_000_000), .ended(1)])
  }

  @Test func aVoiceEndsWithItsLastSampleHeardAndNotRendered() {
    bench.play(1, at: 0, [1, 2, 3, 4])
    bench.mixer.takeCommands(map: bench.map)
    var block = [Int16](repeating: 0, count: 10)
    bench.mixer.render(into: &block, count: 10, map: bench.map)
    bench.mixer.heard(upTo: 3, map: bench.map, by: .heard)
    #expect(bench.reports == [.onset(1, at: 0)])
    bench.mixer.heard(upTo: 4, map: bench.map, by: .heard)
    #expect(bench.reports == [.ended(1)])
  }

  @Test func moreVoicesThanThereIsRoomForAreMissedAndNotForgotten() {
    for id in 1...8 { bench.play(UInt64(id), at: 100, [1]) }
    bench.mixer.takeCommands(map: bench.map)
    bench.play(9, at: 100, [1])
    bench.mixer.takeCommands(map: bench.map)
    #expect(bench.reports == [.missed(9), .ended(9)])
    #expect(bench.mixer.voiceCount == 8)
  }

  @Test func aCommandThatComesTooLateForWhatIsRenderedSaysSo() {
    bench.play(1, at: 5, [1])
    let isEarly = bench.mixer.takeCommands(map: bench.map)
    #expect(!isEarly)
    _ = bench.render(10)
    #expect(bench.link.commands.push(.withdraw(lane: 0)))
    let isNothing = bench.mixer.takeCommands(map: bench.map)
    #expect(!isNothing)
    bench.play(2, at: 9, [1])
    let isLate = bench.mixer.takeCommands(map: bench.map)
    #expect(isLate)
  }

  @Test func aWithdrawalComesTooLateOnlyForWhatSounds() {
    bench.play(1, at: 0, [1, 2, 3, 4, 5, 6, 7, 8], lane: 0)
    bench.play(2, at: 50, [1], lane: 1)
    _ = bench.renderUnheard(2)
    #expect(bench.link.commands.push(.withdraw(lane: 1)))
    let isNothing = bench.mixer.takeCommands(map: bench.map)
    #expect(!isNothing)
    #expect(bench.link.commands.push(.withdraw(lane: 0)))
    let isLate = bench.mixer.takeCommands(map: bench.map)
    #expect(isLate)
  }

  @Test func whatIsWithdrawnIsRenderedAnew() {
    bench.play(1, at: 2, [10, 20, 30, 40, 50, 60])
    #expect(bench.renderUnheard(8) == [0, 0, 10, 20, 30, 40, 50, 60])
    bench.mixer.stepBack(to: 4)
    #expect(bench.renderUnheard(4) == [30, 40, 50, 60])
    bench.mixer.stepBack(to: 1)
    #expect(bench.renderUnheard(4) == [0, 10, 20, 30])
    #expect(bench.reports.isEmpty)
  }

  @Test func aVoiceThatIsWithdrawnBeforeItBeganIsWithdrawnAndNotCut() {
    bench.play(1, at: 4, [1000, 1000])
    _ = bench.renderUnheard(8)
    #expect(bench.link.commands.push(.withdraw(lane: 0)))
    bench.mixer.takeCommands(map: bench.map)
    bench.mixer.stepBack(to: 3)
    #expect(bench.renderUnheard(5) == [0, 0, 0, 0, 0])
    #expect(bench.reports == [.withdrawn(1), .ended(1)])
  }

  @Test func aVoiceThatIsWithdrawnWhileItSoundsFadesFromThere() {
    bench.play(1, at: 1, Array(repeating: 1000, count: 20))
    _ = bench.renderUnheard(12)
    #expect(bench.link.commands.push(.withdraw(lane: 0)))
    bench.mixer.takeCommands(map: bench.map)
    bench.mixer.stepBack(to: 5)
    #expect(bench.renderUnheard(6) == [1000, 750, 500, 250, 0, 0])
    bench.mixer.heard(upTo: 11, map: bench.map, by: .heard)
    #expect(bench.reports == [.onset(1, at: 1_000_000), .cut(1), .ended(1)])
  }

  @Test func whatSoundsIsOverWithItsDeviceAndWhatWaitsIsNot() {
    bench.play(1, at: 1, Array(repeating: 1000, count: 20))
    bench.play(2, at: 6, [1])
    bench.play(3, at: 15, [7])
    _ = bench.renderUnheard(10)
    bench.mixer.heard(upTo: 4, map: bench.map, by: .heard)
    bench.mixer.breakOff()
    #expect(
      bench.reports == [
        .onset(1, at: 1_000_000), .missed(1), .ended(1), .missed(2), .ended(2),
      ])
    #expect(bench.renderUnheard(8) == [0, 0, 0, 0, 0, 7, 0, 0])
  }

  @Test func aVoiceThatComesLateIsInTimeAfterAStepBack() {
    _ = bench.renderUnheard(20)
    bench.play(1, at: 7, [5])
    let isLate = bench.mixer.takeCommands(map: bench.map)
    #expect(isLate)
    bench.mixer.stepBack(to: 6)
    #expect(bench.renderUnheard(4) == [0, 5, 0, 0])
  }

  // MARK: On the frame, and beside it

  @Test func aVoiceOnTheNextFrameIsNotLate() {
    _ = bench.renderUnheard(10)
    bench.play(1, at: 10, [5])
    let isLate = bench.mixer.takeCommands(map: bench.map)
    #expect(!isLate)
    #expect(bench.renderUnheard(2) == [5, 0])
  }

  @Test func aVoiceBehindTheBlockIsStillPlacedAnew() {
    bench.play(1, at: 8, [9])
    _ = bench.renderUnheard(8)
    var block = [Int16](repeating: 0, count: 8)
    // A quarter fast: the frame of that instant is the tenth.
    let fast = FrameMap(frame: 0, instant: 0, rate: 1250)
    bench.mixer.render(into: &block, count: 8, map: fast)
    #expect(block == [0, 0, 9, 0, 0, 0, 0, 0])
  }

  @Test func oneVoiceIsWithdrawnByItsID() {
    bench.play(1, at: 5, [1000])
    bench.play(2, at: 6, [7])
    #expect(bench.link.commands.push(.withdrawVoice(id: 1)))
    #expect(bench.render(8) == [0, 0, 0, 0, 0, 0, 7, 0])
    #expect(
      bench.reports == [.withdrawn(1), .ended(1), .onset(2, at: 6_000_000), .ended(2)])
  }

  @Test func whatFadesIsNotLongerForBeingWithdrawnAgain() {
    bench.play(1, at: 0, Array(repeating: 1000, count: 100))
    _ = bench.render(1)
    #expect(bench.link.commands.push(.withdraw(lane: 0)))
    #expect(bench.render(2) == [1000, 750])
    #expect(bench.link.commands.push(.withdraw(lane: 0)))
    #expect(bench.render(3) == [500, 250, 0])
  }

  @Test func aVoiceThatIsWithdrawnOnItsFirstFrameHasNotBegun() {
    bench.play(1, at: 4, [1000, 1000])
    _ = bench.renderUnheard(8)
    #expect(bench.link.commands.push(.withdraw(lane: 0)))
    bench.mixer.takeCommands(map: bench.map)
    bench.mixer.stepBack(to: 4)
    #expect(bench.renderUnheard(4) == [0, 0, 0, 0])
    #expect(bench.reports == [.withdrawn(1), .ended(1)])
  }

  @Test func framesThatWerePassedOverDoNotComeAgain() {
    _ = bench.renderUnheard(10)
    bench.mixer.skip(to: 5)
    #expect(bench.mixer.frame == 10)
    bench.mixer.skip(to: 12)
    #expect(bench.mixer.frame == 12)
  }

  @Test func whatIsAbandonedIsCutOrWithdrawn() {
    bench.play(1, at: 0, Array(repeating: 1000, count: 100))
    bench.play(2, at: 50, [7])
    _ = bench.render(10)
    _ = bench.reports
    bench.play(3, at: 60, [7])
    bench.mixer.abandon()
    #expect(
      bench.reports == [
        .cut(1), .ended(1), .withdrawn(3), .ended(3), .withdrawn(2), .ended(2),
      ])
    #expect(bench.mixer.voiceCount == 0)
  }
}
