import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// An output that takes no commands plays nothing, and cannot say so itself.
struct OutputWatchdogTests {
  private let pace = Duration.milliseconds(500)
  private static let stuck = OutputNews.lost(OutputWatchdog.stuck(for: .seconds(5)))

  private func at(_ seconds: Double) -> BootInstant {
    BootInstant(nanoseconds: Int64(seconds * 1_000_000_000))
  }

  /// Looks every half second, from one instant to the other: what is found, and when.
  private func look(
    _ watch: inout OutputWatchdog, taken: Int, isWaiting: Bool = true, from: Double, to: Double
  ) -> [Double: OutputNews] {
    var found: [Double: OutputNews] = [:]
    for time in stride(from: from, through: to, by: 0.5) {
      found[time] = watch.look(taken: taken, isWaiting: isWaiting, at: at(time), every: pace)
    }
    return found
  }

  @Test func anOutputIsStuckOnceWhenNothingIsTakenForFiveSeconds() {
    var watch = OutputWatchdog()
    #expect(look(&watch, taken: 0, from: 10, to: 40) == [15: Self.stuck])
    #expect(look(&watch, taken: 3, from: 40.5, to: 45) == [40.5: .recovered])
    #expect(look(&watch, taken: 3, from: 45.5, to: 52) == [46: Self.stuck])
  }

  @Test func anOutputWithNothingToTakeIsNotStuck() {
    var watch = OutputWatchdog()
    #expect(look(&watch, taken: 0, isWaiting: false, from: 10, to: 40).isEmpty)
    #expect(look(&watch, taken: 0, from: 40.5, to: 45).isEmpty)
    #expect(look(&watch, taken: 1, from: 45.5, to: 50).isEmpty)
  }

  /// The machine slept, the process was stopped, or no workout ran.
  @Test func timeWithoutChecksDoesNotCount() {
    var watch = OutputWatchdog()
    #expect(look(&watch, taken: 0, from: 10, to: 14).isEmpty)
    #expect(look(&watch, taken: 0, from: 100, to: 104.5).isEmpty)
    #expect(look(&watch, taken: 0, from: 105, to: 105) == [105: Self.stuck])
  }

  @Test func aLossThatTheOutputReportsItselfIsNotReportedTwice() {
    var watch = OutputWatchdog()
    watch.note(isLost: true)
    #expect(look(&watch, taken: 0, from: 10, to: 30).isEmpty)
    #expect(look(&watch, taken: 9, from: 30.5, to: 31).isEmpty)
    watch.note(isLost: false)
    #expect(look(&watch, taken: 9, from: 31.5, to: 40) == [36.5: Self.stuck])
    // From now on the output speaks for itself.
    watch.note(isLost: true)
    #expect(look(&watch, taken: 10, from: 40.5, to: 60).isEmpty)
  }

  // MARK: With an engine

  /// A stranger's first attempt: it has a mixer, and drives it only when the test says so.
  private final class IdleOutput: SoundOutput, @unchecked Sendable {
    // Unchecked: the test calls `play` from one thread, and an engine only `start`.

    let latency = Duration.zero
    private let map: FrameMap
    private var mixer: Mixer?

    init(origin: BootInstant) {
      map = FrameMap(frame: 0, instant: origin, rate: 8_000)
    }

    func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
      mixer = Mixer(link: link, rate: 8_000)
    }

    func play() { mixer!.takeCommands(map: map) }
    func setActivity(_ activity: OutputActivity) {}
    func wake() {}
    func stop() {}
  }

  @Test func anEmbedderLearnsThatItsOutputTakesNothingAndEachCueHasItsLine() throws {
    let clock = ManualClock()
    let begin = clock.now
    let output = IdleOutput(origin: begin)
    let (lines, events) = (Collected<LedgerEvent>(), Collected<String>())
    var settings = CueEngine.Settings()
    settings.checksByItself = false
    let engine = CueEngine(
      output: output, sounds: SoundPack(rate: 8_000), speech: nil, settings: settings,
      clock: { clock.now }, sleepClock: { .zero },
      ledger: { lines.append($0) },
      events: { event in
        switch event {
        case .deviceLost(let error):
          events.append("\(error.kind): \(error.detail)")
        case .deviceRecovered: events.append("back")
        case .ended: events.append("ended")
        default: break
        }
      })
    func advance(_ seconds: Int) {
      for _ in 0..<(seconds * 2) {
        clock.advance(by: .milliseconds(500))
        engine.checkNow()
      }
    }
    let lane = try engine.addLane("anna", timeline: Timeline(.sets(1, [(.low, 20)])))
    engine.send(.start, to: lane)
    _ = engine.statuses()
    advance(4)
    #expect(events.all.isEmpty)
    advance(3)
    #expect(
      events.all == ["stuck: the output has taken no command for 5 s"])
    let lost = lines.all.compactMap {
      if case .deviceLost(_, let reason) = $0 { reason } else { nil }
    }
    #expect(lost == ["stuck"])
    output.play()
    advance(1)
    #expect(events.all.last == "back")
    // Over for long; the output has reported nothing of its cues.
    advance(20)
    #expect(events.all.last == "stuck: the output has taken no command for 5 s")
    func outcomes() -> [String] {
      lines.all.compactMap { line in
        if case .cue(let cue) = line { "\(cue.kind) \(cue.outcome)" } else { nil }
      }
    }
    #expect(!outcomes().contains("transition withdrawn"))
    engine.shutDown()
    #expect(outcomes().filter { $0 == "transition withdrawn" }.count == 2)
    #expect(events.all.last == "ended")
  }
}
