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
    set = status.set
    sets = status.sets
    reps = status.reps
    repsDone = status.repetitions
    if status.mayEndEarly, case .signal(let name) = status.length?.end { signal = name }
    mayEndEarly = status.mayEndEarly ? true : nil
    workoutMayEndEarly = status.workoutMayEndEarly ? true : nil
    next = status.next?.shownShort
    following = status.following.map { OutlineSegment($0, status.phrases) }
    phaseEndsAt = status.phaseEndsAt?.nanoseconds
    workoutEndsAt = status.workoutEndsAt?.nanoseconds
    phaseElapsed = status.phaseElapsed.wholeNanoseconds
    phaseLeft = status.phaseLeft?.wholeNanoseconds
    elapsed = status.elapsed.wholeNanoseconds
    workoutLeft = status.workoutLeft?.wholeNanoseconds
    done = status.done
    skipped = status.skipped
    // Before its start a workout stands at zero with all of its first phase left.
    if status.elapsed == .zero, let end = status.phaseEndsAt, let left = status.phaseLeft {
      let start = end - left
      startsAt = start > now ? start.nanoseconds : nil
    }
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
    set = first.set
    sets = first.sets
    switch first.phase.length.end {
    case .reps(let count): (reps, repsDone) = (count, 0)
    case .signal(let name): signal = name
    case .untilNext, .sendOff, nil: break
    }
    mayEndEarly = first.phase.length.end == nil ? nil : true
    workoutMayEndEarly = timeline.mayEndEarly ? true : nil
    if timeline.count > 1 {
      next = phrases.name(of: timeline.entries[1].phase).shownShort
      following = OutlineSegment(timeline.entries[1], phrases)
    }
    phaseLeft = first.phase.length.duration?.wholeNanoseconds
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

  /// A workout's phases; where they are too many its sets, and nil where those are too many.
  static func outline(of timeline: Timeline, _ phrases: PhraseCatalogue) -> [OutlineSegment]? {
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
  /// One line, so short that a snapshot of one lane stays below 4 KB.
  var shownShort: String { shown(atMost: 200) }

  func shown(atMost count: Int) -> String {
    // In scalars: one character may hold any number of combining marks.
    let scalars = singleLine.unicodeScalars
    guard scalars.count > count else { return singleLine }
    return String(String.UnicodeScalarView(scalars.prefix(count - 1))) + "…"
  }
}
