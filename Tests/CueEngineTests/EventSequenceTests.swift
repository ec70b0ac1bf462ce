import CueTesting
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

@testable import CueEngine

/// What happens, as sequences.
struct EventSequenceTests {
  private let run = EngineRun()
  private static let workout = Workout.sets(2, [(.low, 4), (.high, 3)])

  /// Runs the workout to its end, then ends the engine.
  private func play(_ run: EngineRun) throws {
    let lane = try run.engine.addLane("anna", timeline: Timeline(Self.workout))
    run.engine.send(.start, to: lane)
    run.run(.seconds(20))
    run.engine.shutDown()
  }

  @Test func everySubscriberReceivesWhatTheClosuresDo() async throws {
    let events = (0..<3).map { _ in run.engine.events }
    let ledgers = (0..<3).map { _ in run.engine.ledger }
    #expect(run.engine.subscriberCount == 6)
    try play(run)
    #expect(run.log.events.count > 10)
    for events in events {
      #expect(await events.collected().map { "\($0)" } == run.log.engineEvents.map { "\($0)" })
    }
    for ledger in ledgers { #expect(await ledger.collected() == run.log.events) }
    #expect(run.engine.subscriberCount == 0)
  }

  @Test func afterShutDownASequenceIsEmpty() async throws {
    let lane = try await run.engine.addLane("anna", timeline: Timeline(Self.workout))
    run.engine.shutDown()
    #expect(await run.engine.events.collected().isEmpty)
    #expect(await run.engine.ledger.collected().isEmpty)
    #expect(await run.engine.statuses(of: lane).collected().isEmpty)
    #expect(run.engine.subscriberCount == 0)
  }

  /// The loop runs on its task: there it may wait for the check queue, which a closure may not.
  @Test func aLoopMayAskTheEngine() async throws {
    let (engine, events) = (run.engine, run.engine.events)
    let counts = Task {
      var counts: [Int] = []
      for await _ in events { counts.append(engine.statuses().count) }
      return counts
    }
    try play(run)
    #expect(await counts.value.count == run.log.engineEvents.count)
  }

  /// `omitted` stands for what nobody has read, not for what another loop has.
  @Test func aSecondLoopReceivesWhatTheFirstOneLeaves() async throws {
    let numbers = Subscribers<Int>()
    let sequence = numbers.sequence(omitted: { -$0 })
    for number in 0..<5 { numbers.send(number) }
    var first: [Int] = []
    for await number in sequence {
      first.append(number)
      if first.count == 2 { break }
    }
    for number in 5..<2000 { numbers.send(number) }
    numbers.finish()
    #expect(first == [0, 1])
    var second: [Int] = []
    for await number in sequence {
      second.append(number)
      // The element after those omitted is not lost with the loop.
      if number < 0 { break }
    }
    #expect(second == [-974])
    let third = await sequence.collected()
    #expect(third == Array(976..<2000))
  }

  // MARK: One lane's status

  @Test func aLanesStatusBeginsWithThePresentAndEndsWithTheLane() async throws {
    let lane = try await run.engine.addLane("anna", timeline: Timeline(Self.workout))
    let statuses = run.engine.statuses(of: lane)
    var iterator = statuses.makeAsyncIterator()
    #expect(await iterator.next()?.state == .ready)
    #expect(await run.engine.send(.start, to: lane) == .done)
    #expect(await iterator.next()?.state == .running)
    run.run(.seconds(1))
    #expect(await run.engine.send(.pause, to: lane) == .done)
    #expect(await iterator.next()?.state == .paused)
    await run.engine.send(.resume, to: lane)
    // Those between are replaced by the latest.
    run.run(.seconds(20))
    #expect(await iterator.next()?.state == .finished)
    #expect(await iterator.next() == nil)
    #expect(run.engine.subscriberCount == 0)
    #expect(await run.engine.statuses(of: lane).collected().isEmpty)
  }

  @Test func anotherSubscriberOfALaneCausesNoStatus() async throws {
    let lane = try await run.engine.addLane("anna", timeline: Timeline(Self.workout))
    var first = run.engine.statuses(of: lane).makeAsyncIterator()
    #expect(await first.next()?.state == .ready)
    var second = run.engine.statuses(of: lane).makeAsyncIterator()
    #expect(await second.next()?.state == .ready)
    await run.engine.send(.start, to: lane)
    #expect(await first.next()?.state == .running)
  }

  @Test func aRestoredLaneHasANewStatus() async throws {
    let timeline = try Timeline(Self.workout)
    var session = Session(timeline)
    _ = session.handle(.start, at: run.clock.now)
    _ = session.handle(.pause, at: run.clock.now)
    let record = session.record(at: run.clock.now)
    let lane = try await run.engine.addLane("anna", timeline: timeline, restoring: record)
    var statuses = run.engine.statuses(of: lane).makeAsyncIterator()
    #expect(await statuses.next()?.state == .paused)
    #expect(
      await run.engine.restore([(lane: lane, mode: .fromRecord, alive: nil)]) == .done)
    #expect(await statuses.next()?.state == .running)
  }

  // MARK: A reader that does not keep up

  /// So many events that a reader can see apart.
  private func flood(_ engine: CueEngine, _ count: Int) {
    for number in 1...count { engine.setVolume(Float(number) / 10_000) }
  }

  private func description(_ events: [EngineEvent]) -> [String] { events.map { "\($0)" } }

  @Test func whatIsNotReadIsLimitedAndTheReaderLearnsHowMuchIsMissing() async throws {
    let events = run.engine.events
    let ledger = run.engine.ledger
    flood(run.engine, 3_000)
    run.engine.shutDown()
    let all = run.log.engineEvents
    #expect(all.count == 3_000)
    let limit = EventSequence<EngineEvent>.limit
    let expected = [EngineEvent.omitted(3_000 - limit)] + all.suffix(limit)
    #expect(description(await events.collected()) == description(expected))
    #expect(await ledger.collected().isEmpty)
  }

