import IntervalTimeline

@testable import SessionStore

extension StoredSession {
  /// A session, by default of two phases of an hour, that was started, and stored after `elapsed`,
  /// `ago`.
  ///
  /// - Parameter isOfThisBoot: false: the machine was booted since, and how long ago is unknown.
  static func interrupted(
    _ lane: String = "anna", _ workout: Workout = .phases("Rows", 3_600, 3_600),
    elapsed: Duration = .seconds(10), ago: Duration = .seconds(1), isPaused: Bool = false,
    isOfThisBoot: Bool = true, crashes: Int = 0, isSuspended: Bool = false,
    order: StartOrder = StartOrder()
  ) throws -> StoredSession {
    let at = MachineClocks.now().boot - ago
    var session = Session(try Timeline(workout))
    _ = session.handle(.start, at: at - elapsed)
    _ = session.check(at: at)
    if isPaused { _ = session.handle(.pause, at: at) }
    return .stored(
      lane, session.record(at: at), of: workout, isOfThisBoot: isOfThisBoot, crashes: crashes,
      isSuspended: isSuspended, order: order)
  }

  static func stored(
    _ lane: String, _ record: SessionRecord, of workout: Workout, isOfThisBoot: Bool = true,
    crashes: Int = 0, isSuspended: Bool = false, order: StartOrder = StartOrder()
  ) -> StoredSession {
    var clocks = MachineClocks.reading(at: record.at)
    if !isOfThisBoot { (clocks.bootID, clocks.isSynchronised) = ("another boot", false) }
    let start = MachineClocks.reading(at: record.anchors.started).wall
    return StoredSession(
      SessionIdentity(lane: lane, workout: workout, order: order, startedAt: start),
      record: record, clocks: clocks, crashes: crashes, isSuspended: isSuspended)
  }
}
