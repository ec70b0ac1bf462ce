import CueSound
import IntervalTimeline

/// Performs what sessions want, and records what the mixer reports.
extension Coach {
  /// Returns the words that are to be announced.
  mutating func perform(
    _ effects: [SessionEffect], lane: LaneID, at now: BootInstant
  ) -> [HandOff] {
    var announcements: [HandOff] = []
    for effect in effects {
      switch effect {
      case .handOff(let handOff):
        if handOff.cue.isSpoken {
          announcements.append(handOff)
        } else {
          sound(handOff, lane: lane)
        }
      case .silent(let cue):
        writeSilent(cue, lane: lane)
      case .withdraw:
        mixerClient.withdraw(lane: lane)
        apply(planner.pending.withdraw(speakingLane(lane), at: now))
      case .phaseBegan(let phase, let instant):
        lanes[lane].hasChanged = true
        outbox.append(
          .emit(.phaseBegan(LaneStatus(lanes[lane], at: instant, beginning: phase))))
      case .phaseEnded(let phase, let outcome, let instant):
        let entry = lanes[lane].session.timeline.entries[phase]
        record(
          .phase(
            lane: lanes[lane].name, at: instant,
            label: lanes[lane].style.phrases.name(of: entry.phase),
            set: entry.set, outcome: outcome))
      case .obeyed(let command, let instant):
        if ![.whereAmI, .sayName, .askStop].contains(command) { lanes[lane].hasChanged = true }
        obeyed(command, lane: lane, at: instant)
      case .signalled(let name, let instant):
        lanes[lane].hasChanged = true
        record(.signal(name, lane: lanes[lane].name, at: instant))
        outbox.append(.emit(.signalled(name, status(of: lane, at: instant))))
      case .finished(let instant):
        lanes[lane].hasChanged = true
        record(.finish(lane: lanes[lane].name, at: instant))
        outbox.append(.emit(.finished(status(of: lane, at: now))))
      }
    }
    return announcements
  }

  private mutating func obeyed(_ command: Command, lane: LaneID, at instant: BootInstant) {
    if command == .start {
      record(
        .start(
          lane: lanes[lane].name, at: instant, wall: settings.wallClock(),
          preset: lanes[lane].session.timeline.workout.name))
    } else {
      record(.command(command, lane: lanes[lane].name, at: instant))
    }
    outbox.append(.emit(.obeyed(command, status(of: lane, at: instant))))
  }

  // MARK: From cue to mixer

  private mutating func sound(_ handOff: HandOff, lane: LaneID) {
    let request = AnnouncementRequest(handOff, of: speakingLane(lane))
    guard case .sound(let meaning, let text) = request.wording(at: handOff.due) else {
      preconditionFailure("\(handOff.cue.content.name) is no sound")
    }
    var cue = LaidOutCue(text: text)
    cue.parts = [.init(text: text, due: handOff.due, clip: lanes[lane].sounds[meaning])]
    mixerClient.send(
      LedgerEvent.CueEntry(cue, of: handOff, lane: lanes[lane].name), cue.parts, lane: lane)
  }

  private mutating func writeSilent(_ cue: SilentCue, lane: LaneID) {
    let wording = speakingLane(lane).wording(of: cue.cue, set: cue.set)
    let outcome: LedgerEvent.Outcome
    let reason: String
    switch cue.reason {
    case .missed: (outcome, reason) = (.missed, "its time had passed")
    case .duplicate(.withinWindow): (outcome, reason) = (.duplicate, "within the window")
    case .duplicate: (outcome, reason) = (.duplicate, "set already announced")
    case .answered: (outcome, reason) = (.duplicate, "it is being answered")
    }
    write(
      LedgerEvent.CueEntry(
        lane: lanes[lane].name, phase: cue.cue.phase, kind: cue.cue.content.name,
        remark: cue.cue.content.remark, set: cue.set,
        scheduledSet: cue.scheduledSet, text: wording.text, due: cue.due, onset: nil,
        outcome: outcome, reason: reason, parts: []), of: lane)
  }

  /// - Parameter words: which announcement it was; nil for a sound, or for words that were never handed off.
  mutating func write(
    _ entry: LedgerEvent.CueEntry, of lane: LaneID, words: AnnouncementID? = nil
  ) {
    if lanes.contains(lane) { lanes[lane].cues.count(entry.outcome) }
    record(.cue(entry))
    if let words { reportMessage(words, entry) }
  }

  mutating func record(_ event: LedgerEvent) { outbox.append(.write(event)) }

  // MARK: From mixer to ledger

  /// Takes the reports of the audio thread.
  mutating func collectReports() {
    takeReports()
    deliver()
  }

  mutating func takeReports() {
    for event in mixerClient.collect() {
      switch event {
      // From now on it is saved as said.
      case .wordsBegan(let lane) where lanes.contains(lane) && !lanes[lane].hasEnded:
        lanes[lane].hasChanged = true
      case .wordsBegan: break
      case .closed(let entry, let lane, let words):
        if let words { planner.pending.remove(words) }
        write(entry, of: lane, words: words)
      case .released(let lane): endIfOver(lane)
      case .xrun(let instant):
        record(.xrun(at: instant))
        outbox.append(.emit(.xrun))
      case .deviceRecovered(let instant):
        outputWatchdog.note(isLost: false)
        isBack(at: instant)
      }
    }
  }

  /// After the output has stopped: takes its last reports, and withdraws what it has left without one.
  mutating func closeMixerClient() {
    takeReports()
    mixerClient.abandon()
    takeReports()
    deliver()
  }

  /// Looks whether the output takes its commands: where its thread hangs, it cannot report that itself.
  mutating func watchOutput(at now: BootInstant) {
    let (taken, isWaiting) = mixerClient.progress
    let finding = outputWatchdog.look(
      taken: taken, isWaiting: isWaiting, at: now, every: settings.checkInterval)
    switch finding {
    case .stuck(let time):
      isLost(
        SoundOutputError(
          kind: .stuck, device: "",
          detail: "the output has taken no command for \(time.components.seconds) s"),
        at: now)
    case .takesAgain: isBack(at: now)
    case nil: break
    }
  }

  private mutating func isLost(_ error: SoundOutputError, at instant: BootInstant) {
    record(.deviceLost(at: instant, reason: "\(error.kind)"))
    outbox.append(.emit(.deviceLost(error)))
  }

  private mutating func isBack(at instant: BootInstant) {
    record(.deviceRecovered(at: instant))
    outbox.append(.emit(.deviceRecovered))
  }

  mutating func note(_ event: OutputEvent) {
    takeReports()
    switch event {
    case .lost(let error, let instant):
      outputWatchdog.note(isLost: true)
      isLost(error, at: instant)
    case .plays, .closed: mixerClient.minimumLeadTime = nil
    case .notRealtime(let instant):
      record(.notRealtime(at: instant))
      outbox.append(.emit(.notRealtime))
    }
    deliver()
  }
}
