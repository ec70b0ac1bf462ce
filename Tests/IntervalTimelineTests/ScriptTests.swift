import Phrases
import TestSupport
import Testing

@testable import IntervalTimeline

/// What is told of each phase, and where.
struct ScriptTests {
  private static func phase(
    _ kind: PhaseKind, _ seconds: Int, _ name: String? = nil, says: String? = nil
  ) -> Phase {
    let remarks = says.map { [Remark(Template(plain: $0), at: .fromStart(.zero))] } ?? []
    return Phase(kind, .fixed(.seconds(seconds)), name: name, remarks: remarks)
  }

  private static func timeline(_ phases: [Phase]) throws -> Timeline {
    try Timeline(Workout("Told", phases))
  }

  /// What a session hands off of its tellings: the kind, the phase that is told and, of words that begin at an
  /// instant, its milliseconds. Words of a phase in `unsaid` find no room.
  private static func told(_ phases: [Phase], unsaid: Set<Int> = []) throws -> [String] {
    let timeline = try timeline(phases)
    var session = Session(timeline)
    var told: [String] = []
    var effects = session.handle(.start, at: begin)
    let end = Double(timeline.fixedLength.components.seconds)
    for second in stride(from: 0.5, through: end, by: 0.5) {
      for case .handOff(let handOff) in effects where handOff.cue.isSpoken {
        var extent = WordFeedback.Extent.whole
        switch handOff.cue.content {
        case .next(let phase):
          told.append("next \(phase)")
          if unsaid.contains(phase) { extent = .none }
        case .begins:
          told.append("begins \(handOff.cue.phase)@\(handOff.cue.at.wholeMilliseconds)")
        case .opening: told.append("opening")
        default: break
        }
        session.learn([
          WordFeedback(id: handOff.id, place: handOff.earliest...handOff.due, extent: extent)
        ])
      }
      effects = session.check(at: at(second))
    }
    return told
  }

