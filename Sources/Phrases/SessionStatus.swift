import IntervalTimeline

extension WorkoutStatus {
  /// As of `now`; with `beginning` as of the instant at which that phase began, which may have passed together with
  /// others.
  package init(
    name: String, _ session: Session, _ phrases: PhraseCatalogue, at now: BootInstant,
    beginning phase: Int? = nil
  ) {
    let timeline = session.timeline
    let transport = session.transport
    self.init(
      name: name, workout: timeline.workout.name, state: session.state,
      language: phrases.language)
    preset = timeline.workout.preset
    let here =
      phase.map { transport.position(atStartOf: $0, now) } ?? transport.position(at: now)
    self.phase = here.phase
    phases = timeline.count
    isBeforeSurprise = timeline.isBeforeSurprise(here.phase)
    if here.phase < timeline.count {
      let entry = timeline.entries[here.phase]
      kind = entry.phase.kind
      label = phrases.name(of: entry.phase)
      intensity = entry.phase.intensity
      note = entry.phase.note
      link = entry.phase.link
      (set, sets) = (entry.set, entry.sets)
      repetitions =
        phase == nil ? session.progress.repetitions(at: now) : entry.phase.isCounted ? 0 : nil
      countdown = session.plan.counted(
        of: here.phase, in: timeline, length: transport.length(of: here.phase))
      show(entry.phase.length, session, hasJustBegun: phase != nil)
    }
    if here.phase + 1 < timeline.count, !isBeforeSurprise {
      let entry = timeline.entries[here.phase + 1]
      next = phrases.name(of: entry.phase)
      following = OutlineSegment(entry, phrases)
    }
    workoutMayEndEarly = transport.mayEndEarly(from: here.phase)
    phaseElapsed = here.elapsed - here.phaseStart
    phaseLeft = isBeforeSurprise ? nil : here.phaseLeft
    elapsed = here.elapsed
    workoutLeft = here.workoutLeft
    times = session.progress.times(until: here)
    phaseEndsAt = phaseLeft.flatMap { transport.instant(of: here.elapsed + $0) }
    workoutEndsAt = workoutLeft.flatMap { transport.instant(of: here.elapsed + $0) }
    // Before its start a workout stands at zero with all of its first phase left.
    if elapsed == .zero, let start = transport.instant(of: .zero), start > now { startsAt = start }
    // The check notes the end of a phase up to half a second after it: what lies behind and was not skipped is done.
    let behind = zip(timeline.entries, session.progress.outcomes.prefix(here.phase))
    done = behind.count { $0.1 != .skipped }
    setsDone = behind.count { $0.1 != .skipped && $0.0.endsSet }
    skipped = session.progress.outcomes.count { $0 == .skipped }
  }

  private mutating func show(_ length: PhaseLength, _ session: Session, hasJustBegun: Bool) {
    // When a phase begins only a send-off has been decided.
    let isDecided =
      (!hasJustBegun || length.sendOff != nil) && session.transport.isEndKnown(of: phase)
    mayEndEarly = length.end != nil && !isDecided
    switch length.end {
    case .reps(let count): reps = count
    case .signal(let name) where mayEndEarly: signal = name
    case .heartRate(let rate) where mayEndEarly: heartRateBelow = rate
    case .signal, .heartRate, .untilNext, .sendOff, nil: break
    }
  }
}
