import CueSound
import CueTesting
import Foundation
import IntervalTimeline
import Testing

@testable import CueEngine

/// A program that ends in the middle of a workout, and the next one, which continues it.
struct RestoreTests {
  private static let workout = Workout(
    name: "Test",
    blocks: [
      Block(steps: [.init(Phase(.warmup, .fixed(.seconds(12))))]),
      Block(
        sets: 3,
        steps: [
          .init(
            Phase(
              .rest, .fixed(.seconds(14)),
              remarks: [Remark("Drink something", at: .fromStart(.seconds(6)))])),
          .init(Phase(.high, .fixed(.seconds(9)))),
        ]),
    ])

  /// The record as stored on disk.
  private func stored(_ kept: SessionRecord) throws -> SessionRecord {
    try JSONDecoder().decode(SessionRecord.self, from: JSONEncoder().encode(kept))
  }

  /// The latest stored record.
  private final class Disk: @unchecked Sendable {
    // Unchecked: a test's coach calls it from one thread.
    var kept: SessionRecord?
    var saves = 0
  }

  private func program(_ disk: Disk) throws -> TestRun {
    try TestRun(
      [],
      keep: { _, kept in
        disk.kept = kept
        disk.saves += 1
      })
  }

  /// Runs until `end` milliseconds, ends unexpectedly, and continues after another `gap`.
  private func interrupted(
    at end: Int, gap: Int, _ mode: RestoreMode, knowsLife: Bool = true
  ) throws -> (first: TestRun, second: TestRun, kept: SessionRecord) {
    let disk = Disk()
    let first = try program(disk)
    first.add("anna", Self.workout)
    first.send(.start)
    first.run(.milliseconds(end), every: .milliseconds(170))
    let kept = try stored(#require(disk.kept))
    let alive = knowsLife ? first.clock.now : nil
    let second = try program(Disk())
    second.clock.advance(to: first.clock.now + .milliseconds(gap))
    second.output.advance(to: second.clock.now)
    try second.restore("anna", Self.workout, kept)
    second.coach.restore([(second.lanes[0], mode, alive)], at: second.clock.now)
    return (first, second, kept)
  }

  private static let ends = [
    300, 3_900, 9_400, 13_100, 18_300, 20_050, 26_700, 29_500, 33_200, 50_000,
  ]

  /// When cues are due, whether they are words or sounds.
  private func dues(_ cues: [LedgerEvent.CueEntry], after instant: BootInstant) -> [String] {
    cues.filter { $0.due > instant && $0.onset != nil }
      .filter { !["acknowledgement", "position"].contains($0.kind) }
      .flatMap { cue in
        // What is known by its name before is told in full again after.
        cue.parts.filter { $0.due > instant }.map {
          "\($0.text.prefix { $0 != "," })@\($0.due.nanoseconds)"
        }
      }
      .sorted()
  }

  /// The cues of an uninterrupted run.
  private static let whole = Result {
    let run = try TestRun(workout)
    run.play(.seconds(90))
    return run.cues
  }

  @Test(arguments: ends, [400, 7_000])
  func whatIsDueAfterAKillIsWhereItWouldHaveBeen(end: Int, gap: Int) throws {
    let (first, second, _) = try interrupted(at: end, gap: gap, .running)
    let back = second.clock.now
    second.run(.seconds(90))
    let whole = try Self.whole.get()
    // Words that may have been said before the end are not repeated, and the answer moves others;
    // sounds and counts are where they were.
    let settled = back + .seconds(8)
    #expect(second.begin == first.begin)
    #expect(dues(second.cues, after: settled) == dues(whole, after: settled))
    #expect(second.cues.filter { $0.kind == "finish" }.map(\.outcome) == [.played])
  }

  @Test(arguments: ends, [400, 7_000])
  func nothingIsSaidTwice(end: Int, gap: Int) throws {
    for isHeld in [false, true] {
      let (first, second, _) = try interrupted(at: end, gap: gap, isHeld ? .held : .running)
      if isHeld {
        second.run(.seconds(3))
        second.send(.resume)
      }
      second.run(.seconds(90))
      let words = ["set-completion", "text", "next", "halfway", "finish"]
      // Only words that had ended before the program count as said.
      let said = (first.cues + second.cues).filter {
        words.contains($0.kind) && $0.outcome == .played && $0.onset != nil
      }
      let keys = said.map { "\($0.kind) \($0.phase) \($0.set ?? 0)" }
      #expect(Set(keys).count == keys.count, "\(keys)")
    }
  }

  @Test(arguments: ends) func aHeldSessionIsPausedWhereItWasStored(end: Int) throws {
    let (_, second, kept) = try interrupted(at: end, gap: 5_000, .held)
    let session = second.session()
    #expect(session.state == .paused)
    let now = second.clock.now
    let expected = try #require(Transport(Timeline(Self.workout), kept.anchors))
    #expect(session.transport.elapsed(at: now) == expected.elapsed(at: kept.at))
    // Only the position is heard.
    second.run(.seconds(5))
    #expect(second.cues.allSatisfy { $0.kind == "position" })
  }

  @Test(arguments: ends) func fromItsRecordEveryRemainingCueIsHeard(end: Int) throws {
    let (_, second, kept) = try interrupted(at: end, gap: 5_000, .fromRecord)
    let session = second.session()
    #expect(session.state == .running)
    let back = second.clock.now
    let expected = try #require(Transport(Timeline(Self.workout), kept.anchors))
    #expect(session.transport.elapsed(at: back) == expected.elapsed(at: kept.at))
    second.run(.seconds(90))
    #expect(!second.cues.contains { $0.outcome == .missed && $0.kind == "transition" })
    // From there on it is like an uninterrupted run that is paused as long at the same time.
    let pause = kept.at.duration(to: back)
    let whole = try TestRun(Self.workout)
    whole.play(.seconds(90))
    let begin = whole.begin
    let sounds = ["transition", "countdown"]
    let wanted = whole.cues.filter {
      sounds.contains($0.kind) && $0.onset != nil && $0.due + pause > back + .seconds(8)
    }.map { begin.duration(to: $0.due) }
    let heard = second.cues.filter {
      sounds.contains($0.kind) && $0.onset != nil && $0.due > back + .seconds(8)
    }.map { begin.duration(to: $0.due) - pause }
    #expect(heard.sorted() == wanted.sorted())
  }

  @Test(arguments: ends) func whatWasHeardIsNotRecordedAsMissed(end: Int) throws {
    let (first, second, _) = try interrupted(at: end, gap: 5_000, .running)
    second.run(.seconds(90))
    let death = first.clock.now
    let back = death + .seconds(5)
    // Only sounds, because words may be moved.
    let missed = second.cues.filter {
      $0.outcome == .missed && ["countdown", "transition"].contains($0.kind)
    }
    #expect(missed.allSatisfy { $0.due >= death && $0.due <= back })
    let due = try Self.whole.get().filter {
      $0.due >= death && $0.due < back && ["countdown", "transition"].contains($0.kind)
    }
    #expect(missed.map(\.due) == due.map(\.due))
  }

  @Test func whatPassedIsMissedAndTheCoachSaysWhereItIs() throws {
    let (_, second, _) = try interrupted(at: 13_100, gap: 15_000, .running)
    second.run(.seconds(5))
    let missed = second.cues.filter { $0.outcome == .missed }.map(\.kind)
    #expect(Set(missed) == ["text", "next", "countdown", "transition"])
    let answer = try #require(second.cues.first { $0.kind == "acknowledgement" })
    #expect(answer.text == "Resuming: set 1 of 3, High, 7 seconds left")
    #expect(answer.outcome == .played)
  }

  @Test func itIsStoredOnEachChangeAndEveryTenSecondsAndNeverWhilePaused() throws {
    let disk = Disk()
    let run = try program(disk)
    run.add("anna", .sets(1, [(.low, 60), (.high, 60)]), density: .quiet)
    run.send(.start)
    #expect(disk.saves == 1)
    run.run(.seconds(59))
    #expect(disk.saves == 1 + 5)
    run.run(.seconds(2))
    let before = disk.saves
    run.send(.pause)
    #expect(disk.saves == before + 1)
    run.run(.seconds(600))
    #expect(disk.saves == before + 1)
  }

  // MARK: A machine that sleeps

  @Test func aSleepPausesWhereItBeganAndTheCoachSaysWhereThatIs() throws {
    let run = try TestRun(.sets(2, [(.low, 30), (.high, 20)]))
    run.play(.milliseconds(10_200))
    // The next check would have come 0.3 s later; the machine sleeps for an hour before that.
    run.clock.advance(by: .milliseconds(300) + .seconds(3600))
    run.output.advance(to: run.clock.now)
    run.coach.wakeUp(after: .seconds(3600), at: run.clock.now)
    run.coach.check(at: run.clock.now)
    run.run(.seconds(6))
    let transport = run.session().transport
    #expect(transport.state == .paused)
    #expect(transport.elapsed(at: run.clock.now) == .milliseconds(10_500))
    let answer = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(answer.text == "Set 1 of 2, Low, 20 seconds left, next: High")
    #expect(answer.outcome == .played)
    #expect(
      !run.cues.contains {
        $0.outcome == .missed && $0.kind != "signal" && $0.kind != "acknowledgement"
      })
    #expect(run.events.contains { if case .slept(.seconds(3600)) = $0 { true } else { false } })
    // It continues from there.
    run.send(.resume, then: .seconds(22))
    #expect(run.cues.filter { $0.kind == "transition" && $0.onset != nil }.count == 2)
  }

  @Test func aPausedLaneStaysPaused() throws {
    let run = try TestRun(.sets(2, [(.low, 30), (.high, 20)]))
    run.play(.seconds(10))
    run.send(.pause)
    run.clock.advance(by: .seconds(3600))
    run.coach.wakeUp(after: .seconds(3600), at: run.clock.now)
    #expect(!run.events.contains { if case .slept = $0 { true } else { false } })
    #expect(run.session().transport.elapsed(at: run.clock.now) == .seconds(10))
  }
}