  @Test func aPhaseIsToldInTheOneBeforeAndALongRestAsItBegins() throws {
    #expect(
      try Self.told([
        Self.phase(.warmup, 60), Self.phase(.high, 60), Self.phase(.rest, 30),
        Self.phase(.high, 60),
        Self.phase(.recovery, 60), Self.phase(.cooldown, 60),
      ]) == ["opening", "begins 0@5200", "next 1", "next 2", "next 3", "begins 4@1200", "next 5"])
  }

  @Test func whatFoundNoRoomIsToldAsItBegins() throws {
    let phases = [Self.phase(.prepare, 10), Self.phase(.high, 60), Self.phase(.low, 60)]
    let told = try Self.told(phases, unsaid: [1])
    #expect(told == ["next 1", "opening", "begins 1@1200", "next 2"])
  }

  @Test func afterAPhaseWithoutRoomForItAPhaseIsToldAsItBegins() throws {
    #expect(
      try Self.told([Self.phase(.work, 30), Self.phase(.low, 3), Self.phase(.rest, 20)])
        == ["opening", "begins 0@5200", "begins 2@1200"])
  }

  @Test func aTextOfItsOwnStandsForTheTelling() throws {
    #expect(
      try Self.told([Self.phase(.warmup, 60), Self.phase(.rest, 60, says: "Sit down")])
        == ["opening", "begins 0@5200"])
  }

  @Test func aSurpriseIsToldAsItBegins() throws {
    var surge = Self.phase(.high, 30)
    surge.isSurprise = true
    #expect(
      try Self.told([Self.phase(.low, 60), surge, Self.phase(.low, 60)])
        == ["opening", "begins 0@5200", "begins 1@1200", "next 2"])
  }

  @Test func shortPhasesAreToldTogetherOrNotAtAll() throws {
    let pair = [Self.phase(.high, 5), Self.phase(.low, 5)]
    let phases = [Self.phase(.low, 60)] + pair + pair + pair + [Self.phase(.cooldown, 60)]
    #expect(try Self.told(phases) == ["opening", "begins 0@5200", "next 1", "next 7"])
    let together = Script(try Self.timeline(phases)).together(from: 1)
    #expect(together == Script.Together(phases: 1..<7, cycle: 2, times: 3))
    // There is no time for words about the workout besides.
    let counted = (1...3).flatMap { number in
      [Self.phase(.work, 10, says: "\(number)"), Self.phase(.rest, 3)]
    }
    #expect(try Self.told(counted + [Self.phase(.cooldown, 60)]).first == "begins 0@1200")
    // A rest may be missing after the last, an effort may not.
    func pairs(_ second: PhaseKind) throws -> Script.Together? {
      let phases = [
        Self.phase(.low, 60), Self.phase(.high, 5), Self.phase(second, 5), Self.phase(.high, 5),
        Self.phase(.cooldown, 60),
      ]
      return Script(try Self.timeline(phases)).together(from: 1)
    }
    #expect(try pairs(.rest)?.times == 2)
    #expect(try pairs(.work) == nil)
    let alone = [Self.phase(.low, 60), Self.phase(.high, 5), Self.phase(.low, 60)]
    #expect(try Self.told(alone) == ["opening", "begins 0@5200", "next 2"])
  }

  @Test func repetitionsThatAreCountedAloudAreToldOnce() throws {
    let phases =
      [Self.phase(.prepare, 20)]
      + (1...5).flatMap { [Self.phase(.work, 10, "Curl-up", says: "\($0)"), Self.phase(.rest, 3)] }
      + [Self.phase(.rest, 20)]
    let script = Script(try Self.timeline(phases))
    #expect(script.together(from: 1)?.times == 5)
    #expect((2...9).allSatisfy { script.place(of: $0) == .nowhere })
    #expect(script.place(of: 11) == .ahead)
  }

  @Test func aTextThatIsAnyNumberIsHarmless() throws {
    for text in ["9223372036854775807", "-9223372036854775808", "0"] {
      let phases = [Self.phase(.work, 20, says: text), Self.phase(.rest, 20)]
      #expect(Script(try Self.timeline(phases)).place(of: 1) == .ahead)
    }
  }

  @Test func aStretchOfACourseIsToldWithItsFirstPhase() throws {
    func rolling(_ course: Phase.Course) -> Phase {
      var phase = Self.phase(.high, 30)
      phase.course = course
      return phase
    }
    let phases =
      [
        Self.phase(.warmup, 60), rolling(.begins), rolling(.continues), rolling(.continues),
        rolling(.begins),
      ]
      + [rolling(.continues), Self.phase(.cooldown, 60)]
    #expect(try Self.told(phases) == ["opening", "begins 0@5200", "next 1", "next 4", "next 6"])
    let plan = CuePlan()
    let timeline = try Self.timeline(phases)
    let inside = plan.cues(of: 2, in: timeline).map(\.content)
    #expect(inside == [.transition(.change)])
  }

  @Test func tellingsEndBeforeTheCountdown() throws {
    let cues = CuePlan().cues(
      of: 0, in: try Self.timeline([Self.phase(.low, 60), Self.phase(.high, 60)]))
    let next = try #require(cues.first { $0.content == .next(1) })
    #expect(next.isAhead)
    #expect(next.ends == .seconds(57))
    #expect(next.earliest == .seconds(48))
  }

  /// "Set 1 completing in" comes before the count.
  @Test func tellingsHaveAsMuchTimeBeforeASpokenCount() throws {
    let set = Block(sets: 2, steps: [.init(Self.phase(.high, 60)), .init(Self.phase(.rest, 60))])
    let timeline = try Timeline(Workout(name: "Sets", blocks: [set]))
    let cues = CuePlan().cues(of: 1, in: timeline)
    let next = try #require(cues.first { $0.content == .next(2) })
    #expect(next.ends == .seconds(57))
    #expect(next.earliest == .seconds(46))
  }

  @Test(arguments: [
    (PhaseKind.high, 119, false), (.high, 120, true), (.work, 120, true), (.low, 120, true),
    (.rest, 240, false),
    (.recovery, 240, false), (.warmup, 600, false), (.prepare, 240, false),
  ])
  func halfIsAnnouncedInLongEfforts(kind: PhaseKind, seconds: Int, isAnnounced: Bool) throws {
    let cues = CuePlan().cues(of: 0, in: try Self.timeline([Self.phase(kind, seconds)]))
    #expect(cues.contains { $0.content == .halfway } == isAnnounced)
  }

  @Test func aTextBesideTheMiddleReplacesHalf() throws {
    func cues(_ second: Int) throws -> [Cue] {
      var phase = Self.phase(.high, 240)
      phase.remarks = [Remark("Breathe", at: .fromStart(.seconds(second)))]
      return CuePlan().cues(of: 0, in: try Self.timeline([phase]))
    }
    #expect(try !cues(124).contains { $0.content == .halfway })
    #expect(try cues(126).contains { $0.content == .halfway })
  }

  @Test func everyMinuteOnTheMinuteHasNoHalf() throws {
    let step = Block.Step(Self.phase(.work, 180))
    let timeline = try Timeline(Workout(name: "EMOM", blocks: [Block(sets: 5, steps: [step])]))
    #expect(!CuePlan().cues(of: 0, in: timeline).contains { $0.content == .halfway })
  }

  @Test func theLastOfThreeEqualEffortsIsKnown() throws {
    let sets = try Timeline(.sets(3, [(.high, 30), (.rest, 30)]))
    #expect(sets.entries.indices.filter { sets.isLastOfEqual($0) } == [4])
    let two = try Timeline(.sets(2, [(.high, 30), (.rest, 30)]))
    #expect(!two.entries.indices.contains { two.isLastOfEqual($0) })
  }

  /// "Last one: Hard, 1 minute" is not true to an ear that hears "Hard" again.
  @Test func theLastIsTheLastOfItsName() throws {
    let high = [Phase](repeating: Self.phase(.high, 60, "Hard"), count: 3)
    let other = [Phase](repeating: Self.phase(.high, 30, "Hard"), count: 3)
    let timeline = try Self.timeline(high + other + [Self.phase(.high, 60, "Row")])
    #expect(timeline.entries.indices.filter { timeline.isLastOfEqual($0) } == [5])
  }

  // MARK: Habit

  @Test func aNameIsEnoughFromTheThirdTimeOn() throws {
    let timeline = try Timeline(.sets(5, [(.high, 30), (.rest, 30)]))
    var known = Familiarity()
    #expect(!known.knows(0, in: timeline))
    known.note(0, in: timeline)
    known.note(0, in: timeline)
    #expect(!known.knows(2, in: timeline))
    known.note(2, in: timeline)
    #expect(known.knows(4, in: timeline) && known.knows(8, in: timeline))
    // The second telling itself stays as it was.
    #expect(!known.knows(2, in: timeline))
    #expect(!known.knows(1, in: timeline))
  }

  @Test func anotherLengthUnderTheSameNameIsToldInFullAgain() throws {
    let timeline = try Self.timeline([30, 30, 60, 30, 30].map { Self.phase(.high, $0) })
    var known = Familiarity()
    for index in 0...1 { known.note(index, in: timeline) }
    #expect(known.knows(3, in: timeline))
    // A listener who heard the name for another one, even without its length, needs both again.
    var inPart = known
    inPart.note(2, isWhole: false, in: timeline)
    #expect(!inPart.knows(3, in: timeline))
    known.note(2, in: timeline)
    #expect(!known.knows(3, in: timeline))
  }

  @Test func backAndALongPauseForgetWhatIsKnown() throws {
    var session = Session(try Timeline(.sets(6, [(.high, 30), (.rest, 30)])))
    _ = session.handle(.start, at: begin)
    session.scan.told.familiarity.note(0, in: session.timeline)
    session.scan.told.familiarity.note(2, in: session.timeline)
    #expect(session.nameIsEnough(for: 4))
    _ = session.handle(.pause, at: at(5))
    _ = session.handle(.resume, at: at(65))
    #expect(session.nameIsEnough(for: 4))
    _ = session.handle(.pause, at: at(66))
    _ = session.handle(.resume, at: at(127))
    #expect(!session.nameIsEnough(for: 4))
    session.scan.told.familiarity.note(0, in: session.timeline)
    session.scan.told.familiarity.note(2, in: session.timeline)
    _ = session.handle(.back, at: at(130))
    #expect(!session.nameIsEnough(for: 4))
  }

  @Test(arguments: [
    ("Norwegian 4 x 4", "Norwegian 4 by 4"), ("Tabata 8 × 20/10", "Tabata 8 by 20 10"),
    ("20–30 minutes", "20 to 30 minutes"), ("10-20-30 running", "10 20 30 running"),
    ("6x800 m", "6 by 800 m"), ("Couch-to-5K", "Couch-to-5K"), ("x", "x"), ("", ""),
  ])
  func aTitleIsSaidAsPeopleSayIt(title: String, said: String) {
    #expect(PhraseCatalogue.english.title(title) == said)
  }
}
