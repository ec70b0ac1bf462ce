/// What the clocks showed at one moment.
public struct ClockReading: Hashable, Codable, Sendable {
  public var boot: BootInstant
  /// Nanoseconds since 1970, UTC.
  public var wall: Int64
  /// Of the running kernel; another one after each reboot.
  public var bootID: String
  /// Whether the wall clock had been set by a time server.
  public var isSynchronised: Bool

  public init(boot: BootInstant, wall: Int64, bootID: String, isSynchronised: Bool) {
    self.boot = boot
    self.wall = wall
    self.bootID = bootID
    self.isSynchronised = isSynchronised
  }

  /// Nothing in it is so far off that sums overflow.
  public var isSane: Bool { boot.isSane && wall.magnitude < 1 << 62 }

  /// A start is kept that much before it comes, at the most.
  private static let greatestLead = Duration.seconds(60)

  /// How long after `earlier` this was. Nil where nobody can tell: after a reboot, unless the wall
  /// clock was right both times.
  public func since(_ earlier: ClockReading) -> Duration? {
    if bootID == earlier.bootID {
      let time = earlier.boot.duration(to: boot)
      return time < .zero - Self.greatestLead ? nil : max(.zero, time)
    }
    let (nanoseconds, overflows) = wall.subtractingReportingOverflow(earlier.wall)
    guard isSynchronised, earlier.isSynchronised, !overflows, nanoseconds >= 0 else { return nil }
    return .nanoseconds(nanoseconds)
  }
}

/// What to do with a session whose program has ended.
public enum ResumePolicy: String, CaseIterable, Hashable, Sendable {
  /// Whoever is there is asked.
  case ask
  /// The timer kept running.
  case `continue`
  /// Paused where it last was.
  case hold
  /// Ended there.
  case discard
}

/// Decides how a session goes on whose program has ended.
public struct Recovery: Hashable, Sendable {
  public enum Decision: Hashable, Sendable {
    /// Its timer kept running; the record is on the clock of this boot.
    case goOn(SessionRecord)
    /// It goes on from where the record has it as soon as the run begins.
    case goOnFromThere(SessionRecord)
    /// Paused where the record has it, and why it does not go on where it was to.
    case hold(SessionRecord, HoldReason?)
    case discard
    /// It is older than `greatestAge`, and its end has not passed: it was paused, waits in an open
    /// phase, or is held.
    case tooOld
    /// Its end passed while nobody ran it, at `at`; the record is on the clock of this boot.
    case ended(SessionRecord, at: BootInstant)
    /// It had ended, and only its row was missing.
    case over(SessionRecord)
  }

  public enum HoldReason: Hashable, Sendable {
    /// Its program has ended too often.
    case crashes
    /// Nobody knows how long it was.
    case unknownTime
  }

  /// After so many ends in a row it is not resumed by itself.
  public static let greatestCrashes = 3

  public var policy: ResumePolicy?
  public var greatestAge: Duration
  /// A paused workout would stay so for ever, or the person asked for it to run: what is not to be
  /// held goes on from where it was.
  public var mustRun: Bool

  /// - Parameter policy: nil: `continue` within the same boot, `hold` after a reboot.
  public init(
    policy: ResumePolicy?, greatestAge: Duration = .seconds(12 * 3600), mustRun: Bool = false
  ) {
    self.policy = policy
    self.greatestAge = greatestAge
    self.mustRun = mustRun
  }

  /// - Parameters:
  ///   - saved: the clocks when the record was made.
  ///   - crashes: how often in a row its program ended without a word.
  public func decide(
    _ record: SessionRecord, of timeline: Timeline, saved: ClockReading, now: ClockReading,
    crashes: Int
  ) -> Decision {
    let since = now.since(saved)
    let isSameBoot = saved.bootID == now.bootID
    // Where the record stands on this clock if no time has passed, and if the known time has.
    let held = record.shifted(by: record.at.duration(to: now.boot))
    let running = since.map {
      isSameBoot ? record : record.shifted(by: record.at.duration(to: now.boot - $0))
    }
    switch record.anchors.state {
    case .finished, .stopped, .ready: return .over(running ?? held)
    case .running, .paused: break
    }
    if policy == .discard { return .discard }
    let goesOn = (policy ?? (isSameBoot ? .continue : .hold)) == .continue
    // However long ago: its timer ran to the end.
    if goesOn, let running, let end = end(of: running, in: timeline), end <= now.boot {
      return .ended(running, at: end)
    }
    if let since, since > greatestAge { return .tooOld }
    let there = isSameBoot ? record : held
    let hasCrashed = crashes >= Self.greatestCrashes
    guard goesOn else {
      return mustRun && policy != .hold && !hasCrashed ? .goOnFromThere(there) : .hold(there, nil)
    }
    guard let running else {
      return mustRun && !hasCrashed ? .goOnFromThere(held) : .hold(held, .unknownTime)
    }
    guard !hasCrashed else { return .hold(there, .crashes) }
    return mustRun && record.anchors.state == .paused ? .goOnFromThere(running) : .goOn(running)
  }

  /// When a running workout ends by itself.
  private func end(of record: SessionRecord, in timeline: Timeline) -> BootInstant? {
    guard let transport = Transport(timeline, record.anchors), transport.state == .running else {
      return nil
    }
    return transport.start(of: timeline.count).map { transport.nominalInstant(of: $0) }
  }
}
