import TestSupport
import Testing

@testable import CueSound

/// What the audio thread is to do, decided in simulated time on a simulated card.
struct OutputControlTests {
  private static let click = PCMClip(rate: 48_000, samples: Array(repeating: 8_000, count: 480))

  private func voice(_ id: UInt64, due: BootInstant) -> Voice {
    Voice(
      id: id, lane: 0, due: due, samples: Self.click.memory.baseAddress!, count: Self.click.count,
      gain: 1)
  }

  private func reports(_ link: MixerLink) -> [MixerReport] {
    var reports: [MixerReport] = []
    while let report = link.reports.pop() { reports.append(report) }
    return reports
  }

  @Test func aNewDeviceIsFilledTriedAndStarted() {
    var card = SimulatedCard()
    card.turn()
    #expect(card.trace == ["open", "rewind", "start"])
    #expect(card.control.minimumLeadTime == 35_000_000)
    let queued = card.control.sound.written - card.control.device.firstFrame
    #expect((7_200...7_300).contains(queued))
    let isOpen = card.isOpen
    #expect(isOpen)
  }

  @Test func aDeviceThatDoesNotGiveBackWhatItPromisedGetsLess() {
    var card = SimulatedCard(.init(keepsFrames: true))
    card.turn()
    #expect(card.control.minimumLeadTime == nil)
    _ = card.run(to: 10)
    // Never again, and never more than the usual queue.
    #expect(card.trace == ["open", "rewind", "start"])
    #expect(card.lastWait <= 26_000_000)
  }

  /// A card that fetches 17 ms ahead gives none of it back: a sound has to come that much earlier.
  @Test func aCardThatFetchesAheadSaysSoOnceItIsKnown() throws {
    var card = SimulatedCard(.init(fetchesAhead: 0.017, hidesFetched: true))
    _ = card.run(to: 10)
    let reaches = reports(card.link).compactMap { report in
      if case .minimumLeadTime(let time) = report { time } else { nil }
    }
    #expect(reaches.count == 1)
    let reach = try #require(reaches.first)
    #expect((reach - .milliseconds(52)).magnitude < .milliseconds(1), "\(reach)")
    // Handed over so early, it is in place although the queue is full of silence.
    let due = card.now + reach
    #expect(card.link.commands.push(.play(voice(1, due: due))))
    _ = card.run(to: 12)
    try #require(card.onsets.count == 1)
    #expect(abs(card.instant(of: card.onsets[0]) - (due - .boot).inSeconds) < 30e-6)
  }

  @Test(arguments: [true, false]) func aServerAndDmixAreNeverAskedToGiveBack(_ isServer: Bool) {
    var card = SimulatedCard(.init(isServer: isServer, rewinds: false))
    #expect(card.link.commands.push(.play(voice(1, due: 5_000_000_000))))
    _ = card.run(to: 10)
    #expect(card.trace == ["open", "start"])
  }

  /// What cannot be taken back answers a command late. Libasound's converters pass on whole periods alone.
  @Test func whereNothingIsGivenBackLittleIsQueuedInWholePeriods() {
    var card = SimulatedCard(.init(drift: 80, rewinds: false))
    #expect(card.link.commands.push(.play(voice(1, due: 60_000_000_000))))
    _ = card.run(to: 5)
    for _ in 0..<1000 {
      card.turn()
      let left = Double(card.control.sound.written.value) - card.truth(at: card.seconds)
      #expect(left >= 480 && left + card.lastWait.inSeconds * 48_000 <= 1_800)
      #expect((card.control.sound.written - card.control.device.firstFrame).value % 480 == 0)
    }
    #expect(!card.trace.contains("prepare"))
  }

  @Test func whileNoCueIsNearMoreIsQueuedAndTheTurnsAreSeldom() {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    #expect((300_000_000...600_000_000).contains(card.lastWait))
    #expect(card.link.commands.push(.play(voice(1, due: 8_000_000_000))))
    card.turn()
    #expect(card.lastWait <= 80_000_000)
  }

