import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// A metronome as it is heard: the first sample of each tick, found in the sound.
@Suite struct TickingTests {
  static func phase(_ seconds: Int, _ metronome: Metronome?) -> Phase {
    var phase = Phase(.work, .fixed(.seconds(seconds)))
    phase.metronome = metronome
    return phase
  }

  /// Ticks of four samples, so that each is found as a whole.
  static let sounds = SoundPack(
    rate: 8_000,
    replacing: [.tick: 1, .accent: 2, .offbeat: 3].mapValues { (factor: Int16) in
      PCMClip(rate: 8_000, samples: [1000, -1000, 1000, -1000].map { $0 * factor })
    })

  /// The frames at which ticks begin, by the bench's output: a jump from silence to their first sample.
  static func onsets(_ bench: TestBench) -> [Int] {
    let level = Int(sounds[.tick].memory[0])
    let samples = bench.output.samples
    return samples.indices.dropFirst().filter {
      samples[$0 - 1] == 0 && Int(samples[$0]) == level && $0 + 1 < samples.count
        && Int(samples[$0 + 1]) == -level
    }
  }

  final class Run {
    let bench = TestBench()
    let engine: CueEngine
    let lane: LaneID

    init(_ phases: [Phase]) throws {
      engine = bench.makeEngine()
      let workout = Workout("Row", phases)
      lane = try engine.addLane(
        "anna", timeline: Timeline(workout), style: LaneStyle(density: .quiet, countdown: 0),
        sounds: TickingTests.sounds)
      engine.send(.start, to: lane)
    }

    func advance(_ time: Duration) { bench.advance(engine, by: time) }

    func send(_ command: Command, then time: Duration) {
      engine.send(command, to: lane)
      advance(time)
    }

    /// The frame on which the workout begins.
    var start: Int {
      bench.cues.first { $0.kind == "transition" }.map { bench.output.frame(at: $0.due) } ?? 0
    }

    /// Seconds since the bench's start, of all ticks but those under the sound of a beginning.
    func end() -> [Double] {
      engine.shutDown()
      return TickingTests.onsets(bench).map { Double($0) / 8_000 }
    }
  }

  /// Beat 0 lies where the phase begins, under the sound of its beginning.
  @Test func eachTickIsOnItsSample() throws {
    let run = try Run([Self.phase(20, Metronome(.steady(90)))])
    run.advance(.seconds(19))
    let frames = run.end().map { Int(($0 * 8_000).rounded()) - run.start }
    let due = (1..<29).map { Int((Double($0) * 8_000 * 60 / 90).rounded()) }
    #expect(frames.count > 20 && Set(frames).isSubset(of: due))
    // None is missing once the sound of the beginning is over.
    #expect(frames == due.filter { $0 >= frames[0] && $0 <= frames[frames.count - 1] })
  }

