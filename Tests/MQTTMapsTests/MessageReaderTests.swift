import ControlProtocol
import IntervalTimeline
import Testing

@testable import MQTTMaps

@Suite struct MessageReaderTests {
  private static let watts = MessageMap(
    topic: TopicFilter("row/+")!, path: ["power"],
    meaning: .value(name: "watts", unit: .watt, isLength: false, validFor: 8000), lane: "anna")
  private static let press = MessageMap(
    topic: TopicFilter("button")!, path: ["action"], equals: "single", meaning: .signal("ready"))

  private func take(_ map: MessageMap, _ topic: String, _ text: String, isRetained: Bool = false)
    -> [ControlRequest.Action]
  {
    var reader = MessageReader([map])
    return reader.take(topic, Array(text.utf8), isRetained: isRetained, at: 0)
  }

  private func watts(_ number: Double) -> ControlRequest.Action {
    .value(ValueRequest("watts", number: number, unit: .watt, validFor: 8000), lane: "anna")
  }

  @Test func aNumberIsAReadingAlsoAsAText() {
    #expect(take(Self.watts, "row/a", #"{"power": 187.5}"#) == [watts(187.5)])
    #expect(take(Self.watts, "row/a", #"{"power": "187.5"}"#) == [watts(187.5)])
    #expect(take(Self.watts, "row/a", #"{"power": "-3"}"#) == [watts(-3)])
  }

