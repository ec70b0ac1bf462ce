import ALSAOutput
import CueEngine
import CueSound
import Synchronization
import TestSupport
import Testing

/// The adapter through the real libasound, on the emulated card, in real time.
///
/// An actor with a thread for each test: the tests mostly wait, and do so at the same time.
@Suite actor ALSAOutputTests {
  private let executor = OwnThread()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  final class Flag: Sendable {
    let value = Atomic(false)
  }

  private func isOnset(_ report: MixerReport?) -> Bool {
    if case .onset = report { true } else { false }
  }

  @Test func aVoiceIsHeardWholeAndInOrder() throws {
    let card = try Card()
    let player = Player(card)
    #expect(try player.isHeard(1, in: 300))
    player.output.stop()
    let heard = try card.heard()
    let first = try #require(heard.firstIndex { $0 != 0 })
    try #require(heard.count >= first + 480)
    #expect(Array(heard[first..<(first + 480)]) == (1...480).map { Int16($0 * 20) })
    #expect(heard[(first + 480)...].allSatisfy { $0 == 0 })
  }

  @Test func anXrunIsReportedAndTheNextVoiceIsHeard() throws {
    let card = try Card()
    let player = Player(card)
    #expect(try player.isHeard(1, in: 200))
    try card.tell(.xrun)
    #expect(player.report { if case .xrun = $0 { true } else { false } })
    #expect(try player.isHeard(2, in: 500))
    player.output.stop()
    #expect(try card.log().contains("xrun"))
  }

  @Test func aDeviceThatIsUnpluggedIsToldAndComesBackByItself() throws {
    let card = try Card()
    let player = Player(card)
    #expect(try player.isHeard(1, in: 200))
    try card.tell(.unplug)
    #expect(player.event { kind($0) == .gone })
    player.play(2, in: 100)
    #expect(player.fate(of: 2) == .missed(2))
    try card.tell(.run)
    #expect(player.isBack())
    #expect(try player.isHeard(3, in: 200))
    player.output.stop()
  }

  @Test func anotherDeviceIsPlayedOnAtOnceWithoutALoss() throws {
    let (first, second) = (try Card(), try Card())
    let player = Player(first)
    #expect(try player.isHeard(1, in: 200))
    player.output.select(second.device)
    #expect(try player.isHeard(2, in: 500))
    // The same once more changes nothing.
    player.output.select(second.device)
    #expect(try player.isHeard(3, in: 200))
    player.output.stop()
    #expect(try first.log().filter { $0 == "open" }.count == 1)
    #expect(try first.heard().contains { $0 != 0 })
    #expect(try second.log().filter { $0 == "open" }.count == 1)
    #expect(try second.heard().contains { $0 != 0 })
    #expect(player.losses.isEmpty)
  }

  @Test(arguments: [
    (Card.Order.busy, SoundOutputError.Kind.busy), (.denied, .denied), (.unplug, .gone),
  ])
  func aDeviceThatCannotBeOpenedIsTriedUntilItCan(
    _ order: Card.Order, _ expected: SoundOutputError.Kind
  ) throws {
    let card = try Card(order)
    let player = Player(card)
    #expect(player.event { kind($0) == expected })
    try card.tell(.run)
    #expect(player.isBack())
    #expect(try player.isHeard(1, in: 200))
    player.output.stop()
  }

  @Test func aDeviceThatTakesSoundAndPlaysNoneIsGivenUp() throws {
    let card = try Card()
    let player = Player(card)
    #expect(try player.isHeard(1, in: 200))
    try card.tell(.stall)
    player.play(2, in: 300)
    #expect(player.event { kind($0) == .stuck })
    // It accepted the sound and played nothing.
    #expect(player.fate(of: 2) == .missed(2))
    player.output.stop()
  }

  @Test func aDeviceThatNeverPlaysAnythingIsGivenUpAndComesBack() throws {
    let card = try Card(.stall)
    let player = Player(card)
    player.play(1, in: 300)
    #expect(player.event { kind($0) == .stuck })
    #expect(player.fate(of: 1) == .missed(1))
    try card.tell(.run)
    #expect(player.isBack())
    #expect(try player.isHeard(2, in: 300))
    player.output.stop()
  }

  @Test func aDeviceThatDoesNotExistIsGone() throws {
    _ = try Card()
    let player = Player(nil, name: "nosuchdevice")
    #expect(player.event { kind($0) == .gone })
    player.play(1, in: 50)
    #expect(player.fate(of: 1) == .missed(1))
    player.output.stop()
  }

  @Test func whileNothingRunsTheDeviceIsReleasedAndOpenedAgainForTheNextSound() throws {
    let card = try Card()
    let player = Player(card)
    #expect(try player.isHeard(1, in: 200))
    player.output.setActivity(.idle)
    #expect(try player.wait { try card.log().contains("close") })
    #expect(try player.isHeard(2, in: 300))
    player.output.stop()
    #expect(try card.log().filter { $0 == "open" }.count == 2)
  }

  @Test func aDeviceThatIsKeptAliveStaysOpenInAPauseAndPlaysNoiseOfOneStep() throws {
    let card = try Card()
    let player = Player(card, profile: OutputProfile(keepAlive: .dither))
    #expect(try player.isHeard(1, in: 200))
    player.output.setActivity(.paused)
    // Well past the time after which the device would be released.
    let before = try card.heardCount()
    #expect(try player.wait { try card.heardCount() > before + 48_000 * 6 })
    #expect(try !card.log().contains("close"))
    let pause = try card.heard()[before...]
    let kinds: Set<Int16> = [-1, 0, 1]
    #expect(Set(pause) == kinds)
    player.output.stop()
  }

  /// What is heard of a sound that is withdrawn, between two that are not, and whether there was an underrun.
  private func withdrawnSound() throws -> (heard: [Int16], hadUnderrun: Bool) {
    let card = try Card()
    let player = Player(card)
    // A long quiet stretch first, so that the queue is long.
    #expect(try player.isHeard(1, in: 2_500))
    #expect(try player.begins(2, in: 50, Array(repeating: 10_000, count: 20 * 48_000)))
    player.withdraw()
    #expect(player.fate(of: 2) == .cut(2))
    #expect(try player.isHeard(3, in: 100))
    player.output.stop()
    return (try card.heard().filter { $0 != 0 }, try card.log().contains("xrun"))
  }

  @Test func aCommandReachesWhatIsQueuedAndFadesIt() throws {
    // Where a busy machine lets the card run dry, a sound ends without a fade.
    var (loud, hadUnderrun) = try withdrawnSound()
    var tries = 1
    while hadUnderrun, tries < 8 {
      (loud, hadUnderrun) = try withdrawnSound()
      tries += 1
    }
    try RealTimeRuns.note(tries, of: #function)
    let ramp = (1...480).map { Int16($0 * 20) }
    // The fade of 4 ms goes down evenly to zero, and what follows is complete.
    #expect(Array(loud.prefix(480)) == ramp)
    #expect(Array(loud.suffix(480)) == ramp)
    let faded = loud.dropFirst(480).dropLast(480).drop { $0 == 10_000 }
    #expect(faded.count < 192 && faded.count > 180)
    #expect(zip(faded, faded.dropFirst()).allSatisfy { $0 > $1 && $0 - $1 < 60 })
  }

  @Test func whatWasLearnedOfACardIsKeptAndAskedFor() throws {
    let card = try Card(arguments: "PPM=80")
    let asked = Mutex<[String]>([])
    let kept = Mutex<[String: Double]>([:])
    let memory = DriftMemory(
      recall: { card in
        asked.withLock { $0.append(card) }
        return nil
      }, keep: { card, drift in kept.withLock { $0[card] = drift } })
    // It is kept once it is known to 10 ppm, which takes longer where the card is read late.
    var runs = 0
    var lead: Int64 = 4_000
    while kept.withLock({ $0.isEmpty }), lead < 100_000 {
      let player = Player(card, drifts: memory)
      #expect(try player.isHeard(1, in: lead))
      player.output.stop()
      runs += 1
      lead *= 2
    }
    #expect(asked.withLock { $0 } == Array(repeating: card.device, count: runs))
    let drift = try #require(kept.withLock { $0[card.device] })
    #expect(drift > 0)
  }

  @Test func aDelayBehindTheDeviceIsMadeUpFor() throws {
    let card = try Card()
    let player = Player(card, profile: OutputProfile(latency: .milliseconds(400)))
    // Two sounds at the same instant, the second through another output without the delay.
    let other = try Card()
    let plain = Player(other)
    var lead: Int64 = 1_500
    var fates: [MixerReport?] = []
    repeat {
      let due = BootClock.now() + .milliseconds(lead)
      player.play(1, at: due)
      plain.play(1, at: due)
      fates = [player.fate(of: 1), plain.fate(of: 1)]
      lead *= 2
      // Both or neither, so that the first sounds of both have the same instant.
    } while fates == [.missed(1), .missed(1)] && lead < 100_000
    player.output.stop()
    plain.output.stop()
    guard case .onset(_, let delayed) = fates[0], case .onset(_, let direct) = fates[1] else {
      throw Unexpected("\(fates)")
    }
    // On a slow machine one of them may be heard later than it is due, and reports it.
    let lateness = Int(delayed.nanoseconds - direct.nanoseconds)
    let early = try card.instantOfFirstSound()
    let onTime = try other.instantOfFirstSound()
    #expect((380_000_000...420_000_000).contains(onTime - early + lateness))
  }

  @Test func aSoundThatAnswersACommandIsLateByTheDelayBehindTheDeviceAndNotLost() throws {
    let card = try Card()
    let player = Player(card, profile: OutputProfile(latency: .milliseconds(150)))
    #expect(try player.isHeard(1, in: 500))
    #expect(try player.isHeard(2, in: 0))
    player.output.stop()
  }

  @Test func aDeviceWithoutAClockOfItsOwnIsPacedByOurs() throws {
    _ = try Card()
    let player = Player(nil, name: "nothing")
    guard case .onset(1, let onset) = try player.result(of: 1, in: 300) else {
      throw Unexpected("not heard")
    }
    // It cannot be heard before it was due, nor after it was reported.
    #expect(onset <= BootClock.now())
    player.output.stop()
  }

  @Test func withoutADeviceSoundGoesToTheRecordingAlone() throws {
    let tap = RecordingTap()
    let player = Player(nil, tap: tap)
    #expect(try player.isHeard(1, in: 100))
    player.output.stop()
    var kept = [Int16](repeating: 0, count: 48_000)
    let count = tap.samples.pop(into: &kept, count: kept.count)
    let first = try #require(kept[..<count].firstIndex { $0 != 0 })
    #expect(Array(kept[first..<(first + 480)]) == (1...480).map { Int16($0 * 20) })
  }

  @Test func withoutADeviceOrARecordingNobodyHears() throws {
    let player = Player(nil)
    #expect(try player.result(of: 1, in: 100) == .unheard(1))
    player.output.stop()
  }
}

private func kind(_ event: OutputEvent) -> SoundOutputError.Kind? {
  if case .lost(let error, _) = event { error.kind } else { nil }
}
