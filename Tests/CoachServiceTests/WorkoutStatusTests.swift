import CoachHost
import ControlProtocol
import CueEngine
import IntervalTimeline
import Testing

@testable import CoachService

/// What surfaces count down by: the phase after this one, and outlines with their sets.
@Suite struct WorkoutStatusTests {
  private static func timeline(_ blocks: Block..., name: String = "Two blocks") throws -> Timeline {
    try Timeline(Workout(name: name, blocks: blocks))
  }

  private static func later(
    _ timeline: Timeline, lane: String = "anna", startsAt: BootInstant = BootInstant(nanoseconds: 1)
  ) -> WorkoutStatus {
    ScheduledStart(OpenedWorkout(lane, timeline), at: startsAt).status
  }

  private static func step(_ kind: PhaseKind, _ seconds: Int, name: String? = nil) -> Block.Step {
    Block.Step(Phase(kind, .fixed(.seconds(seconds)), name: name))
  }

  @Test func theNextPhaseIsInTheSnapshot() {
    let run = ControlRun()
    run.start("sprint")
    run.run(.seconds(1))
    let rest = OutlineSegment(kind: .rest, label: "Rest", seconds: 5, set: nil, sets: nil)
    #expect(run.lane("sprint")?.following == rest)
    #expect(run.events.last { $0.event == .lane }?.lane?.following == rest)
    #expect(run.send(.command(.next, lane: nil)).ok)
    #expect(run.lane("sprint")?.following?.kind == .work)
    #expect(run.send(.command(.next, lane: nil)).ok)
    #expect(run.lane("sprint")?.phase == 2)
    #expect(run.lane("sprint")?.following == nil)
  }

  @Test func theNextPhaseHasItsOwnSets() throws {
    let timeline = try Self.timeline(
      Block(sets: 1, steps: [Self.step(.high, 20)]),
      Block(sets: 4, steps: [Block.Step(Phase(.work, .open(.reps(8)), name: "Squats"))]))
    let lane = Self.later(timeline)
    #expect(lane.set == 1 && lane.sets == 1)
    // An open phase has no length.
    var squats = OutlineSegment(kind: .work, label: "Squats", seconds: nil, set: 1, sets: 4)
    squats.reps = 8
    #expect(lane.following == squats)
  }

  @Test func whatEndsTheFirstPhaseIsThereBeforeTheStart() throws {
    func lane(_ end: OpenEnd) throws -> WorkoutStatus {
      Self.later(try Self.timeline(Block(steps: [Block.Step(Phase(.work, .open(end)))])))
    }
    let counted = try lane(.reps(12))
    #expect(counted.reps == 12 && counted.repetitions == 0 && counted.signal == nil)
    let waiting = try lane(.signal("ready"))
    #expect(waiting.signal == "ready" && waiting.reps == nil && waiting.repetitions == nil)
    let resting = try lane(.heartRate(below: 120))
    #expect(resting.heartRateBelow == 120 && resting.signal == nil && resting.mayEndEarly)
    #expect(waiting.heartRateBelow == nil)
  }

