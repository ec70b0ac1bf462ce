/// The stored state of a session, from which it continues after its program has ended.
///
/// It is the state at `at`. All instants belong to one boot; `shifted(by:)` converts them to
/// another boot's clock.
public struct SessionRecord: Hashable, Sendable {
  /// When the state was recorded.
  public var at: BootInstant
  /// The state of the transport then.
  package var anchors: Transport.Anchors
  /// How each phase ended, up to the current one.
  package var outcomes: [PhaseOutcome]
  /// How often it was paused.
  package var pauseCount: Int
  var announcements: AnnouncementMemory.Record
  /// The repetitions counted in the running phase; nil for none.
  package var repetitions: Int?
  /// The rounds counted in phases that have ended.
  var rounds: [PhaseCounts.Count] = []
  /// How long the phases that were left have taken; nil in records of earlier versions.
  var times: PhaseTimes?
  /// Counted by the engine, which plays the cues; the session leaves it alone.
  package var cues = CueTally()
  /// Kept by the engine where the athlete wants it, else nil; the session leaves it alone.
  package var readings: [PhaseReadings]?

  /// True if no value is so large that sums could overflow.
  package var isSane: Bool {
    let instants =
      [at, anchors.started, anchors.pausedSince ?? at]
      + announcements.gate.recent.map(\.due) + announcements.open.flatMap { [$0.first, $0.until] }
    let times = [
      anchors.pauses, anchors.time, anchors.length ?? .zero, anchors.endedAt ?? .zero,
    ]
    return instants.allSatisfy(\.isSane)
      && ([pauseCount, repetitions ?? 0, cues.played, cues.missed] + rounds.map(\.count))
        .allSatisfy { (0...1_000_000_000).contains($0) }
      && (readings ?? []).count <= PhaseReadings.maxCount
      && (readings ?? []).allSatisfy(\.isSane)
      && self.times?.isSane != false
      && times.allSatisfy { (.zero...Duration.seconds(100 * 366 * 86_400)).contains($0) }
  }

  /// True if it can belong to a session of this timeline.
  package func fits(_ timeline: Timeline) -> Bool {
    Transport(timeline, anchors) != nil && outcomes.count <= timeline.count
      && rounds.count <= timeline.count
      && rounds.allSatisfy { (0..<timeline.count).contains($0.phase) }
  }

  /// The same on a clock that is ahead by `shift`.
  package func shifted(by shift: Duration) -> SessionRecord {
    var record = self
    record.at = at + shift
    record.anchors = anchors.shifted(by: shift)
    record.announcements = announcements.shifted(by: shift)
    return record
  }
}

extension SessionRecord: Codable {
  private enum CodingKeys: CodingKey {
    case at, anchors, outcomes, pauseCount, announcements, repetitions, rounds, cues, readings,
      times
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    at = try values.decode(BootInstant.self, forKey: .at)
    anchors = try values.decode(Transport.Anchors.self, forKey: .anchors)
    outcomes = try values.decode([PhaseOutcome].self, forKey: .outcomes)
    pauseCount = try values.decode(Int.self, forKey: .pauseCount)
    announcements = try values.decode(AnnouncementMemory.Record.self, forKey: .announcements)
    // Absent in records of earlier versions.
    repetitions = try values.decodeIfPresent(Int.self, forKey: .repetitions)
    rounds = try values.decodeIfPresent([PhaseCounts.Count].self, forKey: .rounds) ?? []
    cues = try values.decodeIfPresent(CueTally.self, forKey: .cues) ?? CueTally()
    readings = try values.decodeIfPresent([PhaseReadings].self, forKey: .readings)
    times = try values.decodeIfPresent(PhaseTimes.self, forKey: .times)
  }
}

extension AnnouncementMemory.Record {
  func shifted(by shift: Duration) -> Self {
    var record = self
    for index in gate.recent.indices {
      record.gate.recent[index].due = gate.recent[index].due + shift
    }
    for index in open.indices {
      record.open[index].first = open[index].first + shift
      record.open[index].until = open[index].until + shift
    }
    return record
  }
}

/// How far a workout was done.
public struct SessionSummary: Hashable, Codable, Sendable {
  /// How many phases the timeline has.
  public var phases: Int
  /// How many of them ended as `done`.
  public var phasesDone: Int
  /// How many of them ended as `skipped`.
  public var phasesSkipped: Int
  /// The number of sets in all blocks. A set counts as done or skipped by its last phase.
  public var sets: Int
  /// How many sets were done.
  public var setsDone: Int
  /// How many sets were skipped.
  public var setsSkipped: Int
  /// Workout time, which excludes pauses.
  public var elapsed: Duration
  /// The length of all pauses, with the one that lasts.
  public var pauses: Duration
  /// How often it was paused.
  public var pauseCount: Int
  /// How many rounds were counted in phases that count them, "as many rounds as possible"; 0 without such a phase.
  public var rounds: Int

  package init(
    phases: Int, phasesDone: Int, phasesSkipped: Int, sets: Int, setsDone: Int, setsSkipped: Int,
    elapsed: Duration, pauses: Duration, pauseCount: Int, rounds: Int = 0
  ) {
    self.phases = phases
    self.phasesDone = phasesDone
    self.phasesSkipped = phasesSkipped
    self.sets = sets
    self.setsDone = setsDone
    self.setsSkipped = setsSkipped
    self.elapsed = elapsed
    self.pauses = pauses
    self.pauseCount = pauseCount
    self.rounds = rounds
  }

  /// The summary at `now`; nil for a record that does not belong to the timeline.
  public init?(_ record: SessionRecord, in timeline: Timeline, at now: BootInstant) {
    guard record.fits(timeline), let transport = Transport(timeline, record.anchors) else {
      return nil
    }
    phases = timeline.count
    phasesDone = record.outcomes.count { $0 == .done }
    phasesSkipped = record.outcomes.count { $0 == .skipped }
    sets = timeline.entries.count { $0.endsSet }
    let ends = zip(timeline.entries, record.outcomes).filter { $0.0.endsSet }
    setsDone = ends.count { $0.1 == .done }
    setsSkipped = ends.count { $0.1 == .skipped }
    elapsed = max(.zero, transport.elapsed(at: now))
    pauses =
      transport.pauses + (transport.pausedSince.map { max(.zero, $0.duration(to: now)) } ?? .zero)
    pauseCount = record.pauseCount
    rounds = record.rounds.reduce(0) { $0 + $1.count }
    let running = record.outcomes.count - 1
    if timeline.entries.indices.contains(running), timeline.entries[running].phase.countsRounds {
      rounds += record.repetitions ?? 0
    }
  }
}
