import CueSound
import IntervalTimeline

/// What others have to say in a workout: texts, and the live values that texts use.
extension Coach {
  /// A message whose instant lies far ahead.
  struct ScheduledMessage {
    let message: Message
    let lane: LaneID
    let due: BootInstant
    let handle: MessageHandle?
    let report: MessageReceiver?
  }

  typealias MessageReceiver = @Sendable (MessageReport) -> Void

  /// The sender of a message that was handed off, and when it wanted it to begin.
  struct MessageSender {
    let text: String
    let wanted: BootInstant
    let handle: MessageHandle?
    let report: MessageReceiver
  }

  /// The most messages that may wait for their instants.
  private static let maxSchedule = 1000
  /// The most messages of one priority that may be laid out or wait for their words. Each is laid out again, beside
  /// all others, whenever one of them changes: with many more the check would have no time left for its cues. Those
  /// of high priority are counted by themselves, so that they need not wait; each of them moves all others.
  private static func maxPending(_ priority: Message.Priority) -> (ofLane: Int, inAll: Int) {
    priority == .high ? (4, 8) : (8, 32)
  }

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
    guard lanes.contains(lane) else { return .unknownLane }
    if let misuse = message.misuse { return .refused(misuse) }
    let state = lanes[lane].session.state
    guard state != .ready, state != .stopped else { return .noEffect(state) }
    let now = max(instant, lastSeen)
    lastSeen = now
    takeReports()
    defer { deliver() }
    let item = ScheduledMessage(
      message: message, lane: lane, due: due ?? now, handle: handle, report: report)
    let isLater = item.due >= now + horizon
    guard isLater ? scheduled.count < Self.maxSchedule : !isFull(for: item) else {
      if refusals.isFirst(of: lane, at: now) { recordRefusals(1, of: lane) }
      return .busy(Self.tooMany)
    }
    if isLater {
      let place = scheduled.firstIndex { $0.due > item.due } ?? scheduled.endIndex
      scheduled.insert(item, at: place)
    } else {
      let known = outbox.count
      handOff([item], now)
      // Whoever has given a closure learns it there.
      if report == nil, let reason = takeDropped(since: known, of: lane, at: now) {
        return .busy(reason)
      }
    }
    return .done
  }

  /// Why a message was left out at once, nil where it was not. Its line stays if it is the first in a while.
  private mutating func takeDropped(
    since known: Int, of lane: LaneID, at now: BootInstant
  ) -> String? {
    for index in outbox.indices.dropFirst(known) {
      guard case .write(.cue(let entry)) = outbox[index], entry.isMessage,
        entry.lane == lanes[lane].name, entry.outcome == .dropped
      else { continue }
      if refusals.isFirst(of: lane, at: now) {
        var answered = entry
        answered.isAnswered = true
        outbox[index] = .write(.cue(answered))
      } else {
        outbox.remove(at: index)
      }
      return entry.reason ?? Self.tooMany
    }
    return nil
  }

  /// From when on a check hands off the next message; nil where none waits for its instant.
  var nextMessage: BootInstant? { scheduled.first.map { $0.due - horizon } }

  /// Hands off the messages that are due soon.
  mutating func handOffMessages(at now: BootInstant) {
    guard let first = scheduled.first, first.due < now + horizon else { return }
    let due = scheduled.prefix { $0.due < now + horizon }
    scheduled.removeFirst(due.count)
    handOff(Array(due), now)
  }

  private mutating func handOff(_ messages: [ScheduledMessage], _ now: BootInstant) {
    for item in messages {
      guard lanes.contains(item.lane) else {
        // A message before this one has ended the lane.
        report(item, .dropped, Self.isOver)
        continue
      }
      guard !isFull(for: item) else {
        drop(item, Self.tooMany)
        continue
      }
      let effects = lanes[item.lane].session.say(item.message, due: item.due, at: now)
      guard !effects.isEmpty else {
        drop(item, Self.isOver)
        continue
      }
      for case .handOff(let handOff) in effects {
        guard let report = item.report else { continue }
        senders[AnnouncementID(lane: item.lane, handOff: handOff.id)] = MessageSender(
          text: item.message.text, wanted: handOff.due, handle: item.handle, report: report)
      }
      announce(
        [(item.lane, perform(effects, lane: item.lane, at: now))], at: now,
        isCommand: item.message.priority == .high)
    }
  }

  private func isFull(for item: ScheduledMessage) -> Bool {
    let isHigh = item.message.priority == .high
    let pending = planner.pending.messages.filter { ($0.priority == .high) == isHigh }
    let greatest = Self.maxPending(item.message.priority)
    return pending.count >= greatest.inAll
      || pending.count { $0.lane == item.lane } >= greatest.ofLane
  }

  /// The sender takes a message back: where it has not begun, it is not said.
  mutating func withdraw(_ message: MessageHandle, at instant: BootInstant) {
    let now = max(instant, lastSeen)
    lastSeen = now
    takeReports()
    if let index = scheduled.firstIndex(where: { $0.handle == message }) {
      drop(scheduled.remove(at: index), Self.takenBack, .withdrawn)
    } else if let id = senders.first(where: { $0.value.handle == message })?.key {
      apply(
        planner.pending.withdraw(Self.takenBack, of: speakingLanes([]), at: now) {
          $0 == id.lane && $1.id == id.handOff
        })
      if lanes.contains(id.lane) { endIfOver(id.lane) }
    }
    deliver()
  }

  private static let takenBack = "its sender took it back"

  /// A message that was never handed off is left out.
  private mutating func drop(
    _ item: ScheduledMessage, _ reason: String, _ outcome: LedgerEvent.Outcome = .dropped
  ) {
    let entry = LedgerEvent.CueEntry(
      lane: lanes[item.lane].name,
      phase: lanes[item.lane].session.transport.position(at: lastSeen).phase,
      kind: Cue.Content.message(item.message).name, remark: nil, set: nil, scheduledSet: nil,
      text: item.message.text, due: item.due, onset: nil, outcome: outcome, reason: reason,
      parts: [])
    write(entry, of: item.lane)
    if let report = item.report {
      outbox.append(.report(MessageReport(entry, wanted: item.due), report))
    }
  }

  private static let tooMany = "too many texts wait to be said"

  mutating func recordRefusals(_ count: Int, of lane: LaneID) {
    guard count > 0, lanes.contains(lane) else { return }
    record(
      .refused(lane: lanes[lane].name, at: lastSeen, count: count, reason: "no room for more texts")
    )
  }

  private static let isOver = "the workout is over"

  private mutating func report(
    _ item: ScheduledMessage, _ outcome: MessageReport.Outcome, _ reason: String
  ) {
    guard let receive = item.report else { return }
    outbox.append(
      .report(
        MessageReport(outcome: outcome, text: item.message.text, reason: reason), receive))
  }

  /// The lane ends: its messages will not be said.
  mutating func dropMessages(of lane: LaneID) {
    recordRefusals(refusals.take(lane), of: lane)
    for item in scheduled where item.lane == lane { drop(item, Self.isOver) }
    scheduled.removeAll { $0.lane == lane }
  }

  /// Reports to its sender what became of a message.
  mutating func reportMessage(_ id: AnnouncementID, _ entry: LedgerEvent.CueEntry) {
    guard let sender = senders.removeValue(forKey: id) else { return }
    outbox.append(.report(MessageReport(entry, wanted: sender.wanted), sender.report))
  }

  /// The end of the coach: what has not been heard will not be.
  mutating func withdrawMessages() {
    let reason = "the engine has been shut down"
    for lane in lanes.ids { recordRefusals(refusals.take(lane), of: lane) }
    for item in scheduled { report(item, .withdrawn, reason) }
    scheduled = []
    for sender in senders.values {
      outbox.append(
        .report(
          MessageReport(outcome: .withdrawn, text: sender.text, reason: reason), sender.report))
    }
    senders = [:]
    deliver()
  }

  // MARK: Live values

  /// Sets a live value of one lane, or with nil of all lanes; without a value it is removed.
  package mutating func setValue(
    _ name: String, to value: LiveValue?, lane: LaneID?, at instant: BootInstant
  ) -> CommandAnswer {
    let some = (lane.map { [$0] } ?? lanes.ids).filter(lanes.contains)
    guard !some.isEmpty else { return lane == nil ? .noLane : .unknownLane }
    guard LiveValue.isName(name) else { return .refused("no name for a live value: \"\(name)\"") }
    if let misuse = value?.misuse { return .refused(misuse) }
    let now = max(instant, lastSeen)
    lastSeen = now
    let isTooMany = some.contains { id in
      value != nil && lanes[id].values[name] == nil
        && lanes[id].values.count >= LiveValues.maximumCount
    }
    guard !isTooMany else {
      return .refused("more than \(LiveValues.maximumCount) live values")
    }
    var answer = CommandAnswer.unknownValue(name)
    for id in some {
      if lanes[id].saysValue(name) { answer = .done }
      lanes[id].values[name] = value
    }
    if planner.pending.saysValues(Set(some)) {
      takeReports()
      let plan = planner.valuesChanged(of: speakingLanes(Set(some)), with: source, at: now)
      apply(plan)
      for lane in plan.feedback.keys.sorted() { endIfOver(lane) }
      deliver()
    }
    return answer
  }
}
