import ControlProtocol
import IntervalTimeline
import PageServer
import TestSupport
import Testing

@Suite struct CoachLinkTests {
  private static let second: Int64 = 1_000_000_000
  private static let greeting = Array(
    "{\"cuecoach\":\"1.0\",\"protocol\":1,\"rights\":\"remote\"}\n".utf8)

  private static func lane(_ name: String, phase: Int) -> WorkoutStatus {
    var lane = WorkoutStatus(name: name, workout: "Tabata", state: .running, language: "en")
    lane.phase = phase
    lane.phases = 9
    return lane
  }

  private static func snapshot(_ lanes: [WorkoutStatus]) throws -> [UInt8] {
    var answer = ControlAnswer(.number(0), revision: 1)
    answer.snapshot = CoachSnapshot(
      revision: 1, at: 7, wall: 0, lanes: lanes, device: DeviceSnapshot(.idle), volume: 50,
      warnings: [])
    return try ControlCoding.line(answer)
  }

  /// Connected, with a lane that runs.
  private func connected() throws -> CoachLink {
    var link = CoachLink(at: 0)
    link.connected(at: 0)
    _ = link.received(Self.greeting, at: 0)
    _ = link.received(try Self.snapshot([Self.lane("anna", phase: 2)]), at: 0)
    return link
  }

  private func ask(
    _ link: inout CoachLink, _ action: ControlRequest.Action
  ) throws -> (CoachLink.Ticket, [CoachLink.Effect]) {
    let asked = link.ask(action, at: 0)
    return try #require(asked)
  }

  private func text(_ effects: [CoachLink.Effect]) -> String {
    effects.map { effect in
      switch effect {
      case .send(let bytes), .publish(let bytes): String(decoding: bytes, as: UTF8.self)
      default: "\(effect)\n"
      }
    }.joined()
  }

  @Test func aCheckHasMoreTime() throws {
    var link = try connected()
    let (ticket, _) = try ask(&link, .preset(PresetRequest(.check("name: Rows"))))
    #expect(link.expire(at: 40 * Self.second).isEmpty)
    #expect(link.deadline == 50 * Self.second)
    let late = link.expire(at: 50 * Self.second)
    #expect(late == [.answer(ticket, .refusal(504, "The coach does not answer."))])
  }

