import Instants
import Phrases
import TestSupport
import Testing

@testable import Targets

/// One test or more for each sentence of the rule that its traces leave out.
struct TargetCoachTests {
  let power = Target(.watts, 190...210)

  // MARK: - Silence

  @Test func nothingInAPauseAndUntilTheValueHasSettledAfterIt() {
    let texts = said(power, 120) {
      $0.pauses = [.seconds(12)..<Duration.seconds(40)]
    } value: { _ in
      170
    }
    #expect(texts == ["55 170, more power", "85 170, more power"])
  }

  @Test func aPauseDoesNotStartTheRepeatsAnew() {
    let texts = said(power, 300) {
      $0.pauses = [.seconds(50)..<Duration.seconds(70)]
    } value: { _ in
      170
    }
    #expect(texts == [15, 45, 105, 225].map { "\($0) 170, more power" })
  }

  @Test func onTargetIsOwedAcrossAPause() {
    let texts = said(power, 120) {
      $0.pauses = [.seconds(20)..<Duration.seconds(30)]
    } value: {
      $0 < 20 ? 170 : 200
    }
    #expect(texts == ["15 170, more power", "45 200, on target"])
  }

  @Test func nothingInTheLastEightSeconds() {
    #expect(said(power, 24) { _ in 170 } == ["15 170, more power"])
    #expect(said(power, 23) { _ in 170 } == [])
  }

  @Test func theEndOfAPhaseMovesWithItsPauses() {
    let texts = said(power, 30) {
      $0.pauses = [.seconds(5)..<Duration.seconds(15)]
      $0.length = .seconds(60)
      $0.samples = samples(.watts, 60) { _ in 170 }
    } value: { _ in
      nil
    }
    #expect(texts == ["30 170, more power"])
  }

