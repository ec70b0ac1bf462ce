import Foundation
import IntervalTimeline
import Testing

@testable import CoachHost
@testable import SessionStore

/// What becomes of a stored session when its name is asked for.
struct ResumptionTests {
  private let folder = StateFolder()

  /// How a session continues, what is reported and which outcome it has if it ends.
  private struct Course: Equatable {
    var mode: RestoreMode?
    var notices: [SessionNotice.Kind] = []
    var outcomes: [HistoryEntry.Outcome] = []
  }

  /// Stores sessions, and asks for the lane "anna" by rules.
  private func course(
    of sessions: [StoredSession], _ rules: Resumption.Rules = .init(),
    for wanted: OpenedWorkout? = nil
  ) throws -> Course {
    let repository = try folder.repository()
    for session in sessions { try repository.save(session) }
    var course = Course()
    var notices: [SessionNotice.Kind] = []
    var resumption = Resumption(repository, rules) { notices.append($0.kind) }
    course.mode = try resumption.lane("anna", for: wanted)?.resumed?.mode
    #expect(resumption.readFailure == nil)
    #expect(resumption.endSessions() == [])
    course.notices = notices
    course.outcomes = try repository.history().map(\.outcome)
    return course
  }

  private func rules(
    _ policy: ResumePolicy? = nil, configured: ResumePolicy? = nil, isExplicit: Bool = false,
    canEndPause: Bool = true
  ) -> Resumption.Rules {
    var rules = Resumption.Rules()
    (rules.policy, rules.configured) = (policy, configured)
    (rules.isExplicit, rules.canEndPause) = (isExplicit, canEndPause)
    return rules
  }

  private func lane(of session: StoredSession, _ rules: Resumption.Rules) throws -> OpenedWorkout {
    let repository = try folder.repository()
    try repository.save(session)
    var resumption = Resumption(repository, rules) { _ in }
    return try #require(try resumption.lane("anna"))
  }

  // MARK: Policies

  @Test func theRequestedPolicyComesBeforeTheConfiguredOne() throws {
    let held = Course(mode: .held, notices: [.held(nil)])
    let session = try StoredSession.interrupted()
    #expect(try course(of: [session]) == Course(mode: .running, notices: [.resumes]))
    #expect(try course(of: [session], rules(configured: .hold)) == held)
    #expect(try course(of: [session], rules(.hold, configured: .continue)) == held)
    let discarded = Course(outcomes: [.abandoned])
    #expect(try course(of: [session], rules(.discard, configured: .continue)) == discarded)
  }

  @Test func aPausedSessionStaysPausedUnlessItMustRun() throws {
    let session = try StoredSession.interrupted(isPaused: true)
    let paused = Course(mode: .running, notices: [.stillPaused])
    let running = Course(mode: .fromRecord, notices: [.resumesFromRecord])
    #expect(try course(of: [session]) == paused)
    #expect(try course(of: [session], rules(configured: .continue)) == paused)
    #expect(try course(of: [session], rules(.continue)) == running)
    #expect(try course(of: [session], rules(isExplicit: true)) == running)
    #expect(try course(of: [session], rules(canEndPause: false)) == running)
  }

