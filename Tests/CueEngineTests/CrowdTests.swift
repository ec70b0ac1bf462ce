import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// Workouts that ask for more words than anybody could listen to, beside one that does not.
struct CrowdTests: AnnouncementChecks {
  /// A hundred texts at one instant of every phase.
  private static let crowded: Workout = {
    let texts = (1...100).map { Remark(Template(plain: "Text \($0)"), at: .fromStart(.seconds(2))) }
    return Workout("Crowd", sets: 20, [Phase(.work, .fixed(.seconds(5)), remarks: texts)])
  }()

  private func steady(beside others: Int, for length: Duration) throws -> TestRun {
    let run = try TestRun([("steady", Workout.sets(3, [(.low, 5), (.high, 6)]))])
    for number in 0..<others { run.add("crowd \(number)", Self.crowded) }
    for lane in run.lanes.indices { run.send(.start, lane: lane) }
    run.run(length)
    return run
  }

  @Test func aCrowdOfTextsMovesNoSoundAndNoNumberOfAnotherWorkout() throws {
    func fixed(_ run: TestRun) -> [String] {
      run.cues.filter { $0.lane == "steady" }.flatMap { cue -> [String] in
        switch cue.kind {
        case "transition", "countdown": ["\(cue.text) \(cue.due) \(cue.outcome)"]
        case "set-completion":
          cue.parts.filter { Int($0.text) != nil }.map { "\($0.text) \($0.due)" }
        default: []
        }
      }.sorted()
    }
    let alone = try steady(beside: 0, for: .seconds(40))
    let crowded = try steady(beside: 4, for: .seconds(40))
    expectNoOverlap(crowded)
    #expect(fixed(crowded) == fixed(alone))
  }

  @Test func aTurnPlacesSoManyWordsAndDropsTheRestWithAReason() throws {
    let run = try steady(beside: 1, for: .seconds(8))
    let texts = run.cues.filter { $0.kind == "text" && $0.set == 1 }
    #expect(texts.count == 100)
    #expect(texts.contains { $0.onset != nil })
    #expect(texts.count { $0.reason == "too many words at once" } >= 60)
  }

  @Test func whoAsksWhereHeIsWithoutEndTakesNoTextFromTheWorkout() throws {
    func texts(asking: Bool) throws -> [String] {
      let phase = Phase(
        .low, .fixed(.seconds(30)),
        remarks: [8, 14, 20].map {
          Remark(Template(plain: "Text \($0)"), at: .fromStart(.seconds($0)))
        })
      let workout = Workout("W", sets: 2, [phase])
      let run = try TestRun([("steady", workout)])
      run.send(.start)
      for _ in 0..<300 {
        if asking { run.send(.whereAmI) }
        run.run(.milliseconds(200), every: .milliseconds(200))
      }
      let asked = run.cues.count { $0.kind == "where-am-i" && $0.outcome == .duplicate }
      let answers = run.cues.count { $0.kind == "where-am-i" && $0.outcome != .duplicate }
      #expect(asked <= answers)
      #expect(asking == (answers > 1))
      return run.cues.filter { ["text", "set-completion"].contains($0.kind) }.map {
        "\($0.text) \($0.due) \($0.outcome)"
      }
    }
    #expect(try texts(asking: true) == texts(asking: false))
  }

  @Test func aSetThatEndsWithLessThanASecondHasNoNumbers() throws {
    let timeline = try Timeline(Workout.sets(2, [(.low, 4)]))
    #expect(
      CuePlan().cues(of: 0, in: timeline).contains { $0.content == .setCompletion(from: 3) })
    let short = Workout("S", sets: 2, [Phase(.low, .fixed(.milliseconds(900)))])
    let contents = CuePlan.plain.cues(of: 0, in: try Timeline(short)).map(\.content)
    #expect(contents == [.transition(.ease), .transition(.setEnd)])
  }
}
