import CueTesting
import Foundation
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// Readings that become words, through the whole coach on a clock of its own. The rule itself has its own tests.
@Suite struct CoachingTests {
  private static let words = SpeechLibrary(
    ScriptedSpeech(), converter: RepeatedSamples())

  private static func timeline(
    _ seconds: Int, target: String? = "190 to 210 W", isCoached: Bool = true
  ) throws -> Timeline {
    var phase = Phase(.work, .fixed(.seconds(seconds)), intensity: target)
    phase.isCoached = isCoached
    return try Timeline(Workout("Trace", [phase]))
  }

  private static func readings(
    _ name: String, _ seconds: Range<Int>, _ value: (Int) -> Double?
  ) -> [ScriptStep] {
    seconds.compactMap { second in
      value(second).map { .value(name, LiveValue(.number($0)), at: .seconds(second)) }
    }
  }

  private static func said(_ run: PlannedRun) -> [String] {
    run.heard.filter { $0.kind == "coaching" }.map {
      "\(PlannedRun.start.duration(to: $0.due).components.seconds) \($0.text)"
    }
  }

  @Test func aValueBelowItsTargetIsCorrected() throws {
    let run = try PlannedRun(
      Self.timeline(120),
      script: Self.readings("watts", 0..<120) { (30..<50).contains($0) ? 170 : 200 },
      speech: Self.words)
    #expect(Self.said(run) == ["36 170, more power", "58 200, on target"])
  }

