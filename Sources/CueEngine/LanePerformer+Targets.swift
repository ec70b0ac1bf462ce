import CueSound
import IntervalTimeline

/// Readings, and what the coach says about them.
extension LanePerformer {
  /// A live value of a lane is a reading where it has the name of a kind of target.
  mutating func take(_ name: String, _ value: LiveValue?, lane: LaneID, at now: BootInstant) -> Bool
  {
    guard let kind = TargetKind(rawValue: name), lanes[lane].coaching.kinds.contains(kind) else {
      return false
    }
    if let number = value?.number, let reading = Reading(kind, number) {
      lanes[lane].coaching.take(reading, in: lanes[lane].session, at: now)
      coached.insert(lane)
    }
    return true
  }

  /// Says what is to be said of the readings of each lane, and ends the rests that the heart rate ends.
  mutating func coachTargets(at now: BootInstant) {
    for lane in coached.sorted() {
      guard lanes.contains(lane), !lanes[lane].isOver else {
        coached.remove(lane)
        continue
      }
      coach(lane, at: now)
    }
  }

  private mutating func coach(_ lane: LaneID, at now: BootInstant) {
    lanes[lane].coaching.follow(lanes[lane].session, at: now)
    guard lanes[lane].session.state == .running else { return }
    if lanes[lane].coaching.isRestOver(at: now) {
      let effects = lanes[lane].session.heartRateIsLow(at: now)
      lanes[lane].coaching.follow(lanes[lane].session, at: now)
      announce([(lane, perform(effects, lane: lane, at: now))], at: now, isCommand: true)
      guard lanes.contains(lane), lanes[lane].session.state == .running else { return }
    }
    lanes[lane].coaching.note(at: now)
    if let text = lanes[lane].coaching.text(at: now) { say(text, lane: lane, at: now) }
    if lanes[lane].coaching.hasNews(at: now) {
      outbox.append(.emit(.targetChanged(status(of: lane, at: now))))
    }
  }

  private mutating func say(_ text: CoachingText, lane: LaneID, at now: BootInstant) {
    let session = lanes[lane].session
    let density = session.plan.density(of: session.transport.entry(at: now))
    var isAlarm = false
    if case .alarm = text { isAlarm = true }
    guard isAlarm || density >= .normal else {
      if density == .quiet, let role = text.sound { sound(role, text, lane: lane, at: now) }
      return
    }
    if isAlarm { sound(.alarm, text, lane: lane, at: now) }
    // A catalogue may have no words for it.
    guard !lanes[lane].style.phrases.words(of: text).isEmpty else { return }
    let message = Message(
      coaching: text, template: lanes[lane].style.phrases.template(of: text),
      priority: isAlarm ? .high : .low)
    let effects = lanes[lane].session.say(message, at: now)
    for case .handOff(let handOff) in effects {
      lanes[lane].coaching.handedOff(text, as: handOff.id, at: now)
    }
    announce(
      [(lane, perform(effects, lane: lane, at: now))], at: now, isCommand: isAlarm)
  }

  /// A sound that says it all, or comes before the words.
  private mutating func sound(
    _ role: SoundRole, _ text: CoachingText, lane: LaneID, at now: BootInstant
  ) {
    let due = now + .milliseconds(50) + settings.outputLatency
    let entry = LedgerEvent.CueEntry(
      lane: lanes[lane].name,
      phase: lanes[lane].session.transport.position(at: now).phase, kind: Cue.Content.coachingName,
      remark: nil, set: nil, scheduledSet: nil, text: role.rawValue, due: due, onset: nil,
      outcome: .played, reason: nil, parts: [])
    mixerClient.send(
      entry, [.init(text: role.rawValue, due: due, clip: lanes[lane].sounds[role])], lane: lane)
    lanes[lane].coaching.hasSounded(text, at: now)
  }
}

extension CoachingText {
  /// What is heard in place of its words; nil where nothing is.
  fileprivate var sound: SoundRole? {
    switch self {
    case .low: .tooLow
    case .high: .tooHigh
    case .onTarget, .lost, .back, .value, .alarm: nil
    }
  }
}

extension LiveValue {
  /// Of a reading: a number, or a pace in seconds.
  fileprivate var number: Double? {
    switch content {
    case .number(let number, _): number
    case .duration(let duration): duration / .seconds(1)
    case .text: nil
    }
  }
}