  /// At whatever moment of a look for the pointer's step it is handed over. The step counts as a delay of
  /// this card, which is why it has 5 ms more than `minimumLeadTime`.
  @Test(arguments: [0, 0.001, 0.005, 0.010])
  func aSoundIsInPlaceThatIsHandedOverJustInTime(step: Double) throws {
    for tenths in stride(from: 1, to: 400, by: 7) {
      var card = SimulatedCard(.init(drift: -120, step: step), seed: UInt64(tenths))
      let at = 0.006 + Double(tenths) * 1e-4
      let due = at + 0.040
      card.handOver = (voice(1, due: BootInstant(nanoseconds: Int64(due * 1e9))), at)
      _ = card.run(to: 0.3)
      try #require(card.onsets.count == 1)
      #expect(abs(card.instant(of: card.onsets[0]) - due) < 60e-6, "handed over at \(at) s")
    }
  }

  @Test(arguments: [-120.0, 0, 80]) func soundsAreHeardWhenTheyAreDue(_ drift: Double) {
    var card = SimulatedCard(.init(drift: drift, step: 0.005))
    var dues: [BootInstant] = []
    for index in 0..<10 as Range<Int64> {
      let due = BootInstant.boot + .seconds(3) + .milliseconds(2_300) * index
      _ = card.run(to: (due - .boot).inSeconds - 1.5)
      #expect(card.link.commands.push(.play(voice(UInt64(index), due: due))))
      dues.append(due)
    }
    _ = card.run(to: 30)
    #expect(card.onsets.count == dues.count)
    for (onset, due) in zip(card.onsets, dues) {
      #expect(abs(card.instant(of: onset) - (due - .boot).inSeconds) < 60e-6)
    }
    let heard = reports(card.link).filter { if case .onset = $0 { true } else { false } }
    #expect(heard.count == dues.count)
  }

  @Test func aCommandInTheQueueIsPlayedOnItsFrameAllTheSame() {
    var card = SimulatedCard()
    _ = card.run(to: 10)
    card.turn()
    // Half a second of silence is queued, and this is due before its end.
    let due = card.now + .milliseconds(60)
    #expect(card.link.commands.push(.play(voice(1, due: due))))
    _ = card.run(to: 12)
    #expect(card.onsets.count == 1)
    #expect(abs(card.instant(of: card.onsets[0]) - (due - .boot).inSeconds) < 30e-6)
  }