  @Test func aPhaseThatMayEndBeforeItsLongestLengthIsMarked() throws {
    let row = Self.step(.work, 20)
    let rest = Block.Step(
      Phase(.rest, .open(.signal("ready"), OpenBounds(atMost: .seconds(60)))))
    let first = Self.later(try Self.timeline(Block(steps: [rest, row])))
    #expect(first.mayEndEarly && first.workoutMayEndEarly)
    #expect(first.phaseLeft == .seconds(60) && first.following?.mayEndEarly == nil)
    let timeline = try Self.timeline(Block(steps: [row, rest]))
    let second = Self.later(timeline)
    #expect(!second.mayEndEarly && second.workoutMayEndEarly)
    #expect(second.following?.mayEndEarly == true && second.following?.seconds == 60)
    let outline = try #require(
      OutlineSegment.outline(of: timeline, .english, limit: ControlLimits.segments))
    #expect(outline.map(\.mayEndEarly) == [nil, true])
    #expect(Self.later(try Self.timeline(Block(steps: [row]))).workoutMayEndEarly == false)
  }

  @Test func theTimesAndTheCountAreInTheSnapshot() {
    let run = ControlRun()
    run.start("sprint")
    // It begins 0.2 s after the command.
    run.run(.milliseconds(12_200))
    let rest = run.lane("sprint")
    #expect(rest?.times == EffortTimes(work: .seconds(10), rest: .seconds(2)))
    // A third of its five seconds is beeped.
    #expect(rest?.countdown == 1 && rest?.setsDone == 0)
    run.run(.seconds(5))
    let work = run.lane("sprint")
    #expect(work?.times == EffortTimes(work: .seconds(12), rest: .seconds(5)))
    #expect(work?.countdown == 3)
    run.run(.seconds(20))
    let ended = run.events.last { $0.event == .ended }?.lane
    #expect(ended?.times == EffortTimes(work: .seconds(20), rest: .seconds(5)))
    #expect(ended?.countdown == nil)

    run.start("busy")
    run.run(.milliseconds(25_200))
    #expect(run.lane("busy")?.setsDone == 2)
    #expect(run.send(.command(.next, lane: "busy")).ok)
    #expect(run.send(.command(.next, lane: "busy")).ok)
    #expect(run.lane("busy")?.setsDone == 2 && run.lane("busy")?.set == 4)
  }

  @Test func nothingTellsOfASurprise() throws {
    var sprint = Self.step(.high, 30)
    sprint.phase.isSurprise = true
    let timeline = try Self.timeline(Block(steps: [Self.step(.low, 100), sprint]))
    let later = Self.later(timeline)
    #expect(later.isBeforeSurprise && later.startsAt?.nanoseconds == 1)
    #expect(later.next == nil && later.following == nil && later.phaseLeft == nil)
    #expect(later.workoutLeft == .seconds(130))
    #expect(OutlineSegment.outline(of: timeline, .english, limit: ControlLimits.segments) == nil)

    let run = ControlRun()
    run.start("fartlek")
    run.run(.seconds(5))
    let before = run.lane("fartlek")
    #expect(before?.isBeforeSurprise == true && before?.phaseElapsed == .milliseconds(4800))
    #expect(before?.next == nil && before?.following == nil)
    #expect(before?.phaseLeft == nil && before?.phaseEndsAt == nil)
    #expect(before?.workoutLeft == .milliseconds(25_200))
    run.run(.seconds(18))
    #expect(run.lane("fartlek")?.isBeforeSurprise == false)
    #expect(run.lane("fartlek")?.phaseLeft == .milliseconds(7200))
  }

  @Test func whatIsShownOfAPhaseIsInTheSnapshot() throws {
    var step = Self.step(.high, 30)
    (step.phase.intensity, step.phase.note) = ("160 watts", "Shoulders\ndown")
    step.phase.link = "https://example.org/squat"
    let lane = Self.later(try Self.timeline(Block(steps: [step])))
    #expect(lane.intensity == "160 watts" && lane.note == "Shoulders down")
    #expect(lane.link == "https://example.org/squat")
    for (length, isShown) in [(400, true), (401, false)] {
      let link = "https://" + String(repeating: "x", count: length - 8)
      step.phase.link = link
      let shown = Self.later(try Self.timeline(Block(steps: [step]))).link
      #expect(shown == (isShown ? link : nil))
    }
  }

  @Test func eachPhaseOfAnOutlineHasTheSetsOfItsBlock() throws {
    let timeline = try Self.timeline(
      Block(steps: [Self.step(.prepare, 10)]),
      Block(sets: 2, steps: [Self.step(.high, 20)]),
      Block(sets: 1, steps: [Self.step(.low, 20)]))
    let outline = try #require(
      OutlineSegment.outline(of: timeline, .english, limit: ControlLimits.segments))
    #expect(outline.map(\.set) == [nil, 1, 2, 1])
    #expect(outline.map(\.sets) == [nil, 2, 2, 1])
  }

  /// Names as long as a preset may have them: in scalars, however few characters those are.
  @Test(arguments: ["𝄞", "👩‍👩‍👧‍👦", "e\u{301}\u{302}\u{303}"])
  func aLaneIsAtMostSixKilobytes(_ character: String) throws {
    let name = String(repeating: character, count: 500 / character.unicodeScalars.count)
    #expect(NameRule.workout.allows(name))
    var step = Self.step(.recovery, 3600, name: name)
    (step.phase.intensity, step.phase.note, step.phase.link) = (name, name, "https://" + name)
    let timeline = try Self.timeline(Block(sets: 12, steps: [step, step]), name: name)
    let lane = Self.later(
      timeline, lane: String(repeating: "𝄞", count: 40),
      startsAt: BootInstant(nanoseconds: .max / 2))
    #expect(lane.following?.label.isEmpty == false)
    #expect(try ControlCoding.line(lane).count <= 6144)
  }
}
