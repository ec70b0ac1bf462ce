import CoachHost
import CueEngine
import CueSound
import CueTesting
import Dispatch
import IntervalTimeline
import SessionStore
import Synchronization
import TestSupport
import Testing

@Suite struct CoachHostTests {
  private let run = HostRun()

  /// A sound that a workout brought along.
  private struct Trace {
    weak var clip: PCMClip?
  }

  /// Adds a workout with sounds of its own, and begins it.
  private func begin(_ name: String, _ workout: Workout, on run: HostRun) throws -> Trace {
    let clips = SoundRole.allCases.map { meaning in
      (meaning, PCMClip(rate: 8_000, samples: Array(repeating: 1_000, count: 40)))
    }
    let sounds = SoundPack(
      rate: 8_000, replacing: Dictionary(uniqueKeysWithValues: clips))
    var workout = OpenedWorkout(name, try Timeline(workout))
    workout.sounds = sounds
    #expect(run.begin([try run.host.add(workout)]) == .done)
    return Trace(clip: sounds[.finish])
  }

  @Test func aThousandWorkoutsOneAfterAnotherLeaveNothing() throws {
    var traces: [Trace] = []
    for number in 1...1_000 {
      traces.append(try begin("anna", .phases("Short", 2), on: run))
      #expect(traces.last?.clip != nil)
      run.run(.seconds(4))
      #expect(run.host.statuses().isEmpty, "workout \(number)")
    }
    #expect(run.ends.count == 1_000)
    // The reports of the last sounds are read by the next check.
    run.run(.seconds(1))
    #expect(traces.count { $0.clip != nil } == 0)
  }

  @Test func overlappingWorkoutsLeaveNothing() throws {
    var traces: [Trace] = []
    for number in 1...300 {
      traces.append(try begin("lane \(number)", .phases("Overlap", 7), on: run))
      run.run(.seconds(2))
      #expect(traces.count { $0.clip != nil } <= 6, "workout \(number)")
    }
    run.run(.seconds(12))
    #expect(run.ends.count == 300)
    #expect(traces.count { $0.clip != nil } == 0)
  }

  @Test func aHostThatIsLetGoOfIsGone() throws {
    weak var host: CoachHost?
    var trace: Trace?
    do {
      let run = HostRun(repository: try StateFolder().repository())
      host = run.host
      trace = try begin("anna", .phases("Cut off", 60), on: run)
      run.run(.seconds(4))
      #expect(run.host.shutDown())
    }
    #expect(host == nil)
    #expect(trace?.clip == nil)
  }

  @Test func overlappingWorkoutsEndOneByOne() throws {
    for number in 0..<40 {
      let lane = try run.add("lane \(number)", .phases("Overlap", 7))
      run.host.begin([lane])
      run.run(.seconds(2))
      #expect(run.host.statuses().count <= 6)
    }
    run.run(.seconds(12))
    #expect(run.ends.map(\.0.name) == (0..<40).map { "lane \($0)" })
    #expect(run.ends.allSatisfy { $0.0.state == .finished })
  }

  @Test func aNameIsFreeAgainWhenItsWorkoutHasEnded() throws {
    let lane = try run.add("anna", .phases("First", 2))
    #expect(throws: HostError.self) { try run.add("anna", .phases("Second", 2)) }
    run.host.begin([lane])
    run.run(.seconds(5))
    _ = try run.add("anna", .phases("Second", 2))
  }

  /// Anna's first workout, which was stopped while the sound of its next phase was on its way.
  private func fading(_ repository: SessionRepository) throws -> (HostRun, LaneID) {
    let run = HostRun(repository: repository)
    let first = try run.add("anna", .phases("First", 3, 20))
    run.host.begin([first])
    run.run(.seconds(2))
    #expect(run.send(.stop, to: first) == .done)
    return (run, first)
  }

  /// Before its last sounds have faded, and each keeps its own place in the history.
  @Test func aNameIsFreeAsSoonAsItsWorkoutIsStopped() throws {
    let folder = StateFolder()
    let (run, first) = try fading(try folder.repository())
    #expect(run.host.statuses().map(\.id) == [first])
    let second = try run.add("anna", .phases("Second", 20))
    // Others still may not have it, here or elsewhere.
    #expect(throws: HostError.self) { try run.add("anna", .phases("Third", 2)) }
    run.host.begin([second])
    run.run(.seconds(2))
    #expect(run.host.statuses().map(\.id) == [second])
    #expect(run.ends.map(\.0.id) == [first])
    let other = try folder.repository()
    #expect(try other.holder(of: "anna") != nil)
    #expect(run.send(.stop, to: second) == .done)
    run.run(.seconds(2))
    #expect(run.host.shutDown())
    #expect(try other.holder(of: "anna") == nil)
    let history = try folder.history()
    #expect(Set(history.map(\.workout)) == ["First", "Second"])
    #expect(history.allSatisfy { $0.outcome == .stopped })
  }

