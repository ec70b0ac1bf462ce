import ControlProtocol
import IntervalTimeline
import Presets

/// A map as a user writes it.
enum MapForm {
  enum Source {
    case map(MessageMap)
    /// One that is installed; its topic and workout may be given.
    case shipped(String, topic: TopicFilter?, lane: String?, line: Int)
  }

  private static let example: Sentence =
    "{topic: bike/power, path: power, value: watts, unit: watt}"
  private static let meanings = ["value", "signal", "rep", "command"]

  static func source(_ item: YamlEntry) throws(FileFault) -> Source {
    let map = try item.map(expected: example)
    guard let use = map["use"] else {
      return .map(try message(map, topic: nil, lane: nil))
    }
    try map.checkKeys(["use", "topic", "as"], of: "a map by name")
    return .shipped(
      try use.name(), topic: try map["topic"]?.topic(), lane: try map["as"]?.name(),
      line: item.line)
  }

  /// The maps of an installed file. `topic` takes the place of theirs.
  static func shipped(
    _ bytes: [UInt8], topic: TopicFilter?, lane: String?, askedIn place: (file: String, line: Int)
  ) throws(FileFault) -> [MessageMap] {
    guard let root = try YamlTree.root(of: bytes) else {
      throw FileFault(line: nil, "empty", expected: "a list of maps")
    }
    let entry = YamlEntry(key: "maps", line: root.line, value: root)
    var maps: [MessageMap] = []
    for item in try entry.items(named: "map", expected: "a list of maps") {
      let map = try item.map(expected: example)
      guard topic != nil || map["topic"] != nil else {
        throw FileFault(
          line: nil, "used without a topic in \(place.file):\(place.line)",
          expected: "topic: beside use:")
      }
      maps.append(try message(map, topic: topic, lane: lane))
    }
    return maps
  }

  private static func message(
    _ map: YamlMap, topic: TopicFilter?, lane: String?
  ) throws(FileFault) -> MessageMap {
    try map.checkKeys(
      ["topic", "path", "equals", "as", "unit", "valid-for", "preset"] + meanings, of: "a map")
    let ends = map.entries.filter { meanings.contains($0.key) }
    guard ends.count == 1 else {
      let found: Sentence =
        ends.isEmpty ? "a map without a meaning" : "\(ends[0].key) beside \(ends[1].key)"
      throw FileFault(
        line: map.line, found, expected: "one of \(meanings.joined(separator: ", "))")
    }
    let own = try map.required("topic or use", orGiven: topic)
    var path: [String] = []
    if let entry = map["path"] {
      path = try entry.name().split(separator: ".", omittingEmptySubsequences: false)
        .map(String.init)
      guard path.count <= 16, !path.contains(where: { $0.isEmpty || $0.contains("[") }) else {
        throw entry.fault(
          expected:
            "keys with a dot between them, such as battery.level, and a.0 for the first of a list")
      }
    }
    let meaning = try meaning(map, ends[0])
    for key in ["unit", "valid-for"] where !meaning.isReading {
      guard let entry = map[key] else { continue }
      throw entry.fault("\(key) without value", expected: "it beside value alone")
    }
    if let entry = map["equals"], meaning.isReading {
      throw entry.fault("equals beside value", expected: "one of both")
    }
    if let entry = map["preset"], ends[0].value.text != "start" {
      throw entry.fault("preset without start", expected: "command: start")
    }
    return MessageMap(
      topic: own, path: path, equals: try map["equals"]?.name(), meaning: meaning,
      lane: try map["as"]?.name() ?? lane)
  }

  private static func meaning(_ map: YamlMap, _ entry: YamlEntry) throws(FileFault)
    -> MessageMap.Meaning
  {
    switch entry.key {
    case "value":
      let name = try entry.name()
      guard LiveValue.isName(name) else {
        throw entry.fault(
          expected: "a name of a-z, digits and hyphens that is no variable, such as watts")
      }
      let validFor = try map["valid-for"]?.fixedLength()
      let unit = try map["unit"]?.name()
      let known = unit.flatMap { CountUnit(rawValue: $0) }
      if let entry = map["unit"], known == nil, unit != "length" {
        let names = CountUnit.allCases.map(\.rawValue).joined(separator: ", ")
        throw entry.fault(expected: "length, or one of \(names)")
      }
      return .value(
        name: name, unit: known, isLength: unit == "length",
        validFor: validFor.map { Int64($0 / .milliseconds(1)) })
    case "signal":
      let name = try entry.name()
      guard OpenEnd.isSignal(name) else {
        throw entry.fault(expected: "a name of a-z, digits and hyphens, from a letter")
      }
      return .signal(name)
    case "rep":
      _ = try entry.word("yes")
      return .rep
    default:
      let verb = try entry.name()
      if verb == "start" {
        let preset = try map.required("preset", expected: "preset: NAME beside start")
        let name = try preset.name()
        // The coach takes no path from what faces a network.
        guard !name.contains("/") else {
          throw preset.fault(expected: "the name of a preset, such as tabata")
        }
        return .start(name)
      }
      guard let command = ControlRequest.LaneCommand(rawValue: verb) else {
        let names = ControlRequest.LaneCommand.allCases.map(\.rawValue).joined(separator: ", ")
        throw entry.fault(expected: "start, or one of \(names)")
      }
      return .command(command)
    }
  }
}

extension YamlMap {
  fileprivate func required(_ what: String, orGiven topic: TopicFilter?) throws(FileFault)
    -> TopicFilter
  {
    if let topic { return topic }
    guard let entry = self["topic"] else {
      throw FileFault(line: line, "no \(what)", expected: "topic: bike/power")
    }
    return try entry.topic()
  }
}

extension YamlEntry {
  fileprivate func topic() throws(FileFault) -> TopicFilter {
    guard let filter = TopicFilter(try name(atMost: 1000)) else {
      throw fault(expected: "a topic, where + stands for one level and # at its end for the rest")
    }
    return filter
  }
}
