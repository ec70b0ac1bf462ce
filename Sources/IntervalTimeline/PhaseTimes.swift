/// How much workout time each phase has taken, by its index: what was done again counts again.
///
/// Whole milliseconds, because that is what is stored.
package struct PhaseTimes: Hashable, Sendable {
  /// Of the phases that were left so far; those behind the last have taken none.
  private(set) var milliseconds: [Int64]

  /// What is stored of them.
  init(_ milliseconds: [Int64] = []) { self.milliseconds = milliseconds }

  /// That of one phase.
  package subscript(phase: Int) -> Duration {
    milliseconds.indices.contains(phase) ? .milliseconds(milliseconds[phase]) : .zero
  }

  /// Those of the efforts and those of the rests together. It is asked at each phase of a long workout, hence the
  /// whole numbers.
  func sums(in timeline: Timeline) -> EffortTimes {
    var (work, rest): (Int64, Int64) = (0, 0)
    for phase in milliseconds.indices.prefix(timeline.count) {
      let kind = timeline.entries[phase].phase.kind
      if kind.isEffort { work += milliseconds[phase] }
      if kind.isRest { rest += milliseconds[phase] }
    }
    return EffortTimes(work: .milliseconds(work), rest: .milliseconds(rest))
  }

  /// The workout leaves a phase, or is asked in the middle of it.
  mutating func add(_ phase: Int, of transport: Transport, at now: BootInstant) {
    guard phase >= 0, phase < transport.timeline.count, let start = transport.start(of: phase)
    else { return }
    // A check may come after the phase's end.
    let end = transport.start(of: phase + 1)
    let elapsed = transport.elapsed(at: now)
    let passed = (end.map { min($0, elapsed) } ?? elapsed) - start
    guard passed > .zero else { return }
    while milliseconds.count <= phase { milliseconds.append(0) }
    milliseconds[phase] += passed.wholeNanoseconds / 1_000_000
  }

  var isSane: Bool {
    milliseconds.count <= Timeline.maximumPhaseCount
      && milliseconds.allSatisfy { (0...Self.longest).contains($0) }
  }
  /// A hundred days.
  private static let longest: Int64 = 8_640_000_000
}

extension PhaseTimes: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Int64].self))
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(milliseconds)
  }
}

extension PhaseTimes {
  /// Those of a session as it was recorded, with the time in its phase then. Nil for a record of a version that had none,
  /// and for one that does not belong to the timeline.
  package init?(_ record: SessionRecord, in timeline: Timeline) {
    guard let times = record.times, let transport = Transport(timeline, record.anchors) else {
      return nil
    }
    self = times
    guard transport.state != .finished else { return }
    add(record.outcomes.count - 1, of: transport, at: record.at)
  }
}
