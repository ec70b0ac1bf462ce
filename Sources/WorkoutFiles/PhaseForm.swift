import IntervalTimeline
import Yams

/// Reads one phase, as it is in one pass of what is repeated around it.
struct PhaseForm {
  static let keys = ["name", "intensity", "last", "say", "at"]
  static let kinds = PhaseKind.allCases.map(\.rawValue)
  /// The least and the most of the phase before, percent.
  private static let percents = 1...1000

  let map: YamlMap
  /// What stands for `{side}` and `{rung}`.
  let words: [String: String]
  let values: Set<String>
  let last: PhaseList.LastPass
  /// The length of the phase before; nil for the first.
  let before: PhaseLength?
  /// The phase says to which set it belongs.
  var marksSets = false

  /// Not done in this pass, which is the last.
  var isLeftOut: Bool {
    if case .ofPass(let pass) = last { pass.isLast && map["last"] != nil } else { false }
  }

  func step() throws(FileFault) -> PlacedStep {
    try map.checkKeys(Self.kinds + Self.keys + (marksSets ? ["set"] : []), of: "a phase")
    guard let entry = map.first(of: Self.kinds), let kind = PhaseKind(rawValue: entry.key) else {
      throw FileFault(
        line: map.line, "a phase without a kind",
        expected: "one of \(Self.kinds.joined(separator: ", "))")
    }
    if let second = map.first(of: Self.kinds.filter { $0 != entry.key }) {
      throw FileFault(
        line: second.line, "\(second.key) in a phase that is \(entry.key) already",
        expected: "a dash before each phase")
    }
    let skipped = map["last"]
    _ = try skipped?.word("skip")
    if case .none = last, let skipped {
      throw FileFault(
        line: skipped.line, "last: skip in a block without sets",
        expected: "sets in the block, or no last")
    }
    let name = try name()
    let length = try length(entry)
    let map = YamlMap(line: map.line, entries: map.entries.map { $0.filled(words) })
    let remarks = try RemarkForm.remarks(map, of: entry, length: length, values: values)
    let intensity = try map["intensity"]?.name(atMost: YamlEntry.maximumIntensity)
    let phase = Phase(
      kind, length, name: name, remarks: remarks.map(\.remark), intensity: intensity)
    let step =
      if case .ofSets = last { Block.Step(phase, skippedInLastSet: skipped != nil) } else {
        Block.Step(phase, set: try map["set"]?.count())
      }
    return PlacedStep(step, line: entry.line, remarkLines: remarks.map(\.line))
  }

  /// What is done between two sets or sides: a phase, or the length of a rest with this name.
  static func phase(
    _ entry: YamlEntry, named name: String? = nil, words: [String: String], values: Set<String>
  ) throws(FileFault) -> PlacedStep {
    guard let map = YamlMap(entry.value), map["reps"] == nil, map["until"] == nil else {
      return PlacedStep(
        Block.Step(Phase(.rest, try entry.length(), name: name)), line: entry.line)
    }
    return try PhaseForm(map: map, words: words, values: values, last: .none, before: nil).step()
  }

  /// A name, or a list of names of which each pass has the next.
  private func name() throws(FileFault) -> String? {
    guard let entry = map["name"] else { return nil }
    guard case .sequence = entry.value else { return try entry.filled(words).name() }
    guard case .ofPass(let pass) = last else {
      throw FileFault(
        line: entry.line, "a list of names of a phase that is done once",
        expected: "one name, or sets, repeat or ladder around the phase")
    }
    let names = try entry.items(expected: "names, such as [Swings, Burpees]")
    let node = names[pass.number % names.count]
    return try YamlEntry(key: "name", line: node.mark?.line ?? entry.line, value: node)
      .filled(words).name()
  }

  /// A length, `rung`, or a part of the phase before such as `50%`.
  private func length(_ entry: YamlEntry) throws(FileFault) -> PhaseLength {
    if let text = entry.value.scalar?.string, text.hasSuffix("%") {
      return try .fixed(part(text, entry))
    }
    guard entry.usesRung else { return try entry.length() }
    guard let rung = words[Repetition.rung] else {
      throw FileFault(
        line: entry.line, "rung outside a ladder", expected: "a length, or ladder around the phase")
    }
    return try entry.replacingRung(by: rung).length()
  }

  private func part(_ text: String, _ entry: YamlEntry) throws(FileFault) -> Duration {
    guard let percent = Int(String(text.dropLast()).trimmed), Self.percents.contains(percent) else {
      throw entry.fault(expected: "a part of the phase before from 1% to 1000%, such as 50%")
    }
    guard case .fixed(let length)? = before else {
      throw FileFault(
        line: entry.line,
        before == nil
          ? "\(text) of the phase before, of which there is none"
          : "\(text) of the phase before, which has no length of its own",
        expected: "a length, such as 30s")
    }
    let milliseconds = max(1, length.wholeMilliseconds * Int64(percent) / 100)
    return .milliseconds(milliseconds)
  }
}

extension YamlEntry {
  private static let rung = "rung"

  /// True for `rung`, alone or as the repetitions or a bound of an open length.
  fileprivate var usesRung: Bool {
    value.scalar?.string == Self.rung
      || YamlMap(value)?.entries.contains { $0.value.scalar?.string == Self.rung } == true
  }

  fileprivate func replacingRung(by rung: String) -> YamlEntry {
    YamlEntry(key: key, line: line, value: value.replacing { $0 == Self.rung ? rung : $0 })
  }

  /// With the words for `{side}` and `{rung}`, if it is one of the keys that are shown or said.
  fileprivate func filled(_ words: [String: String]) -> YamlEntry {
    guard !words.isEmpty, PhaseForm.keys.contains(key) else { return self }
    let value = value.replacing { text in
      words.reduce(text) { text, word in
        text.split(separator: word.key, omittingEmptySubsequences: false).joined(
          separator: word.value)
      }
    }
    return YamlEntry(key: key, line: line, value: value)
  }
}

extension Node {
  /// With other texts in its scalars, at the same places.
  fileprivate func replacing(_ text: (String) -> String) -> Node {
    switch self {
    case .scalar(var scalar):
      scalar.string = text(scalar.string)
      return .scalar(scalar)
    case .sequence(var items):
      for index in items.indices { items[index] = items[index].replacing(text) }
      return .sequence(items)
    case .mapping(let mapping):
      let pairs = mapping.map { key, value in (key, value.replacing(text)) }
      return .mapping(Node.Mapping(pairs, mapping.tag, mapping.style, mapping.mark))
    case .alias: return self
    }
  }
}
