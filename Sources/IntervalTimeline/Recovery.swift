/// The readings of all clocks at one moment.
package struct ClockReading: Hashable, Codable, Sendable {
  /// CLOCK_BOOTTIME, which counts from the last boot.
  package var boot: BootInstant
  /// Nanoseconds since 1970, UTC.
  package var wall: Int64
  /// The kernel's boot ID, different after each reboot.
  package var bootID: String
  /// True once a time server has set the wall clock.
  package var isSynchronised: Bool

  /// Readings of one moment, taken as they are.
  package init(boot: BootInstant, wall: Int64, bootID: String, isSynchronised: Bool) {
    self.boot = boot
    self.wall = wall
    self.bootID = bootID
    self.isSynchronised = isSynchronised
  }

  /// True if no value is so large that sums could overflow.
  package var isSane: Bool { boot.isSane && wall.magnitude < 1 << 62 }

  /// A session may be stored up to this long before its start.
  private static let maximumLead = Duration.seconds(60)

  /// The time since `earlier`. Nil if it is unknown: after a reboot, unless the wall clock was
  /// synchronised both times.
  package func since(_ earlier: ClockReading) -> Duration? {
    if bootID == earlier.bootID {
      let time = earlier.boot.duration(to: boot)
      return time < .zero - Self.maximumLead ? nil : max(.zero, time)
    }
    let (nanoseconds, overflows) = wall.subtractingReportingOverflow(earlier.wall)
    guard isSynchronised, earlier.isSynchronised, !overflows, nanoseconds >= 0 else { return nil }
    return .nanoseconds(nanoseconds)
  }
}

/// What to do with an interrupted session.
public enum ResumePolicy: String, CaseIterable, Hashable, Sendable {
  /// Ask the user.
  case ask
  /// Continue as if the timer had kept running.
  case `continue`
  /// Pause where it was interrupted.
  case hold
  /// End it where it was interrupted.
  case discard
}

/// Decides how an interrupted session continues.
public struct Recovery: Hashable, Sendable {
  package indirect enum Decision: Hashable, Sendable {
    /// Continues as if its timer had kept running. The record is on this boot's clock.
    case `continue`(SessionRecord)
    /// Continues from the recorded position when the run begins.
    case continueFromRecord(SessionRecord)
    /// Pauses at the recorded position. The reason is set if it should have continued.
    case hold(SessionRecord, HoldReason?)
    case discard
    /// It is older than `maximumAge`, and its end has not passed: it was paused, is in an open
    /// phase, or would be held.
    case tooOld
    /// Its end passed at `at`, while no program ran it. The record is on this boot's clock.
    case ended(SessionRecord, at: BootInstant)
    /// It had ended before; only its row in the history is missing.
    case over(SessionRecord)
  }

  /// Why a session that should continue is paused instead.
  public enum HoldReason: Hashable, Sendable {
    /// Its program has crashed too often.
    case crashes
    /// The length of the interruption is unknown.
    case unknownTime
  }

  /// After this many crashes in a row it is held instead of resumed.
  package static let maximumCrashes = 3

  package var policy: ResumePolicy?
  package var maximumAge: Duration
  /// Nobody could end a pause, or the user asked for the session to run: it continues from where it
  /// was unless the policy is `hold`.
  package var mustRun: Bool

  /// - Parameter policy: nil: `continue` within the same boot, `hold` after a reboot.
  package init(
    policy: ResumePolicy?, maximumAge: Duration = .seconds(12 * 3600), mustRun: Bool = false
  ) {
    self.policy = policy
    self.maximumAge = maximumAge
    self.mustRun = mustRun
  }

  /// - Parameters:
  ///   - saved: the clocks when the record was made.
  ///   - crashes: how often in a row its program ended unexpectedly.
  package func decide(
    _ record: SessionRecord, of timeline: Timeline, saved: ClockReading, now: ClockReading,
    crashes: Int
  ) -> Decision {
    let since = now.since(saved)
    let isSameBoot = saved.bootID == now.bootID
    // The record on this boot's clock: as if no time had passed, and with the known interruption.
    let held = record.shifted(by: record.at.duration(to: now.boot))
    let running = since.map {
      isSameBoot ? record : record.shifted(by: record.at.duration(to: now.boot - $0))
    }
    switch record.anchors.state {
    case .finished, .stopped, .ready: return .over(running ?? held)
    case .running, .paused: break
    }
    if policy == .discard { return .discard }
    let continues = (policy ?? (isSameBoot ? .continue : .hold)) == .continue
    // However long ago: the timer has run to the end.
    if continues, let running, let end = end(of: running, in: timeline), end <= now.boot {
      return .ended(running, at: end)
    }
    if let since, since > maximumAge { return .tooOld }
    let there = isSameBoot ? record : held
    let hasCrashed = crashes >= Self.maximumCrashes
    guard continues else {
      return mustRun && policy != .hold && !hasCrashed
        ? .continueFromRecord(there) : .hold(there, nil)
    }
    guard let running else {
      return mustRun && !hasCrashed ? .continueFromRecord(held) : .hold(held, .unknownTime)
    }
    guard !hasCrashed else { return .hold(there, .crashes) }
    return mustRun && record.anchors.state == .paused
      ? .continueFromRecord(running) : .continue(running)
  }

  /// When a running workout ends without further commands.
  private func end(of record: SessionRecord, in timeline: Timeline) -> BootInstant? {
    guard let transport = Transport(timeline, record.anchors), transport.state == .running else {
      return nil
    }
    return transport.start(of: timeline.count).map { transport.nominalInstant(of: $0) }
  }
}
