import CueSound
import CueTesting
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

@testable import CueEngine

/// An engine whose machine sleeps, or whose program is stopped.
@Suite(.timeLimit(.minutes(30))) struct StallTests {
  /// The clocks of a machine that may sleep.
  private final class Machine: Sendable {
    let clock = ManualClock()
    /// Protects the sleep. It has slept before.
    let slept = Mutex(Duration.seconds(3600))

    func sleep(_ duration: Duration) {
      slept.withLock { $0 += duration }
      clock.advance(by: duration)
    }
  }

  /// The first announcement of an engine after eight seconds without a check.
  private func firstWord(
    pausedBySleep: Duration?, after pass: (Machine) -> Void
  ) async throws -> EngineEvent? {
    let machine = Machine()
    let (words, teller) = AsyncStream.makeStream(of: EngineEvent.self)
    var settings = CueEngine.Settings()
    settings.checkInterval = .milliseconds(5)
    settings.pausedBySleep = pausedBySleep
    let engine = CueEngine(
      output: RecordingOutput(origin: machine.clock.now), sounds: SoundPack(), speech: nil,
      settings: settings, clock: { machine.clock.now },
      sleepClock: { machine.slept.withLock { $0 } }, events: { teller.yield($0) })
    let lane = try await engine.addLane("anna", timeline: try Timeline(.sets(1, [(.low, 600)])))
    await engine.send(.start, to: lane)
    #expect(engine.status(of: lane)?.state == .running)
    pass(machine)
    defer { engine.shutDown() }
    for await word in words {
      switch word {
      case .slept, .stalled: return word
      default: continue
      }
    }
    return nil
  }

  @Test func aSleepThatPausesNothingIsSaidAndTheTimersKeepRunning() async throws {
    let word = try await firstWord(pausedBySleep: nil) { $0.sleep(.seconds(8)) }
    guard case .stalled(let time) = word else { throw Unexpected("\(String(describing: word))") }
    #expect(time >= .seconds(8))
  }

  @Test func aSleepThatPausesIsNoStall() async throws {
    let word = try await firstWord(pausedBySleep: .seconds(5)) { $0.sleep(.seconds(8)) }
    guard case .slept(.seconds(8)) = word else { throw Unexpected("\(String(describing: word))") }
  }

  @Test func aStoppedProgramIsAStallWhateverSleepsDo() async throws {
    let word = try await firstWord(pausedBySleep: .seconds(5)) { $0.clock.advance(by: .seconds(8)) }
    guard case .stalled = word else { throw Unexpected("\(String(describing: word))") }
  }
}