  /// The value is on its way to somebody's ears, and nowhere else.
  @Test func theLedgerHasNoReading() throws {
    let run = try PlannedRun(
      Self.timeline(60), script: Self.readings("watts", 0..<60) { _ in 171 }, speech: Self.words)
    let lines = run.ledger.map(\.line).filter { $0.contains("coaching") }
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(line.contains("{watts}, more power") && !line.contains("171"), "\(line)")
    }
  }

  /// Of two amounts the first is coached of which there is a sensor.
  @Test(arguments: [
    (["cadence"], ["15 70, faster", "45 70, faster"]),
    (["cadence", "watts"], ["15 170, more power", "45 170, more power"]),
  ])
  func theSensorThatIsThereCounts(kinds: [String], texts: [String]) throws {
    let run = try PlannedRun(
      Self.timeline(60, target: "200 W, 90 rpm", isCoached: false),
      script: kinds.flatMap { kind in
        Self.readings(kind, 0..<60) { _ in kind == "watts" ? 170 : 70 }
      }, speech: Self.words)
    #expect(Self.said(run) == texts)
  }

  @Test func withoutASensorAnIntensityChangesNothing() throws {
    let plain = try PlannedRun(Self.timeline(60, isCoached: false), speech: Self.words)
    #expect(Self.said(plain).isEmpty)
    let coached = try PlannedRun(Self.timeline(60), speech: Self.words)
    #expect(Self.said(coached) == ["10 No power reading"])
  }

  @Test func anIntensityIsATargetOnceThereIsASensor() throws {
    let run = try PlannedRun(
      Self.timeline(60, isCoached: false), script: Self.readings("watts", 0..<60) { _ in 170 },
      speech: Self.words)
    #expect(Self.said(run) == ["15 170, more power", "45 170, more power"])
    #expect(run.answers.allSatisfy { $0 == .done })
  }

  /// A FIT record of a run has no other.
  @Test func aSpeedIsAReadingOfATargetPace() throws {
    let run = try PlannedRun(
      Self.timeline(40, target: "4:24 to 4:36/km", isCoached: false),
      script: Self.readings("speed", 0..<40) { _ in 12 }, speech: Self.words)
    #expect(Self.said(run) == ["15 5 minutes, speed up"])
  }

  /// A change is reported, once; what stays as it is is not reported again.
  @Test func howAValueStandsToItsTargetIsAnEventWhenItChanges() throws {
    let run = try TestRun(Self.timeline(60).workout)
    run.play(.seconds(1))
    var reported: [[TargetPosition?]] = []
    for watts in [200.0, 170] {
      let known = run.events.count
      for _ in 0..<10 {
        let value = LiveValue(.number(watts))
        _ = run.coach.setValue("watts", to: value, lane: run.lanes[0], at: run.clock.now)
        run.run(.seconds(1))
      }
      reported.append(
        run.events[known...].compactMap { event in
          if case .targetChanged(let status) = event { .some(status.target?.position) } else { nil }
        })
    }
    #expect(reported[0].last == .inside && reported[0].count <= 2)
    #expect(reported[1].last == .below && reported[1].count <= 6)
  }

  @Test func aValueThatChangesAllTheTimeIsReportedOnceASecond() throws {
    let run = try TestRun(Self.timeline(60).workout)
    run.play(.seconds(1))
    for number in 0..<20 {
      let value = LiveValue(.number(150 + 5 * Double(number)))
      _ = run.coach.setValue("watts", to: value, lane: run.lanes[0], at: run.clock.now)
      run.run(.milliseconds(500))
    }
    let instants = run.events.compactMap { event in
      if case .targetChanged(let status) = event { status.at } else { nil }
    }
    #expect(instants.count >= 9)
    #expect(zip(instants, instants.dropFirst()).allSatisfy { $1 - $0 == .seconds(1) })
  }

  /// It is not due before the reading that it is about.
  @Test func theSoundOfATargetIsHeardInFull() throws {
    let run = try TestRun(Self.timeline(40).workout, style: LaneStyle(density: .quiet))
    run.play(.zero)
    for _ in 0..<30 {
      let value = LiveValue(.number(170))
      _ = run.coach.setValue("watts", to: value, lane: run.lanes[0], at: run.clock.now)
      run.run(.seconds(1))
    }
    let sounds = run.cues.filter { $0.kind == "coaching" }
    #expect(sounds.map(\.text) == ["too-low"])
    #expect(sounds.allSatisfy { $0.outcome == .played && $0.onset == $0.due })
  }

  @Test func inAPauseNothingIsSaid() throws {
    let script =
      Self.readings("watts", 0..<80) { _ in 170 } + [
        .command(.pause, at: .seconds(12)), .command(.resume, at: .seconds(40)),
      ]
    let run = try PlannedRun(Self.timeline(60), script: script, speech: Self.words)
    #expect(Self.said(run).first == "55 170, more power")
  }

  @Test(arguments: [(Density.quiet, ["too-low"]), (.counts, [])])
  func whereLittleIsSaidItIsASoundOrNothing(density: Density, texts: [String]) throws {
    let run = try PlannedRun(
      Self.timeline(40), script: Self.readings("watts", 0..<40) { _ in 170 }, speech: Self.words,
      style: LaneStyle(density: density))
    #expect(run.heard.filter { $0.kind == "coaching" }.map(\.text) == texts)
  }

  /// A work phase whose end is beeped, then a rest.
  private static func beeped(_ work: Phase) throws -> Timeline {
    var work = work
    work.isCoached = true
    let rest = Phase(.rest, .fixed(.seconds(20)))
    return try Timeline(
      Workout(name: "Trace", blocks: [Block(steps: [Block.Step(work), Block.Step(rest)])]))
  }

  @Test(arguments: [(3, ["48 170, more power"]), (10, [])])
  func nothingIsSaidOverACountOfBeeps(countdown: Int, texts: [String]) throws {
    func run(_ density: Density) throws -> PlannedRun {
      try PlannedRun(
        Self.beeped(Phase(.work, .fixed(.seconds(60)), intensity: "190 to 210 W")),
        script: Self.readings("watts", 0..<60) { $0 < 42 ? 200 : 170 }, speech: Self.words,
        style: LaneStyle(density: density, countdown: countdown))
    }
    #expect(Self.said(try run(.normal)) == texts)
    #expect(Self.said(try run(.quiet)).count == texts.count)
  }

  /// A voice may take longer than the rule knows.
  @Test func wordsAreOverBeforeACountOfBeeps() throws {
    let run = try PlannedRun(
      Self.beeped(Phase(.work, .fixed(.seconds(60)), intensity: "190 to 210 W")),
      script: Self.readings("watts", 0..<60) { $0 < 40 ? 200 : 170 },
      speech: SpeechLibrary(
        ScriptedSpeech { $0.contains("power") ? 9_000 : 500 }, converter: RepeatedSamples()),
      style: LaneStyle(countdown: 10))
    #expect(run.heard.contains { $0.kind == "countdown" && $0.text == "10" })
    #expect(Self.said(run) == [])
  }

  @Test func inARampTheTargetIsLeftOutWhereThereIsNoRoomForIt() throws {
    let run = try PlannedRun(
      Self.beeped(Phase(.work, .fixed(.seconds(40)), intensity: "from 150 to 250 W")),
      script: Self.readings("watts", 0..<40) { _ in 100 },
      speech: SpeechLibrary(
        ScriptedSpeech { $0.contains("target") ? 30_000 : 1_000 }, converter: RepeatedSamples()),
      style: LaneStyle(countdown: 10))
    #expect(Self.said(run) == ["15 100, more power"])
    let lines = run.ledger.map(\.line).filter { $0.contains("coaching") }
    #expect(lines.count == 1 && lines[0].contains(#""text":"{watts}, more power""#), "\(lines)")
  }

  /// Words that come late, because others are being said, are ten seconds before the next ones all the same.
  @Test func theGapIsThatOfWhatIsHeard() throws {
    var work = Phase(.work, .fixed(.seconds(60)), intensity: "190 to 210 W")
    work.remarks = [Remark("Well done", at: .fromStart(.milliseconds(14_600)))]
    let run = try PlannedRun(
      Self.beeped(work),
      script: Self.readings("watts", 0..<60) { $0 < 16 ? 170 : 240 },
      speech: SpeechLibrary(
        ScriptedSpeech { $0 == "Well done" ? 800 : 1_000 }, converter: RepeatedSamples()))
    let dues = run.heard.filter { $0.kind == "coaching" }.map(\.due)
    try #require(dues.count >= 2)
    #expect(PlannedRun.start.duration(to: dues[0]) >= .milliseconds(15_400))
    #expect(dues[0].duration(to: dues[1]) >= .seconds(10))
  }

  @Test(arguments: [Density.normal, .quiet])
  func aChainOfTextsDoesNotSlip(density: Density) throws {
    let run = try PlannedRun(
      Self.timeline(300),
      script: Self.readings("watts", 0..<300) { $0 / 12 % 2 == 0 ? 150 : 250 },
      speech: Self.words, style: LaneStyle(density: density))
    let seconds = Self.said(run).compactMap { Int($0.prefix { $0 != " " }) }
    #expect(seconds == [20, 32, 44, 80, 92, 104, 140, 152, 164, 200, 212, 224, 260, 272, 284])
  }

  @Test func aHeartRateEndsARest() throws {
    let rest = Phase(
      .rest,
      .open(
        .heartRate(below: 120), OpenBounds(atLeast: .seconds(20), atMost: .seconds(180))))
    let work = Phase(.work, .fixed(.seconds(20)))
    let timeline = try Timeline(Workout("Trace", [rest, work]))
    func end(_ count: Int) throws -> Duration {
      let run = PlannedRun(
        timeline,
        script: Self.readings("heart-rate", 0..<count) { max(100, 165 - 0.6 * Double($0)) },
        speech: Self.words)
      let work = try #require(run.heard.first { $0.kind == "transition" && $0.text == "Work" })
      return PlannedRun.start.duration(to: work.due)
    }
    #expect((try end(240) - .seconds(80.5)).magnitude <= .seconds(2))
    // The sensor is gone: the longest length ends it.
    #expect(try end(40) >= .seconds(180))
  }

  @Test func anAlarmIsHeardInEveryKindOfPhase() throws {
    var style = LaneStyle(density: .counts)
    style.heartRateAlarm = 175
    let run = try PlannedRun(
      Self.timeline(60, target: nil, isCoached: false),
      script: Self.readings("heart-rate", 0..<60) { $0 < 40 ? 180 : 160 }, speech: Self.words,
      style: style)
    let heard = run.heard.filter { $0.kind == "coaching" }.map(\.text)
    #expect(heard.prefix(2) == ["alarm", "Heart rate 180, too high"])
    #expect(heard.filter { $0 == "alarm" }.count == 3)
  }

  /// It comes while "No power reading" is on its way, which is said once all the same.
  @Test(arguments: 40..<47)
  func anAlarmDoesNotLetATextThatIsUnderWayBeForgotten(from begin: Int) throws {
    var style = LaneStyle()
    style.heartRateAlarm = 175
    let power = Self.readings("watts", 0..<41) { _ in 200 }
    let run = try PlannedRun(
      Self.timeline(120),
      script: power
        + Self.readings("heart-rate", 0..<120) { (begin..<begin + 12).contains($0) ? 190 : 150 },
      speech: Self.words, style: style)
    let said = Self.said(run)
    #expect(said.contains { $0.hasSuffix("Heart rate 190, too high") }, "\(said)")
    #expect(said.count { $0.hasSuffix("No power reading") } == 1, "\(said)")
  }

  /// A correction that takes 9 s to say, from 36 s on, and a heart rate of 190 for some seconds.
  private static func alarmDuringALongText(_ seconds: Range<Int>) throws -> [String] {
    var style = LaneStyle()
    style.heartRateAlarm = 175
    let slow = ScriptedSpeech { $0.hasSuffix("more power") ? 9000 : $0.count * 60 }
    let run = try PlannedRun(
      Self.timeline(60),
      script: Self.readings("watts", 0..<60) { $0 < 30 ? 200 : 170 }
        + Self.readings("heart-rate", 0..<60) { seconds.contains($0) ? 190 : 140 },
      speech: SpeechLibrary(slow, converter: RepeatedSamples()), style: style)
    let heard = run.heard.filter { $0.kind == "coaching" }.map(\.text)
    #expect(heard.prefix(2) == ["170, more power", "alarm"])
    return Array(heard.dropFirst(2))
  }

  @Test(arguments: 32..<37)
  func theWordsOfAnAlarmWaitForALongText(from begin: Int) throws {
    let heard = try Self.alarmDuringALongText(begin..<begin + 16)
    #expect(heard.first == "Heart rate 190, too high", "\(heard)")
  }

  @Test(arguments: 29..<33)
  func theWordsOfAnAlarmThatIsOverAreNotSaid(from begin: Int) throws {
    let heard = try Self.alarmDuringALongText(begin..<begin + 9)
    #expect(!heard.contains { $0.hasPrefix("Heart rate") }, "\(heard)")
  }

  /// It sounds at once, and its words come where they end before the beeps to the phase's end.
  @Test(arguments: [(20, 1), (27, 0)])
  func theWordsOfAnAlarmAreNotOverACountOfBeeps(begin: Int, count: Int) throws {
    var style = LaneStyle()
    style.heartRateAlarm = 175
    let run = try PlannedRun(
      Self.timeline(40, target: nil, isCoached: false),
      script: Self.readings("heart-rate", 0..<40) { $0 < begin ? 140 : 180 },
      speech: Self.words, style: style)
    #expect(run.heard.contains { $0.text == "alarm" })
    #expect(run.heard.count { $0.text.hasPrefix("Heart rate 180") } == count)
  }

  /// A voice that has no words for it says nothing, and the sound comes no more often for that.
  @Test func anAlarmWithoutWordsIsStillOneEachFifteenSeconds() throws {
    var style = LaneStyle()
    style.heartRateAlarm = 175
    let run = try PlannedRun(
      Self.timeline(30, target: nil, isCoached: false),
      script: Self.readings("heart-rate", 0..<30) { _ in 180 }, style: style)
    #expect(run.heard.filter { $0.kind == "coaching" }.map(\.text) == ["alarm", "alarm"])
  }
}