  @Test(arguments: [
    #"{"power": "NaN"}"#, #"{"power": null}"#, #"{"power": ""}"#, #"{"power": true}"#,
    #"{"power": "0x10"}"#, #"{"power": "inf"}"#, #"{"power": "1e999"}"#, #"{"power": [1]}"#,
    #"{"other": 1}"#, "{}", "[]", "null", "", #"{"power": 1"#, "\u{1}",
    #"{"\x": 1}"#,
  ])
  func whatIsNoReadingIsNone(text: String) { #expect(take(Self.watts, "row/a", text) == []) }

  @Test func aLengthIsOneOfADay() {
    var map = Self.watts
    map.meaning = .value(name: "pace", unit: nil, isLength: true, validFor: nil)
    func pace(_ seconds: Double) -> [ControlRequest.Action] {
      [.value(ValueRequest("pace", seconds: seconds), lane: "anna")]
    }
    #expect(take(map, "row/a", #"{"power": 0}"#) == pace(0))
    #expect(take(map, "row/a", #"{"power": 86400}"#) == pace(86_400))
    #expect(take(map, "row/a", #"{"power": -0.1}"#) == [])
    #expect(take(map, "row/a", #"{"power": 86400.1}"#) == [])
  }

  /// Without `equals` anything is an action but nothing.
  @Test(arguments: [
    MessageMap.Meaning.signal("ready"), .rep, .command(.next), .start("tabata"),
  ])
  func nothingIsNoAction(meaning: MessageMap.Meaning) {
    var map = Self.press
    map.equals = nil
    map.meaning = meaning
    for text in ["null", "\"\"", "\"NaN\""] {
      #expect(take(map, "button", #"{"action": \#(text)}"#) == [])
    }
    for text in ["0", "false", "\"x\"", "[]"] {
      #expect(take(map, "button", #"{"action": \#(text)}"#).count == 1)
    }
  }

  @Test func aBareWordIsShort() {
    let map = MessageMap(topic: Self.press.topic, meaning: .rep)
    func word(_ count: Int) -> String { String(repeating: "x", count: count) }
    #expect(take(map, "button", word(64)) == [.command(.rep, lane: nil)])
    #expect(take(map, "button", word(65)) == [])
    #expect(take(map, "button", "caf\u{e9}") == [])
  }

  @Test func aRetainedMessageSaysNothing() {
    #expect(take(Self.watts, "row/a", #"{"power": 1}"#, isRetained: true) == [])
    #expect(take(Self.press, "button", #"{"action": "single"}"#, isRetained: true) == [])
  }

  @Test func sizeAndDepthAreLimited() {
    func padded(_ count: Int) -> String {
      let text = #"{"power": 1, "x": ""}"#
      return #"{"power": 1, "x": "\#(String(repeating: "x", count: count - text.utf8.count))"}"#
    }
    #expect(take(Self.watts, "row/a", padded(16 * 1024)) == [watts(1)])
    #expect(take(Self.watts, "row/a", padded(16 * 1024 + 1)) == [])
    func deep(_ depth: Int) -> String {
      #"{"power": 1, "x": "# + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth) + "}"
    }
    #expect(take(Self.watts, "row/a", deep(15)) == [watts(1)])
    #expect(take(Self.watts, "row/a", deep(16)) == [])
  }

  @Test func thePathLeadsIntoObjectsAndLists() {
    var map = Self.watts
    map.path = ["data", "1", "power"]
    #expect(take(map, "row/a", #"{"data": [0, {"power": 5}]}"#) == [watts(5)])
    #expect(take(map, "row/a", #"{"data": [0]}"#) == [])
    map.path = []
    #expect(take(map, "row/a", "187") == [watts(187)])
  }

  @Test func equalsComparesTextsNumbersAndBooleans() {
    var map = Self.press
    #expect(take(map, "button", #"{"action": "single"}"#) == [.signal("ready", lane: nil)])
    #expect(take(map, "button", #"{"action": "double"}"#) == [])
    #expect(take(map, "button", #"{"action": ""}"#) == [])
    map.equals = "true"
    #expect(take(map, "button", #"{"action": true}"#) == [.signal("ready", lane: nil)])
    #expect(take(map, "button", #"{"action": false}"#) == [])
    map.equals = "1"
    #expect(take(map, "button", #"{"action": 1.0}"#) == [.signal("ready", lane: nil)])
    map = MessageMap(topic: map.topic, equals: "single", meaning: .rep)
    #expect(take(map, "button", "single") == [.command(.rep, lane: nil)])
  }

  @Test func theSameActionWithin300MillisecondsCountsOnce() {
    var reader = MessageReader([Self.press, Self.watts])
    func press(at milliseconds: Int64) -> Int {
      reader.take(
        "button", Array(#"{"action": "single"}"#.utf8), isRetained: false,
        at: milliseconds * 1_000_000
      ).count
    }
    #expect([0, 100, 299, 300, 599, 600].map(press) == [1, 0, 0, 1, 0, 1])
    // Readings may come faster.
    func read(at milliseconds: Int64) -> Int {
      reader.take(
        "row/a", Array(#"{"power": 1}"#.utf8), isRetained: false, at: milliseconds * 1_000_000
      ).count
    }
    #expect([1000, 1001].map(read) == [1, 1])
  }

  @Test func otherTopicsAreApart() {
    var map = Self.press
    map.topic = TopicFilter("+")!
    var reader = MessageReader([map])
    let counts = ["a", "b", "a"].map {
      reader.take($0, Array(#"{"action": "single"}"#.utf8), isRetained: false, at: 0).count
    }
    #expect(counts == [1, 1, 0])
  }

  @Test func aTopicIsReadFiftyTimesASecond() {
    var reader = MessageReader([Self.watts])
    func count(_ topic: String, at nanoseconds: Int64, times: Int) -> Int {
      (0..<times).reduce(0) { sum, _ in
        sum
          + reader.take(topic, Array(#"{"power": 1}"#.utf8), isRetained: false, at: nanoseconds)
          .count
      }
    }
    #expect(count("row/a", at: 0, times: 49) == 49)
    #expect(count("row/a", at: 999_999_999, times: 9) == 1)
    #expect(count("row/b", at: 999_999_999, times: 9) == 9)
    #expect(count("row/a", at: 1_000_000_000, times: 60) == 50)
  }

  @Test func aFloodOfTopicsIsReadInPart() {
    var reader = MessageReader([Self.watts])
    let count = (0..<300).reduce(0) { sum, topic in
      sum
        + reader.take(
          "row/\(topic)", Array(#"{"power": 1}"#.utf8), isRetained: false, at: 5_000_000_000
        ).count
    }
    #expect(count == 256)
  }
}