  /// What the first one has stored is no interrupted session.
  @Test func aFadingWorkoutIsNotResumed() throws {
    let folder = StateFolder()
    let repository = try folder.repository()
    let (run, _) = try fading(repository)
    var resumption = Resumption(repository, Resumption.Rules()) { _ in }
    #expect(try resumption.lane("anna") == nil)
    #expect(resumption.endSessions() == [])
    #expect(run.host.shutDown())
    #expect(try folder.history().map(\.outcome) == [.stopped])
  }

  @Test func commandsAreAnswered() throws {
    #expect(run.send(.pause) == .noLane)
    let lane = try run.add("anna", .phases("Short", 20))
    run.host.begin([lane])
    run.run(.seconds(1))
    #expect(run.send(.pause, to: lane) == .done)
    #expect(run.send(.pause, to: lane) == .noEffect(.paused))
    #expect(run.send(.stop, to: lane) == .done)
    run.run(.seconds(1))
    #expect(run.send(.pause, to: lane) == .unknownLane)
    #expect(run.host.shutDown())
    #expect(run.send(.pause) == .shutDown)
    #expect(throws: HostError.self) { try run.add("ben", .phases("Late", 2)) }
  }

  @Test func beginningIsAnswered() throws {
    #expect(run.begin([]) == .noLane)
    let lane = try run.add("anna", .phases("Short", 20))
    let ended = try run.add("ben", .phases("Short", 20))
    #expect(run.send(.stop, to: ended) == .done)
    #expect(run.begin([ended]) == .unknownLane)
    #expect(run.begin([ended, lane]) == .done)
    #expect(run.begin([lane]) == .noEffect(.running))
    #expect(run.host.statuses().map(\.name) == ["anna"])
    #expect(run.host.shutDown())
    #expect(run.begin([lane]) == .shutDown)
  }

  /// From any thread, and after `shutDown`.
  @Test func noCallTraps() throws {
    let lanes = try (0..<4).map { try run.add("lane \($0)", .phases("Short", 20)) }
    let commands: [Command] = [
      .start, .pause, .resume, .next, .back, .whereAmI, .sayName, .askStop, .stop,
    ]
    let host = run.host
    DispatchQueue.concurrentPerform(iterations: 400) { number in
      let lane = number % 5 < 4 ? lanes[number % 5] : nil
      switch number % 12 {
      case 9: host.begin(lanes)
      case 10: host.setVolume(Float(number) / 200)
      case 11: _ = host.statuses()
      default: host.send(commands[number % 12], to: lane)
      }
    }
    #expect(run.host.shutDown())
    #expect(run.host.shutDown())
    for command in commands { #expect(run.send(command) == .shutDown) }
    run.host.prepare()
    run.host.withdrawQuestion()
    _ = run.host.suspend()
    #expect(run.begin(lanes) == .shutDown)
    #expect(run.setVolume(0.5) == .shutDown)
  }

  @Test func everySubscriberGetsEveryEventUntilItCancels() throws {
    let others = Mutex(0)
    let other = run.host.subscribe { _ in others.withLock { $0 += 1 } }
    let lane = try run.add("anna", .phases("Short", 4, 4))
    run.host.begin([lane])
    run.run(.seconds(3))
    #expect(others.withLock { $0 } == run.events.count)
    other.cancel()
    let seen = others.withLock { $0 }
    run.run(.seconds(10))
    #expect(others.withLock { $0 } == seen)
    #expect(run.events.count > seen)
  }

  @Test func theVolumeIsSetAndReported() throws {
    // The same volume again is no change.
    for gain: Float in [0.3, 0.3, 2] { #expect(run.setVolume(gain) == .done) }
    let volumes = run.events.compactMap {
      if case .engine(.volumeChanged(let gain)) = $0 { gain } else { nil }
    }
    #expect(volumes == [0.3, 1])
    #expect(run.host.shutDown())
    #expect(run.setVolume(0.5) == .shutDown)
  }

  @Test func theVolumeIsHeard() throws {
    func peak(_ volume: Float?) throws -> Int {
      let run = HostRun(keepsSamples: true)
      if let volume { #expect(run.setVolume(volume) == .done) }
      run.host.begin([try run.add("anna", .phases("Short", 3))])
      // Comes after the start on the check queue.
      _ = run.host.statuses()
      run.run(.seconds(5))
      return run.output.samples.map { abs(Int($0)) }.max() ?? 0
    }
    let full = try peak(nil)
    #expect(full > 1_000)
    #expect(try abs(peak(0.5) - full / 2) <= 1)
    #expect(try peak(0) == 0)
  }

  @Test func aStatusSaysWhatIsTheMost() throws {
    let rest = Phase(.rest, .open(.untilNext, OpenBounds(atMost: .seconds(60))))
    let work = Phase(.work, .fixed(.seconds(20)))
    let workout = Workout("Row", [work, rest, work])
    run.host.begin([try run.add("anna", workout)])
    run.run(.seconds(1))
    let first = run.host.statuses()[0]
    #expect(!first.mayEndEarly && first.workoutMayEndEarly)
    run.run(.seconds(20))
    let second = run.host.statuses()[0]
    #expect(second.mayEndEarly && second.workoutMayEndEarly)
    run.run(.seconds(60))
    let third = run.host.statuses()[0]
    #expect(third.phase == 2 && !third.mayEndEarly && !third.workoutMayEndEarly)
  }
}
