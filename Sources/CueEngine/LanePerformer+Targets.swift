import CueSound
import IntervalTimeline
import Words

/// Readings, and what the coach says about them.
extension LanePerformer {
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
    guard lanes[lane].state == .running else { return }
    if lanes[lane].coaching.isRestOver(at: now) {
      let effects = lanes[lane].session.heartRateIsLow(at: now)
      lanes[lane].coaching.follow(lanes[lane].session, at: now)
      announce([(lane, perform(effects, lane: lane, at: now))], at: now, isCommand: true)
      guard lanes.contains(lane), lanes[lane].state == .running else { return }
    }
    lanes[lane].coaching.note(at: now)
    let session = lanes[lane].session
    let soonest = now + Message.minimumDelay + settings.outputLatency
    if let text = lanes[lane].coaching.text(
      at: now, heard: soonest,
      room: session.firstBeep(at: now).map { $0 - now } ?? .unlimited)
    {
      let density = session.plan.density(of: session.transport.entry(at: now))
      let style = lanes[lane].style
      let prompt = CoachingPrompt(
        text, density: density, hasAlarm: style.heartRateAlarm != nil, style.phrases)
      give(prompt, lane: lane, at: now, from: soonest)
    }
    if lanes[lane].coaching.hasNews(at: now) {
      outbox.append(.emit(.targetChanged(lanes.status(of: lane, at: now))))
    }
  }

  /// - Parameter soonest: when words can be heard.
  private mutating func give(
    _ prompt: CoachingPrompt, lane: LaneID, at now: BootInstant, from soonest: BootInstant
  ) {
    if let role = prompt.sound, !lanes[lane].coaching.owesAlarmWords {
      let due = lanes[lane].coaching.due(
        prompt.text, from: now + .milliseconds(50) + settings.outputLatency)
      let entry = LedgerEvent.CueEntry(
        lane: lanes[lane].name, phase: lanes[lane].session.transport.position(at: now).phase,
        kind: Cue.Content.coachingName, text: role.rawValue, due: due, outcome: .played)
      mixerClient.send(
        entry, [.init(text: role.rawValue, due: due, clip: lanes[lane].sounds[role])], lane: lane)
      lanes[lane].coaching.hasSounded(prompt.text, at: now, heard: due)
    }
    guard let message = prompt.message else { return }
    let due = lanes[lane].coaching.due(prompt.text, from: soonest)
    let effects = lanes[lane].session.say(message, due: due, at: now)
    for case .handOff(let handOff) in effects {
      lanes[lane].coaching.handedOff(prompt.text, as: handOff.id, at: now)
    }
    announce(
      [(lane, perform(effects, lane: lane, at: now))], at: now, isCommand: prompt.text.isAlarm)
  }
}
