/// The workouts of a day, or of a week.
package struct PeriodSum: Hashable, Codable, Sendable {
  /// "2026-11-27", as the coach's clock has it; of a week its Monday.
  package var date: String
  package var workouts = 0
  /// Seconds of effort, as far as they were recorded.
  package var work = 0.0

  package init(date: String, workouts: Int = 0, work: Double = 0) {
    (self.date, self.workouts, self.work) = (date, workouts, work)
  }
}

/// Weeks in a row with a workout.
package struct Streak: Hashable, Codable, Sendable {
  /// Up to this week, which does not break it while it has none.
  package var now: Int
  package var best: Int

  package init(now: Int, best: Int) { (self.now, self.best) = (now, best) }
}

/// The session of a preset in which most was done.
package struct BestSession: Hashable, Codable, Sendable {
  package var preset: String
  /// The session's.
  package var id: String
  /// Which part of its phases was done, 0…1.
  package var complete: Double
  /// Seconds of effort; nil where they were not recorded.
  package var work: Double?

  package init(preset: String, id: String, complete: Double, work: Double?) {
    (self.preset, self.id, self.complete, self.work) = (preset, id, complete, work)
  }
}

/// A phase of a session that is over, against the plan.
package struct DonePhase: Hashable, Codable, Sendable {
  package var label: String
  package var kind: PhaseKind
  /// From 1; nil outside of numbered sets.
  package var set: Int?
  /// Seconds, at most; nil for an open phase without a longest length.
  package var planned: Double?
  /// Seconds; more than planned where it was done again.
  package var done: Double
  /// It was ended before its time.
  package var skipped: Bool

  package init(
    label: String, kind: PhaseKind, set: Int?, planned: Double?, done: Double, skipped: Bool
  ) {
    (self.label, self.kind, self.set) = (label, kind, set)
    (self.planned, self.done, self.skipped) = (planned, done, skipped)
  }
}

/// Somebody under whose name workouts were run.
package struct PersonEntry: Hashable, Codable, Sendable {
  /// "" for all who gave none.
  package var name: String
  /// Names of presets, the latest first.
  package var favourites: [String]
  /// Names of presets that were run, the latest first.
  package var recent: [String]

  package init(name: String, favourites: [String] = [], recent: [String] = []) {
    (self.name, self.favourites, self.recent) = (name, favourites, recent)
  }
}

/// A start that repeats.
package struct ScheduleEntry: Hashable, Codable, Sendable {
  package var id: String
  package var preset: String
  /// Nil: the preset's name.
  package var lane: String?
  package var style: StyleOptions?
  /// "18:00", by the coach's clock.
  package var time: String
  package var days: ScheduleOrder.Days
  /// ISO 8601, with the offset that holds there.
  package var next: String
  /// When the last one was that did not begin; nil where none was missed.
  package var missed: String?

  package init(
    id: String, _ order: ScheduleOrder, next: String, missed: String?
  ) {
    (self.id, preset, lane, style) = (id, order.preset, order.lane, StyleOptions(order.style))
    (time, days, self.next, self.missed) = (order.time, order.days, next, missed)
  }
}
