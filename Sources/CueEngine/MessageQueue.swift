import IntervalTimeline
import Words

/// The messages of others that are not over: those whose instants lie far ahead, the senders of those that were handed
/// off, and how many were refused.
///
/// A message is in one place at a time: it waits for its instant, or its sender waits for its end, or it is over and
/// its sender has learned what became of it.
struct MessageQueue {
  typealias Receiver = @Sendable (MessageReport) -> Void

  /// A message whose instant lies far ahead.
  struct Scheduled {
    let message: Message
    let lane: LaneID
    let due: BootInstant
    let handle: MessageHandle?
    let report: Receiver?
  }

  /// The sender of a message that was handed off, and when it wanted it to begin.
  private struct Sender {
    let text: String
    let wanted: BootInstant
    let handle: MessageHandle?
    let report: Receiver
  }

  /// The most messages that may wait for their instants.
  private static let maxSchedule = 1000
  /// The most messages of one priority that may be laid out or wait for their words. Each is laid out again, beside
  /// all others, whenever one of them changes: with many more the check would have no time left for its cues. Those
  /// of high priority are counted by themselves, so that they need not wait; each of them moves all others.
  private static func maxPending(_ priority: Message.Priority) -> (ofLane: Int, inAll: Int) {
    priority == .high ? (4, 8) : (8, 32)
  }

  /// Why a message is refused.
  static let tooMany = "too many texts wait to be said"

  /// In the order of their instants.
  private var scheduled: [Scheduled] = []
  private var senders: [AnnouncementID: Sender] = [:]
  var refusals = RefusalTally()

  var isEmpty: Bool { scheduled.isEmpty }

  /// The instant of the first message that waits for it.
  var firstInstant: BootInstant? { scheduled.first?.due }

  /// False where too many wait for their instants.
  var hasRoom: Bool { scheduled.count < Self.maxSchedule }

  /// Whether too many of its priority are laid out or wait for their words.
  static func isFull(for item: Scheduled, beside pending: PendingWords) -> Bool {
    let isHigh = item.message.priority == .high
    let alike = pending.messages.filter { ($0.priority == .high) == isHigh }
    let most = maxPending(item.message.priority)
    return alike.count >= most.inAll || alike.count { $0.lane == item.lane } >= most.ofLane
  }

  mutating func insert(_ item: Scheduled) {
    let place = scheduled.firstIndex { $0.due > item.due } ?? scheduled.endIndex
    scheduled.insert(item, at: place)
  }

  /// The messages before that instant, which wait for it no more.
  mutating func takeDue(before end: BootInstant) -> [Scheduled] {
    let due = Array(scheduled.prefix { $0.due < end })
    scheduled.removeFirst(due.count)
    return due
  }

  /// The messages of a lane that has ended.
  mutating func take(of lane: LaneID) -> [Scheduled] {
    let taken = scheduled.filter { $0.lane == lane }
    if !taken.isEmpty { scheduled.removeAll { $0.lane == lane } }
    return taken
  }

  /// A message that is taken back; nil where it does not wait for its instant.
  mutating func take(_ handle: MessageHandle) -> Scheduled? {
    scheduled.firstIndex { $0.handle == handle }.map { scheduled.remove(at: $0) }
  }

  /// Under what a message was handed off; nil where it was not, or is over.
  func announcement(of handle: MessageHandle) -> AnnouncementID? {
    senders.first { $0.value.handle == handle }?.key
  }

  /// Somebody waits for the end of a message that is handed off.
  mutating func handedOff(_ item: Scheduled, as id: AnnouncementID, due: BootInstant) {
    guard let report = item.report else { return }
    senders[id] = Sender(text: item.message.text, wanted: due, handle: item.handle, report: report)
  }

  /// What its sender learns of a message that is over; nil where nobody waits for it.
  mutating func report(_ id: AnnouncementID, _ entry: LedgerEvent.CueEntry) -> CoachEffect? {
    senders.removeValue(forKey: id).map {
      .report(MessageReport(entry, wanted: $0.wanted), $0.report)
    }
  }

  /// The end of the coach: what the senders of all that has not been heard learn.
  mutating func withdrawAll(_ reason: String) -> [CoachEffect] {
    defer { (scheduled, senders) = ([], [:]) }
    func report(_ text: String, _ receive: @escaping Receiver) -> CoachEffect {
      .report(MessageReport(outcome: .withdrawn, text: text, reason: reason), receive)
    }
    return scheduled.compactMap { item in item.report.map { report(item.message.text, $0) } }
      + senders.values.map { report($0.text, $0.report) }
  }
}

extension MessageQueue.Scheduled {
  /// What its sender learns where nobody writes a line of it; nil where nobody waits for it.
  func report(_ outcome: MessageReport.Outcome, _ reason: String) -> CoachEffect? {
    report.map { .report(MessageReport(outcome: outcome, text: message.text, reason: reason), $0) }
  }
}
