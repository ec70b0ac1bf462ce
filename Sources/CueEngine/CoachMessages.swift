import IntervalTimeline
import Words

/// What others have to say in a workout: texts, and the live values that texts use.
extension Coach {
  /// Says a text in a lane's voice, where it breaks nothing that comes before it.
  ///
  /// - Parameters:
  ///   - due: when it should begin; nil: as soon as it can.
  ///   - handle: by which it can be taken back.
  ///   - report: called once, unless the answer says that it was not accepted.
  package mutating func say(
    _ message: Message, lane: LaneID, due: BootInstant? = nil, at instant: BootInstant,
    as handle: MessageHandle? = nil, report: (@Sendable (MessageReport) -> Void)? = nil
  ) -> CommandAnswer {
    defer { performer.outbox.deliver() }
    let now = performer.advance(to: instant)
    guard lanes.contains(lane) else { return .unknownLane }
    if let misuse = message.misuse { return .refused(misuse) }
    let state = lanes[lane].state
    guard state != .ready, state != .stopped else { return .noEffect(state) }
    let item = MessageQueue.Scheduled(
      message: message, lane: lane, due: due ?? now, handle: handle, report: report)
    let isLater = item.due >= now + performer.horizon
    guard
      isLater
        ? performer.messages.hasRoom
        : !MessageQueue.isFull(for: item, beside: performer.planner.pending)
    else {
      if performer.messages.refusals.isFirst(of: lane, at: now) {
        performer.recordRefusals(1, of: lane)
      }
      return .busy(MessageQueue.tooMany)
    }
    if isLater {
      performer.messages.insert(item)
    } else {
      let (known, name) = (performer.outbox.effects.count, lanes[lane].name)
      handOff([item], now)
      // Whoever has given a closure learns it there.
      if report == nil,
        let entry = performer.outbox.takeDroppedMessage(of: name, since: known)
      {
        // Its line stays if it is the first in a while.
        if performer.messages.refusals.isFirst(of: lane, at: now) {
          performer.outbox.effects.insert(.write(.cue(entry.element)), at: entry.offset)
        }
        return .busy(entry.element.reason ?? MessageQueue.tooMany)
      }
    }
    return .done
  }

  /// Hands off messages that are due soon.
  mutating func handOff(_ items: [MessageQueue.Scheduled], _ now: BootInstant) {
    for item in items {
      guard lanes.contains(item.lane) else {
        // A message before this one has ended the lane.
        if let report = item.report(.dropped, LanePerformer.isOver) {
          performer.outbox.append(report)
        }
        continue
      }
      guard !MessageQueue.isFull(for: item, beside: performer.planner.pending) else {
        performer.drop(item, MessageQueue.tooMany)
        continue
      }
      let effects = performer.lanes[item.lane].session.say(item.message, due: item.due, at: now)
      guard !effects.isEmpty else {
        performer.drop(item, LanePerformer.isOver)
        continue
      }
      for case .handOff(let handOff) in effects {
        performer.messages.handedOff(
          item, as: AnnouncementID(lane: item.lane, handOff: handOff.id), due: handOff.due)
      }
      performer.announce(
        [(item.lane, performer.perform(effects, lane: item.lane, at: now))], at: now,
        isCommand: item.message.priority == .high)
    }
  }

  /// The sender takes a message back: where it has not begun, it is not said.
  mutating func withdraw(_ message: MessageHandle, at instant: BootInstant) {
    let reason = "its sender took it back"
    let now = performer.advance(to: instant)
    if let item = performer.messages.take(message) {
      performer.drop(item, reason, .withdrawn)
    } else if let id = performer.messages.announcement(of: message) {
      performer.apply(
        performer.planner.pending.withdraw(reason, of: performer.speakers(), at: now) {
          $0 == id.lane && $1.id == id.handOff
        })
      performer.endIfOver(id.lane)
    }
    performer.outbox.deliver()
  }

  /// The end of the coach: what has not been heard will not be.
  mutating func withdrawMessages() {
    for lane in lanes.ids {
      performer.recordRefusals(performer.messages.refusals.take(lane), of: lane)
    }
    performer.outbox.effects += performer.messages.withdrawAll("the engine has been shut down")
    performer.outbox.deliver()
  }

  /// Sets a live value of one lane, or with nil of all lanes; without a value it is removed.
  package mutating func setValue(
    _ name: String, to value: LiveValue?, lane: LaneID?, at instant: BootInstant
  ) -> CommandAnswer {
    defer { performer.outbox.deliver() }
    let now = performer.advance(to: instant)
    let some = (lane.map { [$0] } ?? lanes.ids).filter(lanes.contains)
    guard !some.isEmpty else { return lane == nil ? .noLane : .unknownLane }
    guard LiveValue.isName(name) else { return .refused("no name for a live value: \"\(name)\"") }
    if let misuse = value?.misuse { return .refused(misuse) }
    guard value == nil || !some.contains(where: { lanes[$0].isFull(for: name) }) else {
      return .refused("more than \(LiveValues.maximumCount) live values")
    }
    var answer = CommandAnswer.unknownValue(name)
    for id in some {
      if performer.lanes[id].setValue(name, to: value, at: now) { answer = .done }
      performer.coachIfWatched(id)
    }
    if performer.planner.pending.saysValues(Set(some)) {
      performer.announceChangedValues(of: some, at: now)
    }
    return answer
  }
}
