import ControlProtocol
import IntervalTimeline

/// What a message of a topic means to the coach.
package struct MessageMap: Hashable, Sendable {
  package enum Meaning: Hashable, Sendable {
    /// A reading; `isLength`: in seconds, said as a length of time, such as a pace.
    case value(name: String, unit: CountUnit?, isLength: Bool, validFor: Int64?)
    case signal(String)
    case rep
    case command(ControlRequest.LaneCommand)
    /// Starts a preset by its name.
    case start(String)

    var isReading: Bool { if case .value = self { true } else { false } }
  }

  package var topic: TopicFilter
  /// Keys from the outermost on; empty: the whole message.
  package var path: [String] = []
  /// What the text, the number, or true and false at the path must be; nil: anything but nothing.
  package var equals: String?
  package var meaning: Meaning
  /// The workout that it is for; nil: all.
  package var lane: String?

  /// Nil where the message says nothing of that kind.
  func action(of message: JSONValue) -> ControlRequest.Action? {
    guard let found = message.at(path) else { return nil }
    if let equals, !found.isEqual(to: equals) { return nil }
    switch meaning {
    case .value(let name, let unit, let isLength, let validFor):
      guard let number = found.reading else { return nil }
      let request =
        isLength
        ? ValueRequest(name, seconds: number, validFor: validFor)
        : ValueRequest(name, number: number, unit: unit, validFor: validFor)
      if isLength, !(0...86_400).contains(number) { return nil }
      return .value(request, lane: lane)
    case .signal(let name): return found.isNothing ? nil : .signal(name, lane: lane)
    case .rep: return found.isNothing ? nil : .command(.rep, lane: lane)
    case .command(let command): return found.isNothing ? nil : .command(command, lane: lane)
    case .start(let preset):
      return found.isNothing ? nil : .start(StartOrder(preset: preset, lane: lane))
    }
  }
}

extension JSONValue {
  /// Null, a blank text and "NaN" say nothing.
  fileprivate var isNothing: Bool {
    switch self {
    case .null: true
    case .text(let text): text.isEmpty || text == "NaN"
    default: false
    }
  }
}

/// Messages in, what is to be asked of the coach out.
package struct MessageReader: Sendable {
  private let maps: [MessageMap]
  /// When an action of a topic was last taken, by the place of its map.
  private var taken: [Key: Int64] = [:]
  /// The messages of each topic that were read in this second.
  private var read: [String: Int] = [:]
  private var second: Int64 = 0

  private struct Key: Hashable {
    var topic: String
    var map: Int
  }

  /// Some remotes send an action twice; nobody presses so fast.
  private static let apart: Int64 = 300_000_000
  /// Topics that are remembered: a filter may match any number.
  private static let most = 256
  /// Messages of one topic that are read in a second. No sensor sends as many; a client that floods the broker does.
  package static let mostASecond = 50

  package init(_ maps: [MessageMap]) { self.maps = maps }

  /// Those to subscribe to, each once.
  package var topics: [String] {
    var topics: [String] = []
    for map in maps where !topics.contains(map.topic.text) { topics.append(map.topic.text) }
    return topics
  }

  /// What a message asks of the coach, in the order of the maps.
  ///
  /// - Parameters:
  ///   - isRetained: a retained message was sent at some time in the past: it says nothing.
  ///   - now: nanoseconds of CLOCK_BOOTTIME.
  package mutating func take(
    _ topic: String, _ payload: [UInt8], isRetained: Bool, at now: Int64
  ) -> [ControlRequest.Action] {
    guard !isRetained, !payload.isEmpty, payload.count <= JSONValue.most else { return [] }
    let matching = maps.indices.filter { maps[$0].topic.matches(topic) }
    guard !matching.isEmpty, isRead(topic, at: now) else { return [] }
    // A bare word, such as "single", is no JSON.
    let message =
      JSONValue(payload)
      ?? (payload.count <= 64 && payload.allSatisfy { (0x20..<0x7f).contains($0) }
        ? .text(String(decoding: payload, as: UTF8.self)) : nil)
    guard let message else { return [] }
    var actions: [ControlRequest.Action] = []
    for index in matching {
      guard let action = maps[index].action(of: message) else { continue }
      if !maps[index].meaning.isReading {
        let key = Key(topic: topic, map: index)
        if let last = taken[key], now - last < Self.apart { continue }
        if taken.count >= Self.most { taken = taken.filter { now - $0.value < Self.apart } }
        if taken.count < Self.most { taken[key] = now }
      }
      actions.append(action)
    }
    return actions
  }

  private mutating func isRead(_ topic: String, at now: Int64) -> Bool {
    if now / 1_000_000_000 != second { (read, second) = ([:], now / 1_000_000_000) }
    let count = read[topic, default: 0]
    guard count < Self.mostASecond, count > 0 || read.count < Self.most else { return false }
    read[topic] = count + 1
    return true
  }
}
