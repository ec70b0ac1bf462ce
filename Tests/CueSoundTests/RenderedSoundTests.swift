import Testing

@testable import CueSound

/// What is known of the rendered sound, on a clock that begins with frame 0 at 1 s.
struct RenderedSoundTests {
  private static let click = PCMClip(rate: 48_000, samples: Array(repeating: 8_000, count: 480))
  private let link = MixerLink(voices: 8)
  private let begin: BootInstant = 1_000_000_000

  private func sound(latency: Duration = .zero, tap: Ring<Int16>? = nil) -> RenderedSound {
    RenderedSound(
      Mixer(link: link, rate: 48_000), rate: 48_000, latency: latency, tap: tap, at: begin)
  }

  private func play(_ id: UInt64, due: BootInstant) {
    let voice = Voice(
      id: id, lane: 0, due: due, samples: Self.click.memory.baseAddress!, count: Self.click.count,
      gain: 1)
    #expect(link.commands.push(.play(voice)))
  }

  private func reports() -> [MixerReport] {
    var reports: [MixerReport] = []
    while let report = link.reports.pop() { reports.append(report) }
    return reports
  }

  /// Renders frames and gives the device all of them but `pending`.
  private func queue(_ count: Int, pending: Int = 0, in sound: inout RenderedSound) {
    let block = UnsafeMutablePointer<Int16>.allocate(capacity: RenderedSound.maxBlock)
    defer { block.deallocate() }
    for _ in 0..<count / RenderedSound.maxBlock {
      sound.render(into: block, count: RenderedSound.maxBlock)
      sound.offer(RenderedSound.maxBlock)
      sound.took(RenderedSound.maxBlock)
    }
    guard pending > 0 else { return }
    sound.render(into: block, count: RenderedSound.maxBlock)
    sound.offer(RenderedSound.maxBlock)
    sound.took(RenderedSound.maxBlock - pending)
  }

  @Test func whatTheDeviceHasNotTakenIsPendingUntilItIsDropped() {
    var sound = sound()
    queue(960, pending: 100, in: &sound)
    #expect(sound.next == 1_440 && sound.written == 1_340)
    #expect(sound.pending == 100 && sound.pendingStart == 380)
    sound.dropPending()
    #expect(sound.next == 1_340 && sound.written == 1_340)
  }

  @Test func theListenerHearsAFrameAfterTheLatency() {
    let sound = sound(latency: .milliseconds(200))
    #expect(sound.map.instant(of: 480) == begin + .milliseconds(210))
  }

  @Test func aCommandForWhatIsQueuedMakesItOutOfDate() {
    var sound = sound()
    queue(4_800, in: &sound)
    sound.takeCommands()
    let before = sound.isOutOfDate
    #expect(!before)
    play(1, due: begin + .milliseconds(50))
    sound.takeCommands()
    let after = sound.isOutOfDate
    #expect(after)
  }

  @Test func aCommandForWhatIsStillToBeRenderedDoesNot() {
    var sound = sound()
    queue(4_800, in: &sound)
    play(1, due: begin + .milliseconds(150))
    sound.takeCommands()
    let isOutOfDate = sound.isOutOfDate
    #expect(!isOutOfDate)
  }

  @Test(arguments: [-241, -240, 0, 240, 241] as [Int64])
  func aMapThatMovedByMoreThanFiveMillisecondsMakesWhatIsQueuedOutOfDate(_ frames: Int64) {
    var sound = sound()
    sound.mapHasMoved(from: 480 + Frames(frames), at: begin + .milliseconds(10))
    let isOutOfDate = sound.isOutOfDate
    #expect(isOutOfDate == (abs(frames) > 240))
  }

  @Test(arguments: [true, false])
  func whatIsRenderedForALostDeviceIsMissedAndForNoneUnheard(_ isLost: Bool) {
    var sound = sound()
    play(1, due: begin + .milliseconds(10))
    sound.takeCommands()
    sound.renderSilently(at: begin + .milliseconds(500), isLost: isLost)
    #expect(sound.next == 24_000)
    #expect(reports() == [isLost ? .missed(1) : .unheard(1), .ended(1)])
  }

  @Test func whatPassedDuringALongSleepIsSkipped() {
    var sound = sound()
    play(1, due: begin + .seconds(1))
    play(2, due: begin + .seconds(5) + .milliseconds(100))
    sound.takeCommands()
    sound.renderSilently(at: begin + .seconds(5), isLost: false)
    #expect(sound.next == 240_000)
    sound.renderSilently(at: begin + .seconds(6), isLost: false)
    #expect(reports() == [.missed(1), .ended(1), .unheard(2), .ended(2)])
  }

  @Test func afterAnUnderrunAllThatWasGivenIsHeardAndTheNextFrameIsNow() {
    var sound = sound()
    play(1, due: begin + .milliseconds(10))
    sound.takeCommands()
    queue(4_800, in: &sound)
    let now = begin + .milliseconds(300)
    sound.underrun(at: now)
    #expect(sound.next == 14_400 && sound.written == 14_400)
    let reports = reports()
    #expect(reports.contains { if case .onset(1, _) = $0 { true } else { false } })
    #expect(reports.contains(.xrun(at: now)))
    #expect(!reports.contains(.missed(1)))
  }

  @Test func whatIsWrittenOffIsHeardIfItHasBegunAndWaitsAgainOtherwise() {
    var sound = sound()
    play(1, due: begin + .milliseconds(10))
    play(2, due: begin + .milliseconds(80))
    sound.takeCommands()
    queue(9_600, pending: 480, in: &sound)
    sound.writeOffQueue(at: begin + .milliseconds(50))
    #expect(sound.next == 2_400 && sound.written == 2_400)
    #expect(reports().contains { if case .onset(1, _) = $0 { true } else { false } })
    let waiting = sound.mixer.voiceCount
    #expect(waiting == 1)
  }

  /// What a stopped device still holds was not heard.
  @Test func aStoppedDeviceHasPlayedAllButWhatItHolds() {
    var sound = sound()
    play(1, due: begin + .milliseconds(10))
    play(2, due: begin + .milliseconds(80))
    sound.takeCommands()
    queue(4_800, in: &sound)
    sound.stopped(queued: 2_400)
    let reports = reports()
    #expect(reports.contains { if case .onset(1, _) = $0 { true } else { false } })
    #expect(!reports.contains { if case .onset(2, _) = $0 { true } else { false } })
  }

  @Test func anOpenedDeviceBeginsAfterWhatPassedMeanwhile() {
    var sound = sound()
    let device = PCMDescription(
      buffer: 36_000, period: 480, isServer: false, rewinds: true, isSame: false, drift: 20)
    sound.opened(device, at: begin + .milliseconds(250))
    #expect(sound.next == 12_000)
    #expect(abs(sound.clock.clock.drift - 20) < 0.001)
  }
}
