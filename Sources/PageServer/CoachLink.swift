import ControlProtocol

/// The conversation with the coach: what to send it, what its lines mean, when to try again. It is
/// handed bytes and instants, and says what is to be done.
package struct CoachLink: Sendable {
  package enum Effect: Hashable, Sendable {
    case send([UInt8])
    /// The connection is of no use: close it, and say why to `disconnected`.
    case disconnect(String)
    /// For every page.
    case publish([UInt8])
    /// The answer to `ask`.
    case answer(Ticket, HTTPAnswer)
    /// For the log.
    case report(String)
  }

  package typealias Ticket = Int64

  private enum State: Hashable {
    /// Tried again at this instant.
    case away(until: Int64)
    /// Connected; the greeting or the first snapshot has not come by then.
    case arriving(until: Int64)
    case there
  }

  /// For an answer.
  static let patience: Int64 = 5_000_000_000
  /// For one that takes seconds: two of them are done one after the other.
  static let longPatience: Int64 = 50_000_000_000
  static let subscription: Ticket = 0

  private var state: State
  private var backOff = ControlLimits.reconnection
  private var buffer = LineBuffer(limit: ControlLimits.answerLine)
  private var nextTicket: Ticket = 1
  /// What waits for an answer, and until when.
  private var deadlines: [Ticket: Int64] = [:]
  /// What was reported last: the same is not reported again.
  private var report = ""
  package private(set) var mirror = CoachMirror()

  package init(at now: Int64) { state = .away(until: now) }

  /// When to try to connect; nil while there is a connection.
  package var attemptAt: Int64? {
    if case .away(let until) = state { until } else { nil }
  }

  /// When `expire` has something to do; nil for never.
  package var deadline: Int64? {
    var instants = Array(deadlines.values)
    if case .arriving(let until) = state { instants.append(until) }
    return instants.min()
  }

  package mutating func connected(at now: Int64) {
    state = .arriving(until: now + Self.patience)
    buffer = LineBuffer(limit: ControlLimits.answerLine)
  }

  /// The connection has ended, or there was none.
  package mutating func disconnected(_ reason: String, at now: Int64) -> [Effect] {
    state = .away(until: now + backOff.next().wholeNanoseconds)
    var effects: [Effect] = deadlines.keys.sorted().map { .answer($0, Self.goneAnswer) }
    deadlines = [:]
    if mirror.isThere {
      mirror.lose()
      effects.append(.publish(PageMessage(.gone, at: now).eventBytes))
    }
    return effects + reporting("the coach is not there: \(reason); trying again")
  }

  private mutating func reporting(_ text: String) -> [Effect] {
    guard text != report else { return [] }
    report = text
    return [.report(text)]
  }

  static let goneAnswer = HTTPAnswer.refusal(503, "The coach is not there.")

  /// - Returns: nil where the coach is not there.
  package mutating func ask(
    _ action: ControlRequest.Action, sentAt: Int64? = nil, language: String? = nil, at now: Int64
  ) -> (ticket: Ticket, effects: [Effect])? {
    var request = ControlRequest(.number(nextTicket), action, sentAt: sentAt)
    request.language = language
    guard state == .there, let line = try? ControlCoding.line(request) else { return nil }
    let ticket = nextTicket
    nextTicket += 1
    deadlines[ticket] = now + (request.takesSeconds ? Self.longPatience : Self.patience)
    return (ticket, [.send(line)])
  }

  /// The client that asked has gone.
  package mutating func forget(_ ticket: Ticket) { deadlines[ticket] = nil }

  package mutating func expire(at now: Int64) -> [Effect] {
    if case .arriving(let until) = state, until <= now {
      return [.disconnect("it says nothing")]
    }
    let late = deadlines.filter { $0.value <= now }.keys.sorted()
    for ticket in late { deadlines[ticket] = nil }
    return late.map { .answer($0, .refusal(504, "The coach does not answer.")) }
  }

  package mutating func received(_ bytes: some Collection<UInt8>, at now: Int64) -> [Effect] {
    var effects: [Effect] = []
    for line in buffer.append(bytes) {
      switch line {
      case .tooLong: return effects + [.disconnect("it wrote a line without an end")]
      case .complete(let line): effects += understood(line, at: now)
      }
      if case .disconnect? = effects.last { return effects }
    }
    return effects
  }

  /// Enough of a line to know what it is.
  private struct Beginning: Decodable {
    var id: RequestID?
    var ok: Bool?
    var event: String?
    var `protocol`: Int?
  }

  private mutating func understood(_ line: [UInt8], at now: Int64) -> [Effect] {
    guard let beginning = try? ControlCoding.value(Beginning.self, line) else {
      return [.disconnect("it wrote a line that is not understood")]
    }
    if let version = beginning.protocol { return greeted(version) }
    if beginning.event == SpeechEvent.name {
      guard let event = try? ControlCoding.value(SpeechEvent.self, line), mirror.isThere else {
        return []
      }
      return [.publish(PageSpeech(event).eventBytes)]
    }
    if beginning.event != nil {
      // An event of a later version is passed over.
      guard let event = try? ControlCoding.value(ControlEvent.self, line),
        let message = mirror.take(event)
      else { return [] }
      return [.publish(message.eventBytes)]
    }
    guard case .number(let ticket)? = beginning.id else { return [] }
    if ticket == Self.subscription { return subscribed(line, at: now) }
    guard deadlines.removeValue(forKey: ticket) != nil else { return [] }
    return [.answer(ticket, .json(beginning.ok == true ? 200 : 409, line))]
  }

  private mutating func greeted(_ version: Int) -> [Effect] {
    guard version == ControlLimits.version else {
      return [
        .disconnect(
          "it speaks version \(version) of the protocol, and this page \(ControlLimits.version);"
            + " use both of the same cuecoach")
      ]
    }
    var request = ControlRequest(.number(Self.subscription), .subscribe)
    request.hearsSpeech = true
    guard let line = try? ControlCoding.line(request) else { return [] }
    return [.send(line)]
  }

  private mutating func subscribed(_ line: [UInt8], at now: Int64) -> [Effect] {
    guard let snapshot = (try? ControlCoding.value(ControlAnswer.self, line))?.snapshot else {
      return [.disconnect("it gave no snapshot")]
    }
    state = .there
    backOff.reset()
    mirror.take(snapshot)
    return [.publish(mirror.opening(at: now).eventBytes)] + reporting("connected to the coach")
  }
}