  @Test func aPauseIsSilentAndBeatNoughtFollowsIt() throws {
    let run = try Run([Self.phase(60, Metronome(.steady(60)))])
    run.advance(.seconds(10))
    run.send(.pause, then: .milliseconds(5_250))
    run.send(.resume, then: .seconds(10))
    let ticks = run.end()
    #expect(ticks.filter { $0 > 10.05 && $0 < 15.25 }.isEmpty)
    let after = ticks.filter { $0 >= 15.25 }
    #expect(after.count >= 9)
    #expect(
      after.allSatisfy { abs(($0 - 15.25).remainder(dividingBy: 1)) < 1.0 / 8_000 }, "\(after)")
  }

  @Test func aPauseInTheFirstSecondIsFollowedByBeatNoughtToo() throws {
    let run = try Run([Self.phase(60, nil), Self.phase(60, Metronome(.steady(24)))])
    run.advance(.milliseconds(5_300))
    run.send(.next, then: .milliseconds(500))
    run.send(.pause, then: .seconds(5))
    run.send(.resume, then: .seconds(10))
    let after = run.end().filter { $0 > 5.9 }
    #expect(after.count >= 4)
    #expect(
      after.allSatisfy { abs(($0 - 10.8).remainder(dividingBy: 2.5)) < 1.0 / 8_000 }, "\(after)")
  }

  /// Beat 0 after a pause is due when the output can play it, not before: it would be the one that is lost.
  @Test func afterAPauseBeatNoughtWaitsForTheOutput() throws {
    let run = try Run([Self.phase(60, Metronome(.steady(24)))])
    run.bench.output.report(.plays(minimumLeadTime: .milliseconds(100)))
    run.advance(.seconds(10))
    run.send(.pause, then: .milliseconds(5_250))
    run.send(.resume, then: .seconds(10))
    let after = run.end().filter { $0 > 15.2 }
    #expect(after.count >= 4)
    #expect(
      after.allSatisfy { abs(($0 - 15.35).remainder(dividingBy: 2.5)) < 1.0 / 8_000 }, "\(after)")
  }

  @Test func nextEndsThemAndTheNextPhaseHasItsOwn() throws {
    let run = try Run([
      Self.phase(60, Metronome(.steady(60))), Self.phase(60, nil),
      Self.phase(60, Metronome(.steady(120))),
    ])
    run.advance(.milliseconds(5_300))
    run.send(.next, then: .seconds(5))
    run.send(.next, then: .seconds(5))
    let ticks = run.end()
    #expect(ticks.filter { $0 < 5.3 }.count >= 3)
    #expect(ticks.filter { $0 > 5.31 && $0 < 10.3 }.isEmpty)
    let third = ticks.filter { $0 > 10.31 }
    #expect(third.count >= 7)
    #expect(third.allSatisfy { abs(($0 - 10.3).remainder(dividingBy: 0.5)) < 1.0 / 8_000 })
  }

  @Test func theyEndWithAnOpenPhase() throws {
    var phase = Phase(.work, .open(.signal("ready")))
    phase.metronome = Metronome(.steady(60))
    let run = try Run([phase, Self.phase(30, nil)])
    run.advance(.milliseconds(5_700))
    run.engine.signal("ready", to: run.lane)
    run.advance(.seconds(5))
    let ticks = run.end()
    #expect(
      ticks.contains { abs($0 - Double(run.start) / 8_000 - 5) < 0.001 }
        && ticks.allSatisfy { $0 < 5.71 })
  }

  @Test func anHourOfThemIsNotKept() throws {
    let run = try Run([Self.phase(3600, Metronome(.steady(180)))])
    run.bench.output.keepsSamples = false
    run.advance(.seconds(3000))
    // No cue and no line: the ledger has the start and the beginning.
    #expect(run.bench.ledger.count < 10)
    run.engine.shutDown()
  }

  @Test func theWordsThatAreSaidDoNotMoveThem() throws {
    let run = try Run([Self.phase(30, Metronome(.steady(120)))])
    run.advance(.seconds(5))
    _ = run.engine.say(Message("Shoulders down, and breathe"), in: run.lane, report: { _ in })
    run.advance(.seconds(10))
    run.engine.shutDown()
    let quiet = Int16((Float(Self.sounds[.tick].memory[0]) * 0.251).rounded())
    let samples = run.bench.output.samples
    let cue = try #require(run.bench.cues.first { $0.kind == "message" })
    let first = run.bench.output.frame(at: cue.due)
    // Words are constant in this voice; a tick is what is added to them.
    let under = (first..<first + 8_000).filter { frame in
      let step = Int(samples[frame]) - Int(samples[frame - 1])
      return step != 0 && abs(step - Int(quiet)) <= 1
    }
    #expect(under.count >= 2)
    // The rise from its last sample, four frames on, is as large.
    #expect(under.allSatisfy { [0, 4].contains(($0 - run.start) % 4_000) }, "\(under.prefix(5))")
  }
}