  @Test func theGapIsWhereItWas() async throws {
    let events = run.engine.events
    var iterator = events.makeAsyncIterator()
    flood(run.engine, 2)
    var read = [await iterator.next(), await iterator.next()].compactMap { $0 }
    let limit = EventSequence<EngineEvent>.limit
    flood(run.engine, limit + 5)
    run.engine.shutDown()
    while let event = await iterator.next() { read.append(event) }
    let all = run.log.engineEvents
    let expected = all.prefix(2) + [.omitted(5)] + all.suffix(limit)
    #expect(description(read) == description(Array(expected)))
  }

  @Test func aGapInTheLedgerIsALine() {
    #expect(LedgerEvent.omitted(7).line == #"{"event":"omitted","count":7}"#)
  }

  // MARK: Nothing is left behind

  @Test func aSubscriptionEndsWithItsTask() async throws {
    let lane = try await run.engine.addLane("anna", timeline: Timeline(Self.workout))
    let engine = run.engine
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let tasks = [
      Task {
        for await _ in engine.events { begin.yield() }
      },
      Task {
        for await _ in engine.ledger { begin.yield() }
      },
      Task {
        for await _ in engine.statuses(of: lane) { begin.yield() }
      },
    ]
    // Every loop has read something.
    #expect(await eventually { engine.subscriberCount == 3 })
    await engine.send(.start, to: lane)
    for await _ in begun { break }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(engine.subscriberCount == 0)
    engine.shutDown()
  }

  @Test func aSubscriptionEndsWithItsLoopItsSequenceAndItsIterator() async throws {
    let engine = run.engine
    do {
      let unread = run.engine.events
      var iterator = run.engine.events.makeAsyncIterator()
      flood(run.engine, 3)
      _ = await iterator.next()
      #expect(run.engine.subscriberCount == 2)
      _ = unread
    }
    #expect(run.engine.subscriberCount == 0)
    flood(run.engine, 2)
    let events = Task {
      for await _ in engine.events { break }
    }
    #expect(await eventually { engine.subscriberCount == 1 })
    flood(run.engine, 2)
    await events.value
    #expect(run.engine.subscriberCount == 0)
  }

  @Test func anEngineThatIsReleasedEndsItsSequences() async throws {
    var run: EngineRun? = EngineRun()
    let log = try #require(run?.log)
    let events = try #require(run?.engine.events)
    let lane = try await #require(run?.engine).addLane("anna", timeline: Timeline(Self.workout))
    let statuses = try #require(run?.engine.statuses(of: lane))
    await run?.engine.send(.start, to: lane)
    let released = WeakEngine(run?.engine)
    run = nil
    // A block on the check queue may be the last to hold it.
    #expect(await eventually { released.isReleased })
    #expect(await events.collected().count == log.engineEvents.count)
    _ = await statuses.collected()
  }

  // MARK: Commands

  @Test func everyCommandReturnsWhatBecameOfIt() async throws {
    let engine = run.engine
    #expect(await engine.send(.pause) == .noLane)
    let timeline = try Timeline(Self.workout)
    let anna = try await engine.addLane("anna", timeline: timeline)
    let ben = try await engine.addLane("ben", timeline: timeline)
    await #expect(throws: LaneError.nameTaken("anna")) {
      try await engine.addLane("anna", timeline: timeline)
    }
    await engine.prepare([anna], within: .zero)
    #expect(await engine.send(.pause, to: anna) == .noEffect(.ready))
    #expect(await engine.send(.start, to: [anna]) == .done)
    #expect(await engine.send(.start, to: anna) == .noEffect(.running))
    #expect(await engine.start([ben], at: run.clock.now + .seconds(2)) == .done)
    #expect(await engine.signal("heart-rate-low", to: anna) == .noEffect(.running))
    #expect(await engine.setVolume(0.5) == .done)
    #expect(engine.volume == 0.5)
    #expect(await engine.send(.stop, to: [anna, ben]) == .done)
    run.run(.seconds(2))
    #expect(await engine.send(.next, to: anna) == .unknownLane)
    engine.shutDown()
    #expect(await engine.send(.next) == .shutDown)
    #expect(await engine.restore([]) == .shutDown)
    await #expect(throws: LaneError.shutDown) {
      try await engine.addLane("cleo", timeline: timeline)
    }
  }

  /// A closure may not wait; a task that it begins may.
  @Test func aTaskBegunInAClosureGivesCommands() async throws {
    let (answers, teller) = AsyncStream.makeStream(of: CommandAnswer.self)
    let holder = EngineHolder()
    let run = EngineRun { event in
      guard case .obeyed(.start, let status) = event else { return }
      Task {
        guard let engine = holder.engine.withLock({ $0 }) else { return }
        teller.yield(await engine.send(.pause, to: status.id))
      }
    }
    holder.engine.withLock { $0 = run.engine }
    let lane = try await run.engine.addLane("anna", timeline: Timeline(Self.workout))
    await run.engine.send(.start, to: lane)
    for await answer in answers {
      #expect(answer == .done)
      break
    }
    #expect(run.engine.status(of: lane)?.state == .paused)
    run.engine.shutDown()
    holder.engine.withLock { $0 = nil }
  }
}

private final class WeakEngine: @unchecked Sendable {
  // Unchecked: a weak reference may be read by any thread.
  private weak var engine: CueEngine?
  init(_ engine: CueEngine?) { self.engine = engine }
  var isReleased: Bool { engine == nil }
}
