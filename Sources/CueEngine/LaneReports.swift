import IntervalTimeline

/// What the ledger and the events have of a lane.
extension Lane {
  /// Notes what its session reports; nothing comes of what is to be heard.
  ///
  /// - Parameter wallClock: asked for the ledger's line of the start.
  func note(
    _ effect: SessionEffect, at now: BootInstant, wallClock: () -> String
  ) -> [CoachEffect] {
    switch effect {
    case .handOff, .silent, .withdraw: return []
    case .phaseBegan(let phase, let instant):
      hasChanged = true
      return [.emit(.phaseBegan(LaneStatus(self, at: instant, beginning: phase)))]
    case .phaseEnded(let phase, let outcome, let instant):
      let entry = session.timeline.entries[phase]
      return [
        .write(
          .phase(
            lane: name, at: instant, label: style.phrases.name(of: entry.phase), set: entry.set,
            outcome: outcome))
      ]
    case .obeyed(let command, let instant):
      if command.changesALane { hasChanged = true }
      let line =
        command == .start
        ? LedgerEvent.start(
          lane: name, at: instant, wall: wallClock(), preset: session.timeline.workout.name)
        : .command(command, lane: name, at: instant)
      return [.write(line), .emit(.obeyed(command, LaneStatus(self, at: instant)))]
    case .signalled(let signal, let instant):
      hasChanged = true
      return [
        .write(.signal(signal, lane: name, at: instant)),
        .emit(.signalled(signal, LaneStatus(self, at: instant))),
      ]
    case .finished(let instant):
      hasChanged = true
      return [
        .write(.finish(lane: name, at: instant)), .emit(.finished(LaneStatus(self, at: now))),
      ]
    }
  }

  /// Nothing more is heard of it. Nothing comes of it where that is known.
  func end(at now: BootInstant) -> [CoachEffect] {
    guard !hasEnded else { return [] }
    hasEnded = true
    return (hasChanged ? [save(at: now)] : [])
      + [.emit(.ended(LaneStatus(self, at: now), record(at: now)))]
  }

  func save(at now: BootInstant) -> CoachEffect {
    hasChanged = false
    keptAt = now
    return .keep(id, record(at: now))
  }

  /// What is saved of it, as of now.
  func record(at now: BootInstant) -> SessionRecord {
    var record = session.record(at: now)
    record.cues = cues
    record.readings = coaching.kept
    return record
  }
}
