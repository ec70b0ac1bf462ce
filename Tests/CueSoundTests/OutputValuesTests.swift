import Testing

@testable import CueSound

/// The values that an output decides by: each without a card.
struct OutputValuesTests {
  private func device(
    _ phase: OpenDevice.Phase = .playing, isServer: Bool = false
  ) -> OpenDevice {
    var device = OpenDevice(
      PCMDescription(
        buffer: 36_000, period: 480, isServer: isServer, rewinds: true, isSame: false, drift: nil),
      after: nil, rate: 48_000, frame: 0, at: 0)
    device.phase = phase
    return device
  }

  // MARK: Failures

  private func response(
    to failure: DeviceFailure, in stage: OutputStage, of device: OpenDevice,
    machineSlept: Bool = false, at now: BootInstant = 0
  ) -> String {
    switch FailureResponse(
      to: failure, in: stage, of: device, machineSlept: machineSlept, at: now)
    {
    case .giveUp(.stuck): "give up: stuck"
    case .giveUp(.lost): "give up: lost"
    case .giveUp: "give up"
    case .wake(let queued): "wake, queued: \(queued.map(\.value) ?? -1)"
    case let other: "\(other)"
    }
  }

  private static let looking = OutputStage.looking(expected: 0, at: 0)
  private static let filling = OutputStage.filling(isFar: false)
  private static let lost = DeviceFailure.lost(code: 19, in: "write")

