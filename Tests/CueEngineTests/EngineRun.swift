import CueSound
import CueTesting
import IntervalTimeline
import Synchronization

@testable import CueEngine

/// An engine on a test's clock and output.
final class EngineRun {
  let clock = ManualClock()
  let output: RecordingOutput
  let engine: CueEngine
  /// What the closures of the engine received.
  let log = LedgerLog()

  /// - Parameter events: called after `log` has an event.
  init(events: @escaping @Sendable (EngineEvent) -> Void = { _ in }) {
    output = RecordingOutput(origin: clock.now, rate: 8_000)
    engine = CueEngine(
      output: output, sounds: SoundPack(rate: 8_000), speech: nil,
      clock: { [clock] in clock.now }, sleepClock: { .zero },
      ledger: { [log] in log.append($0) },
      events: { [log] event in
        log.append(event)
        events(event)
      })
  }

  /// Lets time pass with a check each half second.
  func run(_ duration: Duration) {
    // A command that was given before is handled before time passes.
    _ = engine.statuses()
    let end = clock.now + duration
    while clock.now < end {
      clock.advance(to: min(end, clock.now + .milliseconds(500)))
      output.advance(to: clock.now)
      engine.checkNow()
    }
  }
}

extension EventSequence {
  /// Everything up to the end.
  func collected() async -> [Element] {
    var all: [Element] = []
    for await element in self { all.append(element) }
    return all
  }
}

/// Holds an engine for its own closures.
final class EngineHolder: Sendable {
  /// Protects the engine.
  let engine = Mutex<CueEngine?>(nil)
}
