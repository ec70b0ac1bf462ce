import Instants

@testable import Targets

/// Runs a recorded or invented workout through the coach, and lists what is said.
///
/// All times are those of the running clock since the beginning of the first phase, the pauses included.
struct TargetReplay: Sendable {
  /// One reading, or a sensor's statement that it has none.
  struct Sample: Sendable {
    var time: Duration
    var reading: Reading?

    init(at time: Duration, _ reading: Reading?) {
      self.time = time
      self.reading = reading
    }
  }

  struct Said: Hashable, Sendable {
    let time: Duration
    let text: CoachingText
  }

  struct Outcome: Hashable, Sendable {
    var said: [Said] = []
    /// When each phase that is over ended.
    var ends: [Duration] = []
  }

  /// The phases, one after the other; after one that does not end, none begins.
  var phases: [CoachedPhase]
  /// In any order; of those at the same time, the first comes first.
  var samples: [Sample]
  /// In order, and apart.
  var pauses: [Range<Duration>] = []
  /// When other cues are heard: there is no room. In order.
  var cues: [Range<Duration>] = []
  var alarmLimit: Double?
  /// From one check to the next; greater than zero.
  var step = Duration.seconds(1)
  /// Nothing happens from this time on.
  var length: Duration

  init(_ phases: [CoachedPhase], _ samples: [Sample], length: Duration) {
    self.phases = phases
    self.samples = samples
    self.length = length
  }

  /// What is said, each text at the check that decided it.
  func run() -> Outcome {
    var outcome = Outcome()
    var coach = TargetCoach(alarmLimit: alarmLimit)
    var waiting = phases[...]
    var running: (phase: CoachedPhase, clock: PhaseClock)?

    func begin(_ phase: CoachedPhase?, at now: BootInstant) {
      running = phase.map { ($0, PhaseClock(beganAt: now)) }
      if let phase { coach.begin(phase, at: now) } else { coach.end(at: now) }
    }
    begin(waiting.popFirst(), at: origin)
    for event in events() where event.time < length {
      let now = origin + event.time
      // The end by length has its own instant, whenever the next event is.
      while let (phase, clock) = running, let length = phase.length, clock.time(at: now) >= length {
        let end = now - (clock.time(at: now) - length)
        outcome.ends.append(end - origin)
        begin(waiting.popFirst(), at: end)
      }
      switch event.kind {
      case .pause:
        running?.clock.pause(at: now)
        coach.pause(at: now)
      case .resume:
        running?.clock.resume(at: now)
        coach.resume(at: now)
      case .sample(let reading):
        if let reading { coach.take(reading, at: now) }
      case .check:
        if coach.isRestOver(at: now) {
          outcome.ends.append(event.time)
          begin(waiting.popFirst(), at: now)
        }
        guard let text = coach.check(at: now, room: room(at: event.time)) else { continue }
        coach.said(text, at: now)
        outcome.said.append(Said(time: event.time, text: text))
      }
    }
    return outcome
  }

  /// Not zero: the time before the first phase has instants, too.
  private var origin: BootInstant { BootInstant(nanoseconds: 1_000_000_000_000) }

  private struct Event {
    enum Kind {
      case pause
      case resume
      case sample(Reading?)
      case check
    }
    var time: Duration
    var kind: Kind
  }

  /// Of those at the same time: pauses, then readings, then the check.
  private func events() -> [Event] {
    var events = pauses.flatMap {
      [Event(time: $0.lowerBound, kind: .pause), Event(time: $0.upperBound, kind: .resume)]
    }
    events += samples.map { Event(time: $0.time, kind: .sample($0.reading)) }
    events += (0...max(0, Int64(length / step))).map { Event(time: step * $0, kind: .check) }
    // The sort keeps the order of equals only by the index.
    return events.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  private func room(at time: Duration) -> Duration {
    guard let cue = cues.first(where: { time < $0.upperBound }) else { return .unlimited }
    return max(.zero, cue.lowerBound - time)
  }
}