  @Test func aDeviceWithoutTimingIsLookedAtWithoutAPosition() {
    #expect(response(to: .noTiming, in: Self.looking, of: device()) == "queryWithoutPosition")
    for phase in [OpenDevice.Phase.playing, .recovering] {
      #expect(
        response(to: .noTiming, in: .relocking, of: device(phase)) == "relockWithoutPosition")
    }
    #expect(response(to: .noTiming, in: Self.filling, of: device()) == "tryAgain")
  }

  @Test func aDeviceThatTakesNoMoreIsFullWhereItWasBeingFilled() {
    for stage in [Self.filling, .priming, .refilling] {
      for phase in [OpenDevice.Phase.opening, .playing, .recovering] {
        #expect(response(to: .again, in: stage, of: device(phase)) == "full")
      }
    }
    #expect(response(to: .again, in: Self.looking, of: device()) == "tryAgain")
  }

  @Test func aDeviceThatAnswersLaterIsStuckWhenItHasPlayedNothingForTooLong() {
    let ending: BootInstant = 1_000_000_000
    #expect(response(to: .again, in: Self.looking, of: device(), at: ending) == "tryAgain")
    #expect(
      response(to: .again, in: Self.looking, of: device(), at: ending + 1) == "give up: stuck")
    let server = device(isServer: true)
    #expect(response(to: .again, in: Self.looking, of: server, at: ending + 1) == "tryAgain")
  }

  @Test func aDeviceThatSleepsIsAskedFiftyTimesAndThenRestarted() {
    var device = device(.recovering)
    for _ in 0..<50 {
      #expect(response(to: .again, in: .resuming, of: device) == "askAgain")
      #expect(response(to: .again, in: .relocking, of: device) == "askAgain")
      device.sleepsStill()
      #expect(device.phase == .playing)
      device.phase = .recovering
    }
    #expect(response(to: .again, in: .resuming, of: device) == "restart")
    #expect(response(to: .again, in: .relocking, of: device) == "restart")
    device.recovered()
    #expect(device.phase == .playing)
    #expect(response(to: .again, in: .resuming, of: device) == "askAgain")
  }

  @Test func aDeviceThatCannotWakeUpIsRestarted() {
    for failure in [Self.lost, .xrun, .suspended(queued: 3)] {
      #expect(response(to: failure, in: .resuming, of: device(.recovering)) == "restart")
      #expect(response(to: failure, in: .relocking, of: device(.recovering)) == "restart")
    }
    #expect(response(to: Self.lost, in: .relocking, of: device()) == "give up: lost")
  }

  @Test func anUnderrunIsRefilledUnlessTheMachineSlept() {
    #expect(response(to: .xrun, in: Self.filling, of: device()) == "refill")
    #expect(response(to: .xrun, in: Self.filling, of: device(), machineSlept: true) == "restart")
  }

  @Test func aDeviceThatSleptIsWoken() {
    #expect(
      response(to: .suspended(queued: 960), in: Self.filling, of: device()) == "wake, queued: 960")
    #expect(
      response(to: .suspended(queued: nil), in: Self.looking, of: device()) == "wake, queued: -1")
  }

  @Test func aDeviceThatFailsBeforeItPlaysIsGivenUp() {
    for stage in [OutputStage.priming, .starting, .preparing, .tryingRewind(100)] {
      for phase in [OpenDevice.Phase.opening, .recovering] {
        #expect(response(to: .xrun, in: stage, of: device(phase)) == "give up")
        #expect(response(to: Self.lost, in: stage, of: device(phase)) == "give up: lost")
      }
    }
    #expect(response(to: Self.lost, in: Self.filling, of: device()) == "give up: lost")
  }

  @Test func aDeviceThatRanDryAtOnceForASecondPlaysNothing() {
    var device = device()
    device.startedAt = 990_000_000
    let isStuckInTime = device.underrun(at: 1_000_000_000)
    #expect(!isStuckInTime && device.fill.length == .milliseconds(68))
    let isStuck = device.underrun(at: 1_000_000_001)
    #expect(isStuck && device.fill.length == .milliseconds(68))
    // It played for longer than 20 ms.
    device.startedAt = 2_000_000_000
    let isStuckAfterPlaying = device.underrun(at: 2_020_000_001)
    #expect(!isStuckAfterPlaying)
  }

  // MARK: Sleep

  @Test func theMachinesSleepIsNoticedAtTheTurnAfterIt() {
    var watch = SleepWatch(asleep: .seconds(7))
    watch.turn(asleep: .seconds(7) + .milliseconds(1))
    #expect(!watch.machineSlept)
    watch.turn(asleep: .seconds(7) + .milliseconds(3))
    #expect(watch.machineSlept && watch.hasSlept(at: 0))
    watch.turn(asleep: .seconds(7) + .milliseconds(3))
    #expect(!watch.machineSlept)
    // The clocks are not read at once: the difference may shrink, and is not seen to grow again.
    watch.turn(asleep: .seconds(7))
    watch.turn(asleep: .seconds(7) + .milliseconds(3))
    #expect(!watch.machineSlept)
  }

  @Test func aTurnThatIsHalfASecondLateShowsThatTheProcessSlept() {
    var watch = SleepWatch(asleep: .zero)
    #expect(!watch.hasSlept(at: 1_000_000_000_000))
    watch.dueAt = 2_000_000_000
    #expect(!watch.hasSlept(at: 2_500_000_000))
    #expect(watch.hasSlept(at: 2_500_000_001))
    #expect(!watch.machineSlept)
  }

  // MARK: Rest

  private let closed = DeviceSituation.closed(last: nil)

  @Test func aDeviceIsKeptForFiveSecondsAfterItWasNeeded() {
    var idle = IdleTime(staysOpen: false)
    let open = DeviceSituation.open(device())
    // A voice that sounds begins the time anew.
    for (now, isSounding, rests) in [
      (1_000_000_000, false, false), (5_999_999_999, false, false), (6_000_000_000, false, true),
      (7_000_000_000, true, false), (8_000_000_000, false, false),
      (12_999_999_999, false, false), (13_000_000_000, false, true),
    ] as [(BootInstant, Bool, Bool)] {
      let mayRest = idle.mayRest(at: now, .idle, isSounding: isSounding, open)
      #expect(mayRest == rests, "\(now)")
    }
  }

  @Test func whatIsClosedMayStayClosedUnlessItIsNeeded() {
    var idle = IdleTime(staysOpen: false)
    for situation in [closed, .unwanted] {
      let rests = idle.mayRest(at: 0, .idle, isSounding: false, situation)
      let restsInAPause = idle.mayRest(at: 0, .paused, isSounding: false, situation)
      let restsRunning = idle.mayRest(at: 0, .running, isSounding: false, situation)
      let restsSounding = idle.mayRest(at: 0, .idle, isSounding: true, situation)
      #expect(rests && restsInAPause && !restsRunning && !restsSounding)
    }
  }

  @Test func inAPauseASoundServerAndADeviceThatStaysOpenAreKept() {
    let server = DeviceSituation.open(device(isServer: true))
    let card = DeviceSituation.open(device())
    for (staysOpen, situation, rests) in [
      (false, server, false), (true, card, false), (true, closed, false), (false, card, true),
    ] {
      var idle = IdleTime(staysOpen: staysOpen)
      _ = idle.mayRest(at: 0, .paused, isSounding: false, situation)
      let mayRest = idle.mayRest(at: 3_600_000_000_000, .paused, isSounding: false, situation)
      #expect(mayRest == rests)
      // Without a workout each may be closed.
      let ends = idle.mayRest(at: 3_600_000_000_000, .idle, isSounding: false, situation)
      #expect(ends)
    }
  }

  // MARK: A lost device

  @Test func aLostDeviceIsTriedLaterEachTimeAndSoonWhenOneComes() {
    var loss = DeviceLoss(after: nil, at: 0)
    #expect(loss.retryAt == 250_000_000)
    loss = DeviceLoss(after: loss, at: 250_000_000)
    #expect(loss.retryAt == 750_000_000)
    loss.hardwareChanged(at: 300_000_000)
    #expect(loss.retryAt == 400_000_000)
    loss.hardwareChanged(at: 390_000_000)
    #expect(loss.retryAt == 400_000_000)
    loss = DeviceLoss(after: loss, at: 400_000_000)
    #expect(loss.retryAt == 650_000_000)
    loss.rest()
    #expect(loss.retryAt == .boot)
  }

  @Test func theWaitForALostDeviceEndsWithTheNextAttempt() {
    let loss = DeviceLoss(after: nil, at: 0)
    #expect(loss.wait(from: 0, atMost: .milliseconds(50)) == .milliseconds(50))
    #expect(loss.wait(from: 220_000_000, atMost: .milliseconds(50)) == .milliseconds(30))
    #expect(loss.wait(from: 249_999_999, atMost: .milliseconds(50)) == .milliseconds(1))
    #expect(loss.wait(from: 300_000_000, atMost: .milliseconds(50)) == .milliseconds(1))
  }
}