  @Test func afterARebootItIsHeldUnlessItMustRun() throws {
    let session = try StoredSession.interrupted(isOfThisBoot: false)
    let running = Course(mode: .fromRecord, notices: [.resumesFromRecord])
    #expect(try course(of: [session]) == Course(mode: .held, notices: [.held(nil)]))
    #expect(
      try course(of: [session], rules(configured: .continue))
        == Course(mode: .held, notices: [.held(.unknownTime)]))
    #expect(try course(of: [session], rules(.continue)) == running)
    #expect(try course(of: [session], rules(isExplicit: true)) == running)
    #expect(try course(of: [session], rules(canEndPause: false)) == running)
  }

  @Test func theThirdCrashInARowHoldsIt() throws {
    let held = Course(mode: .held, notices: [.held(.crashes)])
    #expect(try course(of: [.interrupted(crashes: 2)]) == held)
    let second = try lane(of: .interrupted(crashes: 1), rules())
    #expect(second.resumed?.mode == .running)
    #expect(second.crashes == 2)
  }

  @Test(arguments: [true, false]) func anOrderlyEndOrAnExplicitRequestForgetsTheCrashes(
    isExplicit: Bool
  ) throws {
    let session = try StoredSession.interrupted(crashes: 5, isSuspended: !isExplicit)
    let lane = try lane(of: session, rules(isExplicit: isExplicit))
    #expect(lane.resumed?.mode == .running)
    #expect(lane.crashes == 0)
  }

  // MARK: Questions

  /// The number of questions where the answer is `continue`.
  private func questions(
    _ session: StoredSession, _ rules: Resumption.Rules
  ) throws -> (count: Int, course: Course) {
    var count = 0
    var rules = rules
    rules.ask = { _ in
      count += 1
      return .continue
    }
    let course = try course(of: [session], rules)
    return (count, course)
  }

  @Test func thatNobodyHasDecidedIsAsked() throws {
    let session = try StoredSession.interrupted(isPaused: true)
    let resumed = Course(mode: .running, notices: [.stillPaused])
    for rules in [rules(), rules(.ask), rules(configured: .ask), rules(.ask, configured: .hold)] {
      let (count, course) = try questions(session, rules)
      #expect(count == 1)
      #expect(course == resumed)
    }
    for rules in [rules(.hold), rules(configured: .hold)] {
      let (count, course) = try questions(session, rules)
      #expect(count == 0)
      #expect(course.mode == .held)
    }
  }

  @Test func thatNobodyAnswersIsLeftToTheSituation() throws {
    let session = try StoredSession.interrupted()
    let resumed = Course(mode: .running, notices: [.resumes])
    #expect(try course(of: [session], rules(.ask, configured: .hold)) == resumed)
    #expect(try course(of: [session], rules(configured: .ask)) == resumed)
  }

  @Test func whatEndsWhateverTheAnswerIsNotAskedAbout() throws {
    let session = try StoredSession.interrupted(
      "anna", .phases("Rows", 30, 30), ago: .seconds(600))
    let (count, course) = try questions(session, rules())
    #expect(count == 0)
    #expect(course == Course(notices: [.endedMeanwhile], outcomes: [.unattended]))
  }

  @Test func anErrorInsteadOfAnAnswerLeavesEverythingAsItIs() throws {
    struct Interrupted: Error {}
    let repository = try folder.repository()
    let session = try StoredSession.interrupted()
    try repository.save(session)
    var rules = rules()
    rules.ask = { _ in throw Interrupted() }
    var resumption = Resumption(repository, rules) { _ in }
    #expect(throws: Interrupted.self) { try resumption.lane("anna") }
    #expect(resumption.endSessions() == [])
    #expect(try repository.sessions() == [session])
  }

  // MARK: Ends

  @Test func anInterruptionThatIsTooLongAbandonsIt() throws {
    var rules = rules()
    rules.maximumAge = .seconds(3_600)
    let session = try StoredSession.interrupted(ago: .seconds(3_700), isPaused: true)
    #expect(
      try course(of: [session], rules) == Course(notices: [.tooOld], outcomes: [.abandoned]))
  }

  /// Half of the workout is left: its cues were missed, its phases are not done, and it ended when
  /// its last phase did.
  @Test func whatPassedWhileNobodyRanItIsMissed() throws {
    var workout = Workout.phases("Rows", 30, 30)
    workout.blocks[0].sets = nil
    let session = try StoredSession.interrupted(
      "anna", workout, elapsed: .seconds(30.5), ago: .seconds(600))
    let repository = try folder.repository()
    try repository.save(session)
    var resumption = Resumption(repository, rules()) { _ in }
    #expect(try resumption.lane("anna") == nil)
    #expect(resumption.endSessions() == [])
    let entry = try #require(try repository.history().first)
    #expect(entry.outcome == .unattended)
    #expect(entry.summary.phasesDone == 1)
    // What the second phase is, and its countdown.
    #expect(entry.cuesMissed == 4)
    // 29.5 s, but for the time between reading one clock and the other.
    #expect((20...40).contains((entry.endedAt - session.clocks.wall) / 1_000_000_000))
  }

  @Test(arguments: [Command.stop, .next]) func anEndThatWasNotRecordedIsRecorded(
    command: Command
  ) throws {
    let workout = Workout.phases("Rows", 30)
    let at = MachineClocks.now().boot
    var session = Session(try Timeline(workout))
    _ = session.handle(.start, at: at - .seconds(10))
    _ = session.handle(command, at: at)
    let stored = StoredSession.stored("anna", session.record(at: at), of: workout)
    #expect(
      try course(of: [stored]) == Course(outcomes: [command == .stop ? .stopped : .finished]))
  }

  @Test func ofSeveralUnderOneNameTheLastContinues() throws {
    let sessions = [
      try StoredSession.interrupted(elapsed: .seconds(20)),
      try StoredSession.interrupted(elapsed: .seconds(15)),
      try StoredSession.interrupted(elapsed: .seconds(10)),
      try StoredSession.interrupted("ben", elapsed: .seconds(5)),
    ]
    let repository = try folder.repository()
    for session in sessions.reversed() { try repository.save(session) }
    var resumption = Resumption(repository, rules()) { _ in }
    let lane = try #require(try resumption.lane("anna"))
    #expect(lane.identity.id == sessions[2].id)
    // Nothing has ended before the run can begin.
    #expect(try repository.history().isEmpty)
    #expect(resumption.endSessions() == [])
    #expect(Set(try repository.history().map(\.id)) == [sessions[0].id, sessions[1].id])
    #expect(try repository.history().allSatisfy { $0.outcome == .abandoned })
    #expect(try repository.sessions().map(\.id) == [sessions[2].id, sessions[3].id])
  }

  /// An end that fails is reported once; the session stays for the next time.
  @Test func anEndThatCannotBeStoredIsReportedOnce() throws {
    let repository = try folder.repository()
    try repository.save(.interrupted())
    var resumption = Resumption(repository, rules(.discard)) { _ in }
    #expect(try resumption.lane("anna") == nil)
    try FileManager.default.removeItem(atPath: folder.path)
    try Data().write(to: URL(fileURLWithPath: folder.path))
    let lines = resumption.endSessions()
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("the end of anna is not recorded yet: ") == true)
    #expect(resumption.endSessions() == [])
  }

  @Test func aSessionThatIsDiscardedIsAbandoned() throws {
    let repository = try folder.repository()
    let session = try StoredSession.interrupted()
    try repository.save(session)
    try Resumption(repository, rules()) { _ in }.discard(session)
    #expect(try repository.history().map(\.outcome) == [.abandoned])
    #expect(try repository.sessions().isEmpty)
  }

  // MARK: Damage

  @Test func aSessionWithoutASenseIsSetAside() throws {
    var session = try StoredSession.interrupted()
    session.record.anchors.phase = 7
    #expect(try course(of: [session]) == Course(notices: [.damaged]))
    #expect(try folder.repository().sessions().isEmpty)
  }

  @Test func sessionsThatCannotBeReadKeepNoWorkoutFromBeginning() throws {
    let repository = try folder.repository()
    try FileManager.default.removeItem(atPath: folder.path)
    try Data().write(to: URL(fileURLWithPath: folder.path))
    var resumption = Resumption(repository, rules()) { _ in }
    #expect(try resumption.lane("anna") == nil)
    #expect(resumption.readFailure?.kind == .store(.failed))
  }

  /// That it could not be opened has been reported.
  @Test func withoutAStoreNothingIsRead() throws {
    try Data().write(to: URL(fileURLWithPath: folder.path))
    let repository = try SessionRepository(
      folder: folder.path, runtimeFolder: nil, isOptional: true)
    #expect(repository.openingFailure != nil)
    var resumption = Resumption(repository, rules()) { _ in }
    #expect(try resumption.lane("anna") == nil)
    #expect(resumption.readFailure == nil)
  }

  // MARK: What continues

  @Test func theNameIsClaimedFirst() throws {
    let (one, other) = (try folder.repository(), try folder.repository())
    try one.save(.interrupted())
    var resumption = Resumption(one, rules()) { _ in }
    #expect(try resumption.lane("anna") != nil)
    var second = Resumption(other, rules()) { _ in }
    #expect(throws: HostError.self) { try second.lane("anna") }
  }

  @Test func theProgramWasAliveUntilItsLastHeartbeat() throws {
    let repository = try folder.repository()
    let session = try StoredSession.interrupted()
    try repository.save(session)
    let alive = session.record.at + .seconds(0.5)
    let heartbeat = try #require(repository.heartbeat(of: session.id))
    heartbeat.beat(at: alive)
    var resumption = Resumption(repository, rules()) { _ in }
    #expect(try resumption.lane("anna")?.resumed?.alive == alive)
  }

  @Test func theSameWorkoutIsTakenAsItIsRequestedNow() throws {
    let order = StartOrder(
      preset: "/home/anna/rows.yaml", style: AnnouncementStyle(density: .counts))
    let repository = try folder.repository()
    try repository.save(.interrupted(order: order))
    var workout = Workout.phases("Rows", 3_600, 3_600)
    workout.blocks[0].steps[0].phase.remarks = [Remark("Breathe", at: .fromStart(.seconds(5)))]
    let wanted = OpenedWorkout(
      "anna", try Timeline(workout), order: StartOrder(style: AnnouncementStyle(countdown: 5)))
    var resumption = Resumption(repository, rules()) { _ in }
    let lane = try #require(try resumption.lane("anna", for: wanted))
    #expect(lane.identity.workout == workout)
    #expect(lane.identity.order == wanted.identity.order.or(order))
    #expect(lane.identity.order.style.density == .counts)
  }

  /// The preset of another day: what was drawn is on disk.
  @Test func theSurprisesOfAnotherDayStayThoseThatItBeganWith() throws {
    var (begun, wanted) = (
      Workout.phases("Fartlek", 3_600, 60), Workout.phases("Fartlek", 1_800, 90)
    )
    begun.seed = Workout.Seed(20_261_121, isOfDay: true)
    wanted.seed = Workout.Seed(20_261_122, isOfDay: true)
    let repository = try folder.repository()
    try repository.save(.interrupted("anna", begun))
    var resumption = Resumption(repository, rules()) { _ in }
    let lane = try #require(
      try resumption.lane("anna", for: OpenedWorkout("anna", try Timeline(wanted))))
    #expect(lane.timeline.workout == begun)
    #expect(lane.identity.workout == begun)
    #expect(lane.resumed?.mode == .running)
  }

  @Test func anotherWorkoutEndsItIfThatIsTheAnswer() throws {
    let session = try StoredSession.interrupted()
    let other = OpenedWorkout("anna", try Timeline(.phases("Boxing", 60)))
    var count = 0
    var rules = rules()
    rules.ask = { _ in
      count += 1
      return .discard
    }
    #expect(try course(of: [session], rules, for: other) == Course(outcomes: [.abandoned]))
    #expect(count == 1)
    // With this policy nobody is asked, and nothing is reported.
    rules.policy = .discard
    #expect(
      try course(of: [.interrupted()], rules, for: other)
        == Course(outcomes: [.abandoned, .abandoned]))
    #expect(count == 1)
  }
}
