import TestSupport
import Testing

@testable import IntervalTimeline

struct CuePlanTests {
  /// "kind@milliseconds" for each cue of one phase.
  private func plan(
    _ index: Int, _ workout: Workout, _ density: Density = .normal,
    _ densities: [PhaseKind: Density] = [:]
  ) throws -> [String] {
    var plan = CuePlan.plain
    plan.density = density
    plan.densities = densities
    return try plan.cues(of: index, in: Timeline(workout)).map { cue in
      let name =
        switch cue.content {
        case .countdown(let seconds): "\(seconds)"
        case .transition(let sound): "\(sound)"
        case .setCompletion(let from): "set from \(from)"
        case .halfway: "half"
        case .next(let index): "next \(index)"
        case .remark(let number): "text \(number)"
        case .timeLeft: "left"
        case .elapsed: "elapsed"
        case .finish: "finish"
        default: "?"
        }
      return "\(name)@\(cue.at.wholeMilliseconds)"
    }
  }

  @Test(arguments: [
    (1, ["ease@0"]),
    (3, ["ease@0", "1@2000"]),
    (5, ["ease@0", "1@4000"]),
    (6, ["ease@0", "2@4000", "1@5000"]),
    (9, ["ease@0", "3@6000", "2@7000", "1@8000"]),
    (18, ["ease@0", "3@15000", "2@16000", "1@17000"]),
    (39, ["ease@0", "3@36000", "2@37000", "1@38000"]),
    (40, ["ease@0", "half@20000", "3@37000", "2@38000", "1@39000"]),
  ])
  func aCountdownOfBeepsTakesAThirdOfItsPhaseAtMost(_ seconds: Int, _ cues: [String]) throws {
    #expect(try plan(0, .sets(2, [(.low, seconds), (.high, 9)])) == cues)
  }

  @Test(arguments: [
    (1, ["effort@0", "set from 1@0"]),
    (2, ["effort@0", "set from 2@0"]),
    (3, ["effort@0", "set from 3@0"]),
    (9, ["effort@0", "set from 3@6000"]),
  ])
  func aSetEndsWithWordsInsteadOfBeeps(_ seconds: Int, _ cues: [String]) throws {
    for density in [Density.counts, .normal] {
      #expect(try plan(1, .sets(2, [(.low, 9), (.high, seconds)]), density) == cues)
    }
  }

  @Test func halfASecondIsTooShortForAnyNumberSoTheSetsEndHasItsSound() throws {
    let workout = Workout("", sets: 2, [Phase(.high, .fixed(.milliseconds(500)))])
    #expect(try plan(0, workout) == ["effort@0", "setEnd@500"])
  }

  @Test(arguments: [
    (PhaseKind.rest, 9, false), (.rest, 10, true), (.recovery, 10, true), (.low, 10, false),
    (.prepare, 10, false),
  ])
  func restsOfTenSecondsAnnounceWhatIsNext(_ kind: PhaseKind, _ seconds: Int, _ tells: Bool) throws
  {
    let cues = try plan(0, .sets(2, [(kind, seconds), (.high, 9)]))
    #expect(cues.contains("next 1@2000") == tells)
  }

  @Test func theLastPhaseHasNoNext() throws {
    #expect(try plan(0, .sets(nil, [(.rest, 20)])).allSatisfy { !$0.hasPrefix("next") })
  }

  @Test func anOpenPhaseHasOnlyWhatIsKnownFromItsStart() throws {
    #expect(try plan(0, .strength) == ["effort@0"])
    #expect(try plan(4, .strength) == ["rest@0", "next 5@2000"])
  }

  @Test func aBlockWithoutSetsBeepsBeforeItsEnd() throws {
    #expect(try plan(0, .sets(nil, [(.prepare, 10)])) == ["ease@0", "3@7000", "2@8000", "1@9000"])
  }

  @Test func theEndHasItsSoundAndItsWords() throws {
    #expect(try plan(1, .sets(nil, [(.prepare, 10)])) == ["finish@0", "finish@1000"])
  }

  @Test func theLeadInNeverBeginsBeforeThePhase() throws {
    let timeline = try Timeline(.sets(1, [(.low, 9), (.high, 4)]))
    let cue = try #require(CuePlan().cues(of: 1, in: timeline).last)
    #expect(cue.earliest == .zero)
    #expect(cue.at == .seconds(1))
    #expect(cue.until == .seconds(4))
  }

