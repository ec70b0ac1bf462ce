import ControlProtocol
import CueEngine
import IntervalTimeline

extension LaneSnapshot {
  /// - Parameter now: when `status` was asked for.
  init(_ status: LaneStatus, at now: BootInstant) {
    self.init(
      name: status.name, workout: status.workout.shownShort, state: status.state,
      language: status.phrases.language)
    phase = status.phase
    phases = status.phases
    kind = status.kind
    label = status.label?.shownShort
    show(status.intensity, note: status.note, link: status.link)
    set = status.set
    sets = status.sets
    reps = status.reps
    repsDone = status.repetitions
    if status.mayEndEarly, case .signal(let name) = status.length?.end { signal = name }
    mayEndEarly = status.mayEndEarly ? true : nil
    workoutMayEndEarly = status.workoutMayEndEarly ? true : nil
    next = status.next?.shownShort
    beforeSurprise = status.isBeforeSurprise ? true : nil
    if !status.isBeforeSurprise {
      following = status.following.map { OutlineSegment($0, status.phrases) }
    }
    phaseEndsAt = status.phaseEndsAt?.nanoseconds
    workoutEndsAt = status.workoutEndsAt?.nanoseconds
    phaseElapsed = status.phaseElapsed.wholeNanoseconds
    phaseLeft = status.phaseLeft?.wholeNanoseconds
    elapsed = status.elapsed.wholeNanoseconds
    workoutLeft = status.workoutLeft?.wholeNanoseconds
    done = status.done
    skipped = status.skipped
    // Before its start a workout stands at zero with all of its first phase left.
    if status.elapsed == .zero,
      let start = Self.difference(status.phaseEndsAt, status.phaseLeft)
        ?? Self.difference(status.workoutEndsAt, status.workoutLeft)
    {
      startsAt = start > now ? start.nanoseconds : nil
    }
  }

  private static func difference(_ end: BootInstant?, _ left: Duration?) -> BootInstant? {
    end.flatMap { end in left.map { end - $0 } }
  }

  private mutating func show(_ intensity: String?, note: String?, link: String?) {
    self.intensity = intensity?.shown(atMost: 60)
    self.note = note?.shownShort
    self.link = link.flatMap { $0.utf8.count <= 400 ? $0.singleLine : nil }
  }

  /// A workout that is still to be added.
  init(_ name: String, _ workout: WorkoutToStart, startsAt: BootInstant) {
    let timeline = workout.timeline
    let phrases = workout.style.phrases
    self.init(
      name: name, workout: timeline.workout.name.shownShort, state: .ready,
      language: phrases.language)
    let first = timeline.entries[0]
    phases = timeline.count
    kind = first.phase.kind
    label = phrases.name(of: first.phase).shownShort
    show(first.phase.intensity, note: first.phase.note, link: first.phase.link)
    set = first.set
    sets = first.sets
    switch first.phase.length.end {
    case .reps(let count): (reps, repsDone) = (count, 0)
    case .signal(let name): signal = name
    case .untilNext, .sendOff, nil: break
    }
    mayEndEarly = first.phase.length.end == nil ? nil : true
    workoutMayEndEarly = timeline.mayEndEarly ? true : nil
    beforeSurprise = timeline.isBeforeSurprise(0) ? true : nil
    if timeline.count > 1, beforeSurprise == nil {
      next = phrases.name(of: timeline.entries[1].phase).shownShort
      following = OutlineSegment(timeline.entries[1], phrases)
    }
    phaseLeft =
      beforeSurprise == nil ? first.phase.length.duration?.wholeNanoseconds : nil
    workoutLeft = timeline.length?.wholeNanoseconds
    self.startsAt = startsAt.nanoseconds
  }
}

extension OutlineSegment {
  init(_ entry: Timeline.Entry, _ phrases: PhraseCatalogue) {
    self.init(
      kind: entry.phase.kind, label: phrases.name(of: entry.phase).shown(atMost: 60),
      seconds: entry.phase.length.duration.map { $0 / .seconds(1) }, set: entry.set,
      sets: entry.sets)
    mayEndEarly = entry.phase.length.hasLongest ? true : nil
  }

  /// A workout's phases; where they are too many its sets. Nil where those are too many, and where phases come by
  /// surprise, which an outline would show.
  static func outline(of timeline: Timeline, _ phrases: PhraseCatalogue) -> [OutlineSegment]? {
    if timeline.entries.contains(where: { $0.phase.isSurprise }) { return nil }
    let phases = timeline.entries.count <= ControlLimits.segments
    var segments: [OutlineSegment] = []
    var place: (block: Int, set: Int?)?
    for entry in timeline.entries {
      if !phases, let place, place == (entry.block, entry.set), entry.set != nil {
        let last = segments.count - 1
        let seconds = entry.phase.length.duration.map { $0 / .seconds(1) }
        segments[last].seconds = segments[last].seconds.flatMap { sum in seconds.map { sum + $0 } }
        if entry.phase.length.hasLongest { segments[last].mayEndEarly = true }
        // The colour of a set is that of its effort.
        if entry.phase.kind.isEffort { segments[last].kind = entry.phase.kind }
      } else {
        guard segments.count < ControlLimits.segments else { return nil }
        segments.append(OutlineSegment(entry, phrases))
      }
      place = (entry.block, entry.set)
    }
    return segments
  }
}

extension PhaseLength {
  /// True for an open phase with a longest length.
  fileprivate var hasLongest: Bool { end != nil && duration != nil }
}

extension String {
  /// One line, so short that a snapshot of one lane stays below 6 KB.
  var shownShort: String { shown(atMost: 200) }

  func shown(atMost count: Int) -> String {
    // In scalars: one character may hold any number of combining marks.
    let scalars = singleLine.unicodeScalars
    guard scalars.count > count else { return singleLine }
    return String(String.UnicodeScalarView(scalars.prefix(count - 1))) + "…"
  }
}
