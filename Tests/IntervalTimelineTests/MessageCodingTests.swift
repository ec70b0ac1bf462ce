import Foundation
import IntervalTimeline
import Testing

/// Messages as saved sessions hold them.
struct MessageCodingTests {
  private func decoded(_ json: String) throws -> Message {
    try JSONDecoder().decode([Message].self, from: Data("[\(json)]".utf8))[0]
  }

  @Test func aPlainTextIsStoredAsByEarlierVersions() throws {
    let message = Message("Well {done}")
    let json = String(decoding: try JSONEncoder().encode([message]), as: UTF8.self)
    #expect(json == #"["Well {done}"]"#)
    #expect(try decoded(#""Well {done}""#) == message)
  }

  @Test func aMessageComesBackAsItWas() throws {
    let message = Message(
      [try Template("At {watts} of {set}", values: ["watts"]), Template(plain: "a { b")],
      priority: .high, patience: .milliseconds(1_500))
    let data = try JSONEncoder().encode(message)
    #expect(try JSONDecoder().decode(Message.self, from: data) == message)
  }

  @Test(arguments: [
    #"{"wordings": [], "priority": "low", "patience": [1, 0]}"#,
    #"{"wordings": [{"text": "a {", "isPlain": false}], "priority": "low", "patience": [1, 0]}"#,
    #"{"wordings": [{"text": "a", "isPlain": true}], "priority": "loud", "patience": [1, 0]}"#, "7",
  ])
  func whatIsNoMessageIsRefused(json: String) {
    #expect(throws: (any Error).self) { try decoded(json) }
  }
}