  @Test func howOftenPhasesAreRepeatedIsSaidBeforeTheyHaveBeenDoneOnce() throws {
    let timeline = try Timeline(.sets(4, [(.low, 3), (.high, 3)]))
    let cue = try #require(
      CuePlan().cues(of: 0, in: timeline).first { $0.content == .begins })
    #expect(try cue.at + #require(cue.patience) == .seconds(6))
  }

  /// A phase that can be told ahead is told once: in the phase before if that has room for it, or as it begins.
  @Test(arguments: 1...40)
  func aPhaseIsToldInTheOneBeforeOrAsItBegins(seconds: Int) throws {
    for countdown in [0, 3, 5, 10] {
      for sets in [nil, 2] {
        var plan = CuePlan()
        plan.countdown = countdown
        let timeline = try Timeline(.sets(sets, [(.low, seconds), (.high, 60)]))
        guard Script(timeline).place(of: 1) == .ahead else { continue }
        let isAhead = plan.cues(of: 0, in: timeline).contains { $0.content == .next(1) }
        let begins = plan.cues(of: 1, in: timeline).contains { $0.content == .begins }
        #expect(isAhead != begins, "a countdown of \(countdown), \(sets ?? 0) sets")
      }
    }
  }

  /// 15 s before the countdown of 3 s have room for the words about the workout beside the repetitions'.
  @Test(arguments: [(17, false), (18, true)])
  func repetitionsThatBeginWithAShortPhaseHaveNoOpening(seconds: Int, opens: Bool) throws {
    let steps = (1...4).flatMap { number in
      let count = Remark(Template(plain: "\(number)"), at: .fromStart(.zero))
      return [
        Phase(.low, .fixed(.seconds(seconds)), remarks: [count]),
        Phase(.high, .fixed(.seconds(20))),
      ]
    }
    let timeline = try Timeline(
      Workout(name: "", blocks: [Block(steps: steps.map { Block.Step($0) })]))
    let cues = CuePlan().cues(of: 0, in: timeline)
    #expect(cues.contains { $0.content == .opening } == opens)
  }

  // MARK: Density

  private static let long = Workout.sets(2, [(.low, 60), (.high, 60)])

  @Test(arguments: [
    (Density.quiet, ["effort@0", "3@57000", "2@58000", "1@59000", "setEnd@60000"]),
    (.counts, ["effort@0", "set from 3@57000"]),
    (.normal, ["effort@0", "half@30000", "set from 3@57000"]),
    (.full, ["effort@0", "half@30000", "set from 3@57000"]),
  ])
  func eachDensitySaysMore(_ density: Density, _ cues: [String]) throws {
    #expect(try plan(1, Self.long, density) == cues)
    #expect(try plan(1, Self.long, .normal, [.high: density]) == cues)
    let end = density < .normal ? ["finish@0"] : ["finish@0", "finish@1000"]
    #expect(try plan(4, Self.long, density) == end)
  }

  @Test func theLastSetsEndIsTheFinish() throws {
    #expect(try plan(3, Self.long, .quiet) == ["effort@0", "3@57000", "2@58000", "1@59000"])
  }

  @Test func theElapsedTimeIsSaidAtTheBeginningOfEachSetButTheFirst() throws {
    for (phase, tells) in [(0, false), (1, false), (2, true), (3, false)] {
      #expect(try plan(phase, Self.long, .full).contains("elapsed@1200") == tells)
    }
  }

  @Test(arguments: [
    (69, []), (70, ["left@10000"]), (120, []), (129, ["left@69000"]),
    (130, ["left@10000", "left@70000"]),
  ])
  func theTimeLeftIsSaidAtWholeMinutesWithoutAnotherAnnouncement(
    _ seconds: Int, _ cues: [String]
  ) throws {
    let full = try plan(0, .sets(2, [(.low, seconds), (.high, 9)]), .full)
    #expect(full.filter { $0.hasPrefix("left") } == cues)
  }

  @Test func aTextOnTheEdgeOfItsPhaseIsSaid() throws {
    func texts(_ places: [Remark.Place]) throws -> [String] {
      let remarks = places.map { Remark("Breathe", at: $0) }
      let phase = Phase(.low, .fixed(.seconds(20)), remarks: remarks)
      let workout = Workout("", [phase])
      return try plan(0, workout).filter { $0.hasPrefix("text") }
    }
    #expect(
      try texts([.fromStart(.seconds(20)), .beforeEnd(.seconds(20))]) == [
        "text 1@0", "text 0@20000",
      ])
    #expect(try texts([.fromStart(.seconds(21)), .beforeEnd(.seconds(21))]) == [])
  }

  @Test func aTextAtTheStartFollowsTheCountOfASet() throws {
    let texts = [Duration.zero, .seconds(1)].map { Remark("Go", at: .fromStart($0)) }
    let phase = Phase(.low, .fixed(.seconds(20)), remarks: texts)
    let workout = Workout(
      name: "",
      blocks: [
        Block(sets: 2, steps: [.init(Phase(.high, .fixed(.seconds(20))))]),
        Block(steps: [.init(phase)]),
      ])
    func places(_ densities: [PhaseKind: Density]) throws -> [String] {
      try plan(2, workout, .normal, densities).filter { $0.hasPrefix("text") }
    }
    #expect(try places([:]) == ["text 0@700", "text 1@1000"])
    #expect(try places([.high: .quiet]) == ["text 0@0", "text 1@1000"])
  }

  @Test func aTextWaitsForThoseOfItsInstant() throws {
    let long = Template(plain: String(repeating: "on and ", count: 20))
    let remarks = [
      Remark(long, at: .fromStart(.seconds(5))), Remark("Two", at: .fromStart(.seconds(5))),
      Remark("Three", at: .fromStart(.seconds(6))),
    ]
    let phase = Phase(.low, .fixed(.seconds(60)), remarks: remarks)
    let workout = Workout("", [phase])
    let cues = try CuePlan().cues(of: 0, in: Timeline(workout))
    let patience = cues.compactMap { cue -> Duration? in
      if case .remark = cue.content { cue.patience } else { nil }
    }
    #expect(patience == [.seconds(4), .milliseconds(15_200), .seconds(4)])
  }

  /// The boundary's sound, then words, then counts.
  @Test func ofCuesAtOneInstantTheSoundComesFirst() throws {
    let phase = Phase(.low, .fixed(.seconds(3)), remarks: [Remark("Go", at: .fromStart(.zero))])
    let workout = Workout("", [phase])
    let cues = try CuePlan().cues(of: 0, in: Timeline(workout)).filter { $0.earliest == .zero }
    #expect(cues.map(\.rank) == cues.map(\.rank).sorted())
    #expect(cues.first?.content == .transition(.ease))
    #expect(cues.count == 2)
  }
}
