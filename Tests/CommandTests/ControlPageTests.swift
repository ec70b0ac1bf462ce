import ControlProtocol
import ControlSocket
import CueEngine
import Foundation
import IntervalTimeline
import TestSupport
import Testing

/// Documentation/control.md: its examples are sent to a coach, and its client is run.
@Suite struct ControlPageTests {
  private let space = Workspace()

  private static let page = DocumentationPage.all.first { $0.name == "Documentation/control.md" }
  private static let blocks = page?.blocks ?? []

  /// A request of the page and the answer below it.
  struct Exchange: Sendable, CustomTestStringConvertible {
    let place: String
    let request: String
    let answer: String

    var testDescription: String { "\(place) \(request)" }
  }

  /// In the order of the page.
  static let exchanges: [Exchange] = blocks.compactMap { block in
    guard block.language == "json", block.lines.count == 2, block.lines[0].contains("\"verb\"")
    else { return nil }
    return Exchange(place: block.place, request: block.lines[0], answer: block.lines[1])
  }

  private static func lines(with key: String) -> [String] {
    blocks.filter { $0.language == "json" }.flatMap(\.lines).filter { $0.hasPrefix("{") }
      .filter { (try? object($0))?[key] != nil }
  }

  private static func object(_ line: String) throws -> [String: any Sendable] {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(object as? [String: any Sendable], "\(line)")
  }

  /// The same fields in the order of their names.
  private static func sorted(_ line: String) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: object(line), options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  // MARK: Their form

  @Test func everyVerbAndEventHasAnExample() throws {
    let verbs = try Self.exchanges.map { try Self.object($0.request)["verb"] as? String }
    for verb in ControlVerb.allCases { #expect(verbs.contains(verb.rawValue), "\(verb)") }
    let events = try Self.lines(with: "event").map { try Self.object($0)["event"] as? String }
    for event in [ControlEvent.Kind.lane, .ended, .device, .volume, .warning] {
      #expect(events.contains(event.rawValue), "\(event)")
    }
    #expect(events.contains(SpeechEvent.name))
    let text = try #require(Self.page).text
    for code in ControlError.Code.allCases {
      #expect(text.contains("\n| \(code.rawValue) |"), "\(code)")
    }
  }

  /// What is written back has every field of the page.
  @Test func everyLineIsAMessage() throws {
    func check<Value: Codable>(_ type: Value.Type, _ line: String) throws {
      let value = try ControlCoding.value(type, Array(line.utf8))
      let written = String(decoding: try ControlCoding.line(value), as: UTF8.self)
      #expect(try Self.sorted(written) == Self.sorted(line))
    }
    for line in Self.lines(with: "protocol") { try check(ControlGreeting.self, line) }
    for line in Self.lines(with: "ok") { try check(ControlAnswer.self, line) }
    for line in Self.lines(with: "event") {
      let isSpeech = try Self.object(line)["event"] as? String == SpeechEvent.name
      try isSpeech ? check(SpeechEvent.self, line) : check(ControlEvent.self, line)
    }
    for line in Self.lines(with: "verb") { try check(ControlRequest.self, line) }
  }

  // MARK: What a coach answers

  /// On one connection, in the order of the page.
  @Test func theCoachAnswersAsThePageSays() async throws {
    let coach = try await RunningCoach(in: space)
    let listener = try ControlClient([space.controlSocket])
    _ = try listener.request(.subscribe)
    let client = try RawClient(space.controlSocket)
    let greeting = try Self.object(try #require(client.line()))
    let documented = try Self.object(try #require(Self.lines(with: "protocol").first))
    #expect(Set(greeting.keys) == Set(documented.keys))
    for exchange in Self.exchanges {
      var request = try Self.object(exchange.request)
      if request["at"] != nil {
        request["at"] = (BootClock.now() + .seconds(3600)).nanoseconds
      }
      if request["verb"] as? String == "rep" {
        // It counts from the workout's start on.
        let hasBegun = await eventually {
          let watch = try? ControlClient([space.controlSocket])
          let lanes = try? watch?.request(.status(outline: false)).snapshot?.lanes
          return lanes?.first { $0.name == "Lifts" }.map { $0.elapsed > .zero } ?? false
        }
        #expect(hasBegun)
      }
      client.send(
        Array(try JSONSerialization.data(withJSONObject: request)) + [UInt8(ascii: "\n")])
      let answer = try Self.object(try #require(client.line()))
      let expected = try Self.object(exchange.answer)
      #expect(Set(answer.keys) == Set(expected.keys), "\(exchange) \(answer)")
      for field in ["id", "ok", "error", "message", "volume"] {
        #expect("\(answer[field] ?? "")" == "\(expected[field] ?? "")", "\(exchange)")
      }
      #expect(answer["lanes"] as? [String] == expected["lanes"] as? [String], "\(exchange)")
    }
    _ = await coach.end()
    var seen: Set<ControlEvent.Kind> = []
    while let event = try? listener.nextEvent(within: .seconds(600)) { seen.insert(event.event) }
    #expect(seen.isSuperset(of: [.lane, .ended, .device, .volume]))
  }

  // MARK: The client

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func theClientInPythonRunsAWorkout() async throws {
    try space.write(Preset.tiny, to: "Presets/tiny.yaml")
    let block = try #require(Self.blocks.first { $0.language == "python" })
    try space.write(block.text, to: "client.py")
    let coach = try await RunningCoach(in: space)
    var program = space.programOfCoach
    program.setUp = "{ /usr/bin/python3 client.py tiny\nexit; }"
    let outcome = try await program.run([]).expectSuccess()
    #expect(outcome.lines.contains("running Work"), "\(outcome.output)")
    #expect(outcome.lines.last?.hasPrefix("finished") == true, "\(outcome.output)")
    program.setUp = "{ /usr/bin/python3 client.py nothing\nexit; }"
    let refused = try await program.run([]).expect(1)
    #expect(refused.errors.hasPrefix("there is no preset \"nothing\""))
    _ = await coach.end()
    let without = try await program.run([]).expect(1)
    #expect(
      without.errors.hasSuffix(": no coach; cuecoach serve starts one\n"), "\(without.errors)")
  }
}