  @Test func whatIsSaidIsForEveryPage() throws {
    var link = try connected()
    let words = SpeechEvent(
      revision: 1, at: 5, lanes: ["anna"], text: "Rest", from: 7, until: 9, isWithdrawn: true)
    let published = link.received(try ControlCoding.line(words), at: 6)
    #expect(
      text(published)
        == #"data: {"at":5,"from":7,"lanes":["anna"],"text":"Rest","type":"speech","until":9,"withdrawn":true}"#
        + "\n\n")
    _ = link.disconnected("it has ended", at: 7)
    #expect(link.received(try ControlCoding.line(words), at: 8).isEmpty)
  }

  @Test func itSubscribesAndPublishesTheSnapshot() throws {
    var link = CoachLink(at: 3)
    #expect(link.attemptAt == 3)
    link.connected(at: 3)
    #expect(link.attemptAt == nil)
    #expect(!link.mirror.isThere)
    let greeted = link.received(Self.greeting, at: 3)
    #expect(text(greeted) == "{\"id\":0,\"speech\":true,\"verb\":\"subscribe\"}\n")
    let line = try Self.snapshot([Self.lane("anna", phase: 2)])
    // However the bytes arrive.
    #expect(link.received(line.prefix(40), at: 3) == [])
    let effects = link.received(line.dropFirst(40), at: 4)
    #expect(effects.count == 2)
    #expect(text(effects).hasPrefix("data: {\"at\":4,"))
    #expect(text(effects).contains("\"lanes\":[{\"at\":7,\"lane\":{"))
    #expect(link.mirror.isThere)
  }

  @Test func anEventChangesWhatLaterPagesRead() throws {
    var link = try connected()
    var event = ControlEvent(.lane, revision: 2, at: 90)
    event.lane = Self.lane("ben", phase: 0)
    let effects = link.received(try ControlCoding.line(event), at: 91)
    #expect(text(effects).hasPrefix("data: {\"at\":90,\"lane\":{"))
    let page = Page(files: [], hosts: HostRule(names: []), at: 0)
    var joined = page
    joined.link = link
    let head = HTTPRequestHead(
      method: "GET", path: "/api/events", headers: [.init("host", "localhost")])
    guard case .stream(let opening, false) = joined.decide(head, token: nil, at: 100) else {
      throw Unexpected("no stream")
    }
    let first = String(decoding: opening, as: UTF8.self)
    // The snapshot was taken at 7; its lane goes on until the event.
    #expect(first.contains("{\"at\":90,\"lane\":{\"done\":0,\"elapsed\":83,"))
    #expect(first.contains("{\"at\":90,\"lane\":{\"done\":0,\"elapsed\":0,"))
    #expect(!first.contains("\"at\":7,"))
    var ended = ControlEvent(.ended, revision: 3, at: 120)
    ended.lane = Self.lane("anna", phase: 9)
    _ = joined.link.received(try ControlCoding.line(ended), at: 121)
    guard case .stream(let next, _) = joined.decide(head, token: nil, at: 130) else {
      throw Unexpected("no stream")
    }
    #expect(!String(decoding: next, as: UTF8.self).contains("anna"))
  }

  @Test func anAnswerComesToWhoAsked() throws {
    var link = try connected()
    let (first, sent) = try ask(&link, .command(.pause, lane: nil))
    let (second, _) = try ask(&link, .sessions)
    #expect(text(sent) == "{\"id\":\(first),\"verb\":\"pause\"}\n")
    let refusal = ControlAnswer(.number(second), ControlError(.noLane, "nothing runs"))
    let refused = link.received(try ControlCoding.line(refusal), at: 1)
    guard case .answer(second, let answer)? = refused.first else { throw Unexpected("no answer") }
    #expect(answer.status == 409)
    let done = link.received(try ControlCoding.line(ControlAnswer(.number(first))), at: 1)
    guard case .answer(first, let other)? = done.first else { throw Unexpected("no answer") }
    #expect(other.status == 200)
    // An answer is given once, and to nobody else.
    #expect(try link.received(ControlCoding.line(ControlAnswer(.number(first))), at: 1) == [])
    #expect(try link.received(ControlCoding.line(ControlAnswer(.text("x"))), at: 1) == [])
  }

  @Test func aCoachThatDoesNotAnswerIsNotWaitedFor() throws {
    var link = try connected()
    let (ticket, _) = try ask(&link, .sessions)
    #expect(link.deadline == 5 * Self.second)
    #expect(link.expire(at: 5 * Self.second - 1) == [])
    guard case .answer(ticket, let answer)? = link.expire(at: 5 * Self.second).first else {
      throw Unexpected("no answer")
    }
    #expect(answer.status == 504)
    #expect(link.deadline == nil)
  }

  @Test func whenTheCoachGoesEveryoneKnows() throws {
    var link = try connected()
    let (ticket, _) = try ask(&link, .sessions)
    let effects = link.disconnected("it has ended", at: 9)
    guard case .answer(ticket, let answer)? = effects.first else { throw Unexpected("no answer") }
    #expect(answer.status == 503)
    #expect(text(Array(effects.dropFirst())).hasPrefix("data: {\"at\":9,\"type\":\"gone\"}\n\n"))
    #expect(link.ask(.sessions, at: 9) == nil)
    #expect(!link.mirror.isThere)
  }

  @Test func itTriesAgainForEverAtGrowingIntervals() {
    var link = CoachLink(at: 0)
    var now: Int64 = 0
    var pauses: [Int64] = []
    for _ in 0..<20 {
      _ = link.disconnected("nothing", at: now)
      let next = link.attemptAt ?? now
      pauses.append((next - now) / 1_000_000)
      now = next
    }
    #expect(Array(pauses.prefix(7)) == [250, 500, 1000, 2000, 4000, 4000, 4000])
    #expect(pauses.last == 4000)
  }

  @Test func theSameReasonIsReportedOnce() {
    var link = CoachLink(at: 0)
    let first = link.disconnected("nothing", at: 0)
    #expect(first.count == 1)
    #expect(link.disconnected("nothing", at: 1) == [])
    let other = link.disconnected("refused", at: 2)
    #expect(other.count == 1)
  }

  static let strange = [
    ("{\"cuecoach\":\"2.0\",\"protocol\":2,\"rights\":\"remote\"}\n", "it speaks version 2"),
    ("garbage\n", "it wrote a line that is not understood"),
    ("{\"id\":0,\"ok\":true}\n", "it gave no snapshot"),
    ("[]\n", "it wrote a line that is not understood"),
  ]

  /// However often it is tried, that is reported once.
  @Test(arguments: strange) func whatIsNotUnderstoodEndsTheConnection(
    _ line: String, _ expected: String
  ) {
    var link = CoachLink(at: 0)
    var reports: [String] = []
    for now in 0..<3 as Range<Int64> {
      link.connected(at: now)
      guard case .disconnect(let reason)? = link.received(Array(line.utf8), at: now).last else {
        Issue.record("it stays connected")
        return
      }
      for case .report(let text) in link.disconnected(reason, at: now) { reports.append(text) }
    }
    #expect(reports.count == 1)
    #expect(reports.first?.hasPrefix("the coach is not there: \(expected)") == true)
  }

  @Test func aLineWithoutAnEndEndsTheConnection() throws {
    var link = try connected()
    let bytes = [UInt8](repeating: 65, count: ControlLimits.answerLine)
    #expect(link.received(bytes, at: 0) == [.disconnect("it wrote a line without an end")])
  }

  @Test func aCoachThatSaysNothingIsLeft() {
    var link = CoachLink(at: 0)
    link.connected(at: 0)
    #expect(link.expire(at: 5 * Self.second) == [.disconnect("it says nothing")])
  }

  @Test func anEventOfALaterVersionIsPassedOver() throws {
    var link = try connected()
    #expect(link.received(Array("{\"event\":\"confetti\",\"revision\":3}\n".utf8), at: 0) == [])
    #expect(link.mirror.isThere)
  }
}