  @Test func aTextWaitsForRoomAndIsDecidedAnew() {
    let cues = [Duration.seconds(17)..<Duration.seconds(25)]
    #expect(
      said(power, 60, { $0.cues = cues }, value: { _ in 170 }).first == "25 170, more power")
    // On target before there is room: it was never told otherwise.
    #expect(said(power, 60, { $0.cues = cues }, value: { $0 < 20 ? 170 : 200 }) == [])
  }

  @Test func aTextNeedsRoomForItsLength() {
    let cues = [Duration.milliseconds(17_900)..<Duration.seconds(25)]
    #expect(
      said(power, 40, { $0.cues = cues }, value: { _ in 170 }) == ["15 170, more power"])
  }

  @Test func aRampsTextHasAShorterWordingWithoutItsTarget() {
    let ramp = Target(.watts, from: 150, to: 250, ramp: .seconds(60))
    func first(_ room: Duration) -> String? {
      said(ramp, 40) {
        $0.cues = [.seconds(15) + room..<Duration.seconds(40)]
      } value: { _ in
        100
      }.first
    }
    #expect(first(.milliseconds(4200)) == "15 100, more power, target 172")
    #expect(first(.milliseconds(4100)) == "15 100, more power")
    #expect(first(.milliseconds(2800)) == nil)
  }

  @Test func theGapCountsFromWhatIsHeardAndRepeatsFromWhatWasDecided() {
    var coach = TargetCoach()
    coach.begin(CoachedPhase(power), at: second(0))
    var due: [Int] = []
    for time in 0...60 {
      Reading(.watts, time < 16 || time > 26 ? 170 : 240).map { coach.take($0, at: second(time)) }
      guard let text = coach.check(at: second(time)) else { continue }
      coach.said(text, at: second(time), heard: second(time) + .milliseconds(800))
      due.append(time)
    }
    #expect(due == [15, 26, 37])
    var steady = TargetCoach()
    steady.begin(CoachedPhase(power), at: second(0))
    due = []
    for time in 0...240 {
      Reading(.watts, 170).map { steady.take($0, at: second(time)) }
      guard let text = steady.check(at: second(time)) else { continue }
      steady.said(text, at: second(time), heard: second(time) + .milliseconds(800))
      due.append(time)
    }
    #expect(due == [15, 45, 105, 225])
  }

  /// Each is heard half a second after it is decided, as the one before it was.
  @Test func aChainOfTextsDoesNotSlip() {
    var coach = TargetCoach()
    coach.begin(CoachedPhase(power), at: second(0))
    var due: [Int] = []
    for time in 0...300 {
      Reading(.watts, time / 12 % 2 == 0 ? 150 : 250).map { coach.take($0, at: second(time)) }
      let heard = second(time) + .milliseconds(500)
      guard let text = coach.check(at: second(time), heard: heard) else { continue }
      coach.said(text, at: second(time), heard: heard)
      due.append(time)
    }
    #expect(due == [20, 32, 44, 80, 92, 104, 140, 152, 164, 200, 212, 224, 260, 272, 284])
  }

  @Test func aTextIsDueUntilItIsSaid() {
    var coach = TargetCoach()
    coach.begin(CoachedPhase(power), at: second(0))
    for time in 0...30 {
      Reading(.watts, 170).map { coach.take($0, at: second(time)) }
      let text = coach.check(at: second(time))
      #expect((text != nil) == (time >= 15))
      #expect(coach.check(at: second(time)) == text)
    }
    coach.said(.low(.watts, 170, target: nil), at: second(30))
    #expect(coach.check(at: second(30)) == nil)
  }

  // MARK: - Corrections

  @Test(arguments: [
    (TargetKind.watts, 200.0, 190.0, 210.0), (.strokeRate, 24, 22, 26), (.cadence, 90, 85, 95),
    (.heartRate, 140, 135, 145), (.pace, 100, 98, 102), (.speed, 10, 9.8, 10.2),
  ])
  func aSingleNumberHasATolerance(kind: TargetKind, value: Double, low: Double, high: Double) {
    #expect(Target(kind, value).range == TargetRange(low...high))
  }

  /// As a sensor is lost 10 s after its last reading: from one reading to the next, not readings that are missing.
  @Test func aHoleIsASilenceOnceFiveSecondsHavePassed() {
    #expect(said(power, 40) { (11...13).contains($0) ? nil : 170 }.first == "15 170, more power")
    #expect(said(power, 40) { (11...14).contains($0) ? nil : 170 }.first == "20 170, more power")
  }

  /// A reading that comes while "No power reading" is being said is the first of three.
  @Test func aSensorIsBackAfterThreeReadingsSinceItsLossWasDecided() {
    var coach = TargetCoach()
    coach.begin(CoachedPhase(power), at: second(0))
    func take(at time: Int) { Reading(.watts, 200).map { coach.take($0, at: second(time)) } }
    #expect(coach.check(at: second(10)) == .lost(.watts))
    take(at: 11)
    coach.said(.lost(.watts), at: second(10), heard: second(12))
    take(at: 20)
    #expect(coach.check(at: second(22)) == nil)
    take(at: 22)
    #expect(coach.check(at: second(22)) == .back(.watts, 200))
  }

  // MARK: - Pace and speed

  /// 4:24 to 4:36 for a kilometre.
  let pace = Target(.pace, 264...276, paceOf: 1000)

  @Test func aPaceIsComparedAsOneOfFiveHundredMetresAndSaidAsOneOfTheTarget() {
    // A rower's 2:15 for 500 m are 4:30 for a kilometre.
    #expect(said(pace, 60) { _ in 135 } == [])
    #expect(
      said(pace, 60) { $0 < 20 ? 140 : 135 } == [
        "15 4 minutes 40, speed up", "26 4 minutes 30, on target",
      ])
    let back = said(pace, 60) { (20..<40).contains($0) ? nil : 135 }
    #expect(back == ["29 No pace", "42 Pace is back, 4 minutes 30"])
  }

  @Test func aRampOfPacesIsSaidInItsDistance() {
    let ramp = Target(.pace, from: 300, to: 240, ramp: .seconds(60), paceOf: 1000)
    #expect(
      said(ramp, 40) { _ in 160 }.first == "15 5 minutes 20, speed up, target 4 minutes 47")
  }

  @Test func aDisplayHasThePaceOfTheTargetsDistance() throws {
    var coach = TargetCoach()
    coach.begin(CoachedPhase(pace), at: second(0))
    coach.take(try #require(Reading(.pace, 135)), at: second(1))
    let live = try #require(coach.live(at: second(1)))
    #expect(live.value == 270 && live.position == .inside)
    #expect(abs(live.range.lowerBound - 264) < 1e-6 && abs(live.range.upperBound - 276) < 1e-6)
  }

  @Test func aSpeedServesATargetPaceAndAPaceATargetSpeed() {
    func heard(_ target: Target, _ kind: TargetKind, _ value: Double) -> [String] {
      said(target, 40) {
        $0.samples = samples(kind, 40) { _ in value }
      } value: { _ in
        nil
      }
    }
    #expect(heard(pace, .speed, 12) == ["15 5 minutes, speed up"])
    #expect(heard(pace, .speed, 13.33) == [])
    #expect(heard(Target(.speed, 14...15), .pace, 150) == ["15 12, speed up"])
    // Whoever stands has no pace.
    #expect(heard(pace, .speed, 0.3) == ["10 No pace"])
  }

  /// A wheel that somebody else turns does not change a rower's pace.
  @Test func aSpeedStandsForAPaceOnlyWhileNoneIsMeasured() {
    func heard(paceUntil end: Int) -> [String] {
      said(pace, 60) {
        $0.samples =
          samples(.pace, end) { _ in 135 }
          + samples(.speed, 60) { _ in 12 }
      } value: { _ in
        nil
      }
    }
    #expect(heard(paceUntil: 60) == [])
    #expect(heard(paceUntil: 20).contains { $0.hasSuffix("5 minutes, speed up") })
  }

  // MARK: - More of corrections

  @Test func theOtherSideIsAFirstTextAfterTheGap() {
    let texts = said(power, 80) { $0 < 14 ? 170 : 240 }
    #expect(texts == ["21 240, less power", "51 240, less power"])
    let both = said(power, 80) { $0 < 16 ? 170 : 240 }
    #expect(both == ["15 170, more power", "25 240, less power", "55 240, less power"])
  }

  @Test func aMomentInsideDoesNotStartTheRepeatsAnew() {
    // Inside from 23 to 26, not for long enough.
    let texts = said(power, 120) { (20..<24).contains($0) ? 205 : 170 }
    #expect(texts == ["15 170, more power", "45 170, more power", "105 170, more power"])
  }

  @Test func afterOnTargetACorrectionIsAFirstOne() {
    let texts = said(power, 100) { (16..<40).contains($0) ? 200 : 170 }
    #expect(
      texts == [
        "15 170, more power", "25 200, on target", "46 170, more power", "76 170, more power",
      ])
  }

  /// "On target" had no room, so that the listener would take the same words for a repetition.
  @Test func theSameWordsComeAgainAfterThirtySecondsWhereOnTargetWasNotSaid() {
    let cues = [Duration.seconds(20)..<Duration.seconds(27)]
    let texts = said(power, 100, { $0.cues = cues }, value: { (16..<24).contains($0) ? 200 : 170 })
    #expect(texts == ["15 170, more power", "45 170, more power", "75 170, more power"])
    // The gap after the correction is no room either.
    #expect(said(power, 100) { (16..<24).contains($0) ? 200 : 170 } == texts)
  }

  @Test func neverFourTextsInAMinute() {
    // Low and high in turn, 12 s each.
    let texts = said(power, 130) { Int($0) / 12 % 2 == 0 ? 150 : 250 }
    let seconds = texts.compactMap { Int($0.prefix { $0 != " " }) }
    #expect(seconds.count > 4)
    for (first, fourth) in zip(seconds, seconds.dropFirst(3)) { #expect(fourth - first >= 60) }
  }

  @Test func boundsAreInside() {
    #expect(said(power, 60) { _ in 190 } == [])
    #expect(said(power, 60) { _ in 210 } == [])
    #expect(said(power, 60) { _ in 211 } == ["15 211, less power", "45 211, less power"])
  }

  @Test func strokesAreThoseOfTheLastThreeReadings() {
    // 3 s from stroke to stroke: 5 s would hold two of them.
    var replay = TargetReplay([CoachedPhase(Target(.strokeRate, 24))], [], length: .seconds(60))
    replay.samples = (0..<20).map { index in
      TargetReplay.Sample(at: .seconds(3 * index), Reading(.strokeRate, index < 8 ? 24 : 30))
    }
    // The mean of 24, 24, 30 is inside; that of 24, 30, 30 at 27 is outside.
    #expect(replay.run().said.map(\.words) == ["32 30, rate down"])
  }

  @Test func wordsFollowTheMeaningOfTheNumber() {
    #expect(said(Target(.pace, 120), 40) { _ in 130 } == ["15 2 minutes 10, speed up"])
    #expect(said(Target(.speed, 10), 40) { _ in 12.34 } == ["15 12.3, slow down"])
    #expect(said(Target(.cadence, 90), 40) { _ in 0 } == ["15 0, faster"])
    #expect(said(power, 40) { _ in 0 } == ["15 0, more power"])
  }

  // MARK: - Sensors

  @Test func whatIsNoReading() {
    #expect(Reading(.heartRate, 0) == nil)
    #expect(Reading(.heartRate, 301) == nil)
    #expect(Reading(.heartRate, 300) != nil)
    #expect(Reading(.heartRate, 120, hasContact: false) == nil)
    #expect(Reading(.watts, .nan) == nil)
    #expect(Reading(.watts, .infinity) == nil)
    #expect(Reading(.pace, 0) == nil)
    #expect(Reading(.cadence, -1) == nil)
    #expect(Reading(.watts, 0) != nil)
    #expect(Reading(.watts, -3) != nil)
    #expect(Reading(.cadence, 0) != nil)
  }

  @Test func aSilenceOfFiveSecondsBreaksADwell() {
    // Outside from 21: due at 26, but by then the last reading is 5 s old.
    let broken = said(power, 60) { (22..<28).contains($0) ? nil : $0 < 20 ? 200 : 170 }
    #expect(broken.first == "33 170, more power")
    let whole = said(power, 60) { (22..<25).contains($0) ? nil : $0 < 20 ? 200 : 170 }
    #expect(whole.first == "26 170, more power")
  }

  @Test func aHeartRateThatIsNotThereIsSaidWhenThePhaseHasSettled() {
    #expect(said(Target(.heartRate, 140...155), 120) { _ in nil } == ["60 No heart rate"])
  }

  @Test func aSensorThatFailsAgainIsSaidAgain() {
    let texts = said(power, 120) { (20..<30).contains($0) || (50..<70).contains($0) ? nil : 200 }
    #expect(
      texts == [
        "29 No power reading", "39 Power is back, 200", "59 No power reading",
        "89 Power is back, 200",
      ])
  }

  /// Back at the third reading; then `dwell` in place of `settle`, and `dwell` outside as always.
  @Test func aSensorThatIsBackSettlesForItsDwell() {
    let heart = said(Target(.heartRate, 140...155), 200) {
      $0 < 80 ? 150 : $0 < 120 ? nil : 120
    }
    #expect(heart.prefix(2) == ["89 No heart rate", "122 Heart rate is back, 120"])
    #expect(heart.dropFirst(2).first == "142 120, speed up")
    let watts = said(power, 120) { $0 < 40 ? 200 : $0 < 70 ? nil : 170 }
    #expect(
      watts.prefix(3) == ["49 No power reading", "72 Power is back, 170", "82 170, more power"])
  }

  @Test func aLossIsSaidOnceWhileItsSensorIsNeeded() {
    let phases = [
      CoachedPhase(power, length: .seconds(60)), CoachedPhase(power, length: .seconds(60)),
    ]
    let rest = CoachedPhase(length: .seconds(20))
    #expect(texts(phases) == ["10 No power reading"])
    #expect(texts([phases[0], rest, phases[1]]) == ["10 No power reading"])
    let back = samples(.watts, 140) { $0 < 65 ? nil : 200 }
    #expect(
      texts([phases[0], rest, phases[1]], back) == ["10 No power reading", "90 Power is back, 200"])
  }

  /// Each is announced as one that the heart rate ends.
  @Test func eachRestThatWaitsForALostStrapSaysSo() {
    let rest = CoachedPhase(
      HeartRateRest(below: 120, minimum: .zero, maximum: .seconds(30)))
    let work = CoachedPhase(length: .seconds(20))
    #expect(
      texts([rest, work, rest, rest]) == [
        "10 No heart rate", "60 No heart rate", "80 No heart rate",
      ])
    let back = samples(.heartRate, 140) { $0 < 62 ? nil : 150 }
    #expect(
      texts([rest, work, rest, rest], back).prefix(3) == [
        "10 No heart rate", "60 No heart rate", "70 Heart rate is back, 150",
      ])
  }

  /// In phases in which nothing settles before their last 8 s.
  @Test func aLossIsSaidInShortPhasesToo() {
    let phases = Array(repeating: CoachedPhase(power, length: .seconds(15)), count: 8)
    #expect(texts(phases) == ["15 No power reading"])
    let lost = samples(.watts, 33) { _ in 170 }
    #expect(texts(phases, lost) == ["42 No power reading"])
    let rest = CoachedPhase(length: .seconds(15))
    #expect(
      texts([phases[0], rest, phases[0], rest], samples(.watts, 20) { _ in 200 }) == [
        "40 No power reading"
      ])
    // Of a single one its end leaves no room.
    #expect(texts([phases[0]]) == [])
  }

  private func texts(_ phases: [CoachedPhase], _ samples: [TargetReplay.Sample] = []) -> [String] {
    TargetReplay(phases, samples, length: .seconds(200)).run().said.map(\.words)
  }

  // MARK: - Ramps

  let ramp = Target(.watts, from: 100, to: 200, ramp: .seconds(100))

  @Test func whoFollowsTheRampHearsNothing() {
    #expect(said(ramp, 100) { 100 + $0 } == [])
    // On the lower edge all the time.
    #expect(said(ramp, 100) { (100 + $0) * 0.9501 } == [])
  }

  @Test func theTextOfARampNamesTheTarget() {
    // At 15 the mean stands for 13.
    let texts = said(ramp, 100) { _ in 100 }
    #expect(texts.first == "15 100, more power, target 113")
    #expect(texts.dropFirst().first == "45 100, more power, target 143")
  }

  @Test func aRampStopsInAPause() {
    let texts = said(ramp, 100) {
      $0.pauses = [.seconds(5)..<Duration.seconds(50)]
    } value: { _ in
      200
    }
    // At 65 the phase's time is 20.
    #expect(texts.first == "65 200, less power, target 118")
  }

  // MARK: - The alarm

  @Test func theAlarmIsHeardInSettleAndInTheTail() {
    let texts = said(Target(.heartRate, 140...155), 40) {
      $0.alarmLimit = 180
    } value: { _ in
      185
    }
    #expect(texts == ["5", "20", "35"].map { $0 + " Heart rate 185, too high" })
  }

  @Test func theAlarmEndsFiveBelowItsLimitAndThenCoachingGoesOn() {
    let texts = said(Target(.heartRate, 140...155), 200) {
      $0.alarmLimit = 180
    } value: {
      $0 < 60 ? 150 : $0 < 90 ? 180 : $0 < 120 ? 176 : 175
    }
    #expect(
      texts == ["69", "84"].map { $0 + " Heart rate 180, too high" }
        + ["99", "114"].map { $0 + " Heart rate 176, too high" }
        + ["124 175, slow down", "154 175, slow down"])
  }

  @Test func theAlarmIsHeardInARestWithoutATargetAndWithoutRoom() {
    var replay = TargetReplay(
      [CoachedPhase(length: .seconds(30))], samples(.heartRate, 30) { _ in 190 },
      length: .seconds(30))
    replay.alarmLimit = 180
    replay.cues = [.seconds(0)..<Duration.seconds(30)]
    #expect(
      replay.run().said.map(\.words) == ["5", "20"].map { $0 + " Heart rate 190, too high" })
  }

  /// Its sound is the alarm: its words may have to wait for room.
  @Test func wordsThatComeLateMoveNoAlarm() {
    var coach = TargetCoach(alarmLimit: 180)
    coach.begin(CoachedPhase(length: .seconds(60)), at: second(0))
    var sounds: [Int] = []
    for time in 0..<60 {
      Reading(.heartRate, 190).map { coach.take($0, at: second(time)) }
      if let text = coach.check(at: second(time)) {
        sounds.append(time)
        coach.said(text, at: second(time))
      } else if let last = sounds.last, time == last + 6 {
        coach.said(.alarm(190), at: second(time))
      }
    }
    #expect(sounds == [5, 20, 35, 50])
  }

  @Test func theAlarmIsSilentInAPauseAndHeardAfterIt() {
    let texts = said(power, 60) {
      $0.samples = samples(.heartRate, 60) { _ in 190 } + samples(.watts, 60) { _ in 200 }
      $0.alarmLimit = 180
      $0.pauses = [.seconds(3)..<Duration.seconds(30)]
    } value: { _ in
      nil
    }
    #expect(texts == ["30", "45"].map { $0 + " Heart rate 190, too high" })
  }

  @Test func withAnAlarmALostStrapIsSaidInEveryPhase() {
    var replay = TargetReplay(
      [CoachedPhase(length: .seconds(60))], samples(.heartRate, 20) { _ in 185 },
      length: .seconds(60))
    replay.alarmLimit = 180
    #expect(
      replay.run().said.map(\.words) == [
        "5 Heart rate 185, too high", "20 Heart rate 185, too high", "30 No heart rate",
      ])
    replay.alarmLimit = nil
    #expect(replay.run().said == [])
  }

  /// The alarm has told that it is back, though nothing else has.
  @Test func aStrapThatIsLostAgainAfterAnAlarmIsSaidAgain() {
    var replay = TargetReplay(
      [CoachedPhase(length: .seconds(120))],
      samples(.heartRate, 60) { (20...30).contains($0) ? nil : 180 }, length: .seconds(120))
    replay.alarmLimit = 175
    #expect(
      replay.run().said.map(\.words) == [
        "5 Heart rate 180, too high", "20 Heart rate 180, too high", "30 No heart rate",
        "36 Heart rate 180, too high", "51 Heart rate 180, too high", "69 No heart rate",
      ])
  }

  // MARK: - Rests

  @Test func aRestLastsAtLeastItsMinimum() {
    let rest = HeartRateRest(below: 120, minimum: .seconds(20), maximum: .seconds(180))
    #expect(said(rest, 60) { _ in 100 }.ends == [.seconds(20)])
  }

  @Test func oneWildReadingDoesNotEndARest() {
    let rest = HeartRateRest(below: 120)
    #expect(said(rest, 60) { $0 == 20 || $0 == 30 ? 60 : 150 }.ends == [])
    // Two readings are too few for a median.
    #expect(said(rest, 60) { $0.truncatingRemainder(dividingBy: 3) == 0 ? 100 : nil }.ends == [])
  }

  @Test func aRestDoesNotEndInAPause() {
    var replay = TargetReplay(
      [CoachedPhase(HeartRateRest(below: 120))], samples(.heartRate, 60) { _ in 100 },
      length: .seconds(60))
    replay.pauses = [.seconds(1)..<Duration.seconds(30)]
    #expect(replay.run().ends == [.seconds(33)])
  }

  @Test func resumingWithoutAPauseDoesNotProlongARest() {
    var coach = TargetCoach()
    coach.begin(CoachedPhase(HeartRateRest(below: 120)), at: second(0))
    for time in 0...5 { Reading(.heartRate, 100).map { coach.take($0, at: second(time)) } }
    coach.resume(at: second(5))
    let isOver = coach.isRestOver(at: second(5))
    #expect(isOver)
  }

  @Test func aStrapThatIsSilentInAPauseHasTimeToComeBack() {
    var replay = TargetReplay(
      [CoachedPhase(HeartRateRest(below: 120))], samples(.heartRate, 60) { $0 < 10 ? 150 : nil },
      length: .seconds(60))
    replay.pauses = [.seconds(5)..<Duration.seconds(30)]
    #expect(replay.run().said.map(\.words) == ["40 No heart rate"])
  }

  @Test func theValueIsNotSaidAgainSoonAfterAStrapIsBack() {
    let rest = HeartRateRest(below: 120)
    let texts = said(rest, 90) { (5..<30).contains($0) ? nil : 150 }.texts
    #expect(texts == ["14 No heart rate", "32 Heart rate is back, 150", "62 150"])
  }

  // MARK: - What a holder may do

  @Test func aSecondPauseAndAReadingFromThePastAreIgnored() {
    var coach = TargetCoach()
    coach.begin(CoachedPhase(power, length: .seconds(40)), at: second(0))
    coach.pause(at: second(10))
    coach.pause(at: second(20))
    coach.resume(at: second(40))
    coach.resume(at: second(50))
    for time in 40..<57 {
      Reading(.watts, 170).map { coach.take($0, at: second(time)) }
      Reading(.watts, 900).map { coach.take($0, at: second(time - 1)) }
    }
    #expect(coach.live(at: second(56))?.value == 170)
    // The phase's time is 26: settled since 50, and not yet in the last eight seconds.
    #expect(coach.check(at: second(56)) == .low(.watts, 170, target: nil))
  }

  @Test func theLiveStateIsThatOfTheMean() {
    var coach = TargetCoach()
    #expect(coach.live(at: second(0)) == nil)
    coach.begin(CoachedPhase(power), at: second(0))
    #expect(coach.live(at: second(0))?.position == .unknown)
    for time in 0..<3 { Reading(.watts, 180).map { coach.take($0, at: second(time)) } }
    let live = coach.live(at: second(2))
    #expect(live?.value == 180)
    #expect(live?.range == 190...210)
    #expect(live?.position == .below)
    #expect(coach.live(at: second(7))?.value == nil)
    coach.end(at: second(8))
    #expect(coach.live(at: second(8)) == nil)
  }

  @Test func readingsInDisorderAndInFloodsDoNoHarm() {
    var random = SeededGenerator(seed: 7)
    var coach = TargetCoach(alarmLimit: 180)
    coach.resume(at: second(0))
    coach.begin(CoachedPhase(power, length: .seconds(600)), at: second(100))
    for _ in 0..<20_000 {
      let time = second(Int.random(in: 0...1000, using: &random))
      let kind = TargetKind.allCases.randomElement(using: &random) ?? .watts
      let value = Double(bitPattern: random.next())
      Reading(kind, value).map { coach.take($0, at: time) }
      switch Int.random(in: 0..<20, using: &random) {
      case 0: coach.pause(at: time)
      case 1: coach.resume(at: time)
      case 2: coach.end(at: time)
      case 3: coach.begin(CoachedPhase(HeartRateRest(below: 100), target: power), at: time)
      default: break
      }
      if let text = coach.check(at: time) {
        #expect(!PhraseCatalogue.english.words(of: text).isEmpty)
        coach.said(text, at: time)
      }
      _ = coach.isRestOver(at: time)
    }
  }

  private func second(_ number: Int) -> BootInstant {
    BootInstant(nanoseconds: Int64(number) * 1_000_000_000)
  }
}
