/// Notices that nobody should miss and that no notification server has shown yet. The next server gets the recent ones.
/// Time is an argument: nanoseconds of CLOCK_BOOTTIME.
package struct UnseenNotices: Sendable {
  /// By workout; nil: of the sound device.
  private var notices: [String?: (notice: Notice, until: Int64)] = [:]

  private static let recent: Int64 = 600_000_000_000

  package init() {}

  /// A notice is to be shown, in place of what was there of its workout.
  package mutating func add(_ notice: Notice, at now: Int64) {
    notices = notices.filter { $0.value.until > now }
    notices[notice.lane] = notice.isLow ? nil : (notice, now + Self.recent)
  }

  /// It was shown, or is not wanted any more.
  package mutating func remove(_ lane: String?) { notices[lane] = nil }

  /// The oldest first.
  package func recent(at now: Int64) -> [Notice] {
    notices.values.filter { $0.until > now }.sorted { $0.until < $1.until }.map(\.notice)
  }
}