  @Test func whatFollowsTheDeviceIsMadeUpFor() {
    var card = SimulatedCard(latency: 200_000_000)
    _ = card.run(to: 3)
    #expect(card.link.commands.push(.play(voice(1, due: 5_000_000_000))))
    _ = card.run(to: 6)
    #expect(card.onsets.count == 1)
    #expect(abs(card.instant(of: card.onsets[0]) - 4.8) < 30e-6)
    #expect(
      reports(card.link).contains { report in
        if case .onset(1, let instant) = report {
          (instant - 5_000_000_000).magnitude < .microseconds(30)
        } else {
          false
        }
      })
  }

  /// The turn that takes the command cannot rewind; a later one does.
  @Test func aCommandThatComesWhileTheDeviceSleepsIsHeardInPlace() throws {
    var card = SimulatedCard()
    _ = card.run(to: 20)
    card.fault = .suspended
    let due = card.now + .milliseconds(400)
    #expect(card.link.commands.push(.play(voice(1, due: due))))
    card.turn()
    card.fault = .none
    _ = card.run(to: 22)
    try #require(card.onsets.count == 1)
    #expect(abs(card.instant(of: card.onsets[0]) - (due - .boot).inSeconds) < 1e-3)
  }

  @Test func aDeviceThatRanDryIsStartedAnewWithMore() {
    var card = SimulatedCard(.init(keepsFrames: true))
    _ = card.run(to: 5)
    card.holdUp(0.2)
    card.turn()
    #expect(card.trace == ["open", "rewind", "start", "prepare", "start"])
    #expect(card.control.device.fill.length == 68_000_000)
    #expect(
      reports(card.link).contains { if case .xrun = $0 { true } else { false } })
    let isLost = card.control.isLost
    #expect(!isLost)
    #expect(card.link.commands.push(.play(voice(1, due: card.now + .seconds(1)))))
    _ = card.run(to: 8)
    #expect(card.onsets.count == 1)
  }

  @Test func aDeviceThatTakesSoundAndPlaysNoneIsGivenUpAfterASecond() {
    var card = SimulatedCard()
    card.fault = .stalled
    #expect(card.link.commands.push(.play(voice(1, due: 300_000_000))))
    while !card.trace.contains("give up") { card.turn() }
    #expect((1.0..<1.2).contains(card.seconds))
    #expect(reports(card.link) == [.missed(1), .ended(1)])
    let isLost = card.control.isLost
    #expect(isLost)
  }

  @Test(arguments: [SimulatedCard.Fault.full, .noTiming]) func aDeviceThatNeverSaysMoreIsGivenUp(
    _ fault: SimulatedCard.Fault
  ) {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    card.fault = fault
    while !card.trace.contains("give up"), card.seconds < 20 { card.turn() }
    // One without timing is asked how much it holds, and that it plays is seen by that.
    #expect(card.trace.contains("give up") == (fault == .full))
    #expect(card.trace.contains("count") == (fault == .noTiming))
  }

  @Test func aDeviceThatIsGoneIsTriedAgainEachTimeLaterAndComesBackInPlace() throws {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    card.fault = .gone
    _ = card.run(to: 8)
    #expect(card.link.commands.push(.play(voice(1, due: 9_000_000_000))))
    _ = card.run(to: 10)
    #expect(card.trace.filter { $0 == "give up" }.count == 1)
    // 0.25, 0.5, 1 and 1.6 s after each other, beside the first.
    #expect(card.trace.filter { $0 == "open" }.count == 5)
    #expect(card.link.commands.push(.play(voice(2, due: 14_000_000_000))))
    card.fault = .none
    _ = card.run(to: 15)
    try #require(card.onsets.count == 1)
    #expect(abs(card.instant(of: card.onsets[0]) - 14) < 60e-6)
    let became = reports(card.link)
    #expect(became.contains(.missed(1)))
    #expect(became.contains { if case .back = $0 { true } else { false } })
    let isLost = card.control.isLost
    #expect(!isLost)
  }

  @Test func anotherDeviceTakesOverInPlaceAndNothingIsLost() throws {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    #expect(card.link.commands.push(.play(voice(1, due: 6_000_000_000))))
    _ = card.run(to: 5.5)
    card.changeDevice()
    _ = card.run(to: 8)
    try #require(card.onsets.count == 1)
    #expect(abs(card.instant(of: card.onsets[0]) - 6) < 60e-6)
    #expect(card.trace.filter { $0 == "open" }.count == 2)
    #expect(!card.trace.contains("give up"))
    #expect(!reports(card.link).contains(.missed(1)))
    // One that is not there is tried again, as any that is lost; another one is tried at once.
    card.fault = .gone
    card.changeDevice()
    card.turn()
    let isLost = card.control.isLost
    #expect(isLost)
    card.fault = .none
    card.changeDevice()
    card.turn()
    let isOpen = card.isOpen
    #expect(isOpen)
  }

  @Test func aDeviceThatSleepsIsWokenAndStartedWhereItCannotBe() {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    card.fault = .suspended
    for _ in 0..<5 { card.turn() }
    #expect(card.trace.filter { $0 == "resume" }.count == 5)
    card.fault = .none
    _ = card.run(to: 8)
    #expect(!card.trace.contains("prepare"))
    card.fault = .suspended
    while !card.trace.contains("prepare"), card.seconds < 20 { card.turn() }
    #expect(card.trace.filter { $0 == "resume" }.count > 50)
  }

  @Test func atTheEndWhatWasToBeHeardIsWithdrawn() {
    var card = SimulatedCard()
    #expect(card.link.commands.push(.play(voice(1, due: 60_000_000_000))))
    _ = card.run(to: 5)
    card.control.end(at: card.now)
    #expect(reports(card.link) == [.withdrawn(1), .ended(1)])
  }

  /// Many devices cannot resume: what they had queued is lost when they are prepared.
  @Test(arguments: [SimulatedCard.Fault.cannotResume, .saysItRanDry])
  func whatADeviceLosesWhileTheMachineSleepsIsReportedAsMissed(_ fault: SimulatedCard.Fault) {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    #expect(card.link.commands.push(.play(voice(1, due: card.now + .milliseconds(130)))))
    card.turn()
    card.fault = fault
    card.sleep(3600)
    _ = card.run(to: card.seconds + 2)
    #expect(card.trace.contains("prepare"))
    #expect(reports(card.link) == [.missed(1), .ended(1)])
  }

  /// The process is frozen first, and the card plays on until it is stopped.
  @Test(arguments: [SimulatedCard.Fault.cannotResume, .canResume])
  func whatADevicePlayedBeforeTheMachineSleptIsReportedAsHeard(_ fault: SimulatedCard.Fault) {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    let due = card.now + .milliseconds(60)
    #expect(card.link.commands.push(.play(voice(1, due: due))))
    #expect(card.link.commands.push(.play(voice(2, due: card.now + .milliseconds(130)))))
    card.turn()
    card.holdUp(max(0, (due - .boot).inSeconds + 0.01 - card.seconds))
    card.fault = fault
    card.sleep(3600)
    _ = card.run(to: card.seconds + 2)
    let reports = reports(card.link)
    #expect(
      reports.contains { report in
        if case .onset(1, let onset) = report {
          (onset - due).magnitude < .milliseconds(1)
        } else {
          false
        }
      })
    #expect(!reports.contains(.missed(1)))
    #expect(reports.contains(.missed(2)))
  }

  @Test func aSoundStillToComeAfterAShortSleepIsHeardWhenItIsDue() throws {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    let due = card.now + .milliseconds(130)
    #expect(card.link.commands.push(.play(voice(1, due: due))))
    card.turn()
    card.fault = .cannotResume
    card.sleep(0.03)
    _ = card.run(to: card.seconds + 2)
    #expect(card.trace.contains("prepare"))
    guard case .onset(1, let onset) = try #require(reports(card.link).first) else {
      throw Unexpected("it was not heard")
    }
    #expect((onset - due).magnitude < .milliseconds(25))
  }

  /// What has begun and the device has not confirmed is missed; what was still to come is withdrawn.
  @Test func whatIsQueuedWhenTheOutputEndsIsMissed() throws {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    let due = card.now + .milliseconds(100)
    #expect(card.link.commands.push(.play(voice(1, due: due))))
    #expect(card.link.commands.push(.play(voice(2, due: due + .seconds(60)))))
    while card.now < due { card.turn() }
    #expect(reports(card.link).isEmpty)
    card.control.end(at: card.now)
    #expect(reports(card.link) == [.missed(1), .ended(1), .withdrawn(2), .ended(2)])
  }

  // MARK: Keeping the device

  @Test func whileASoundIsStillToComeTheDeviceIsKept() {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    #expect(card.link.commands.push(.play(voice(1, due: 20_000_000_000))))
    card.activity = .idle
    _ = card.run(to: 21)
    #expect(card.onsets.count == 1)
    #expect(card.trace == ["open", "rewind", "start"])
    _ = card.run(to: 27)
    #expect(card.trace.last == "rest")
  }

  // MARK: Taking back

  @Test func aDeviceThatGivesBackTooLittleIsNotAskedAgain() {
    var card = SimulatedCard()
    _ = card.run(to: 10)
    card.returnable = 100
    for id in 1...2 as ClosedRange<UInt64> {
      _ = card.run(to: card.seconds + 2)
      #expect(card.link.commands.push(.play(voice(id, due: card.now + .milliseconds(60)))))
      card.turn()
      #expect(card.control.minimumLeadTime == nil)
    }
    #expect(card.trace == ["open", "rewind", "start", "rewind"])
  }

  @Test func whatTheHardwareMayHaveFetchedIsNotTakenBack() {
    var card = SimulatedCard()
    _ = card.run(to: 10)
    let queued = Double(card.control.sound.written.value) - card.truth(at: card.seconds)
    card.holdUp(queued / 48_000 - 0.015)
    #expect(card.link.commands.push(.play(voice(1, due: card.now + .milliseconds(5)))))
    card.turn()
    #expect(card.trace == ["open", "rewind", "start"])
  }

  // MARK: Without a device

  @Test func withoutADeviceSoundsPassUnheardAndThoseOfASleepAreMissed() {
    let link = MixerLink(voices: 64)
    var control = OutputControl(
      mixer: Mixer(link: link, rate: 48_000), rate: 48_000, latency: .zero, hasDevice: false,
      staysOpen: false, tap: nil, at: 0, asleep: .zero)
    #expect(link.commands.push(.play(voice(1, due: 1_000_000_000))))
    #expect(link.commands.push(.play(voice(2, due: 5_000_000_000))))
    for turn in 0...40 as ClosedRange<Int64> {
      _ = control.turn(
        at: .boot + .milliseconds(50) * turn, asleep: .zero, for: .running,
        hardwareChanged: false)
    }
    #expect(reports(link) == [.unheard(1), .ended(1)])
    for turn in 0...1 as ClosedRange<Int64> {
      _ = control.turn(
        at: .boot + .seconds(12) + .milliseconds(50) * turn, asleep: .seconds(10), for: .running,
        hardwareChanged: false)
    }
    #expect(reports(link) == [.missed(2), .ended(2)])
  }
}
