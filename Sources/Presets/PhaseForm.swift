import IntervalTimeline

/// Reads one phase, as it is in one pass of what is repeated around it.
struct PhaseForm {
  static let keys =
    [
      "name", "intensity", "target", "metronome", "last", "say", "at", "callouts", "rounds",
      "surprise",
      "course", "note",
      "link",
    ]
  static let kinds = PhaseKind.allCases.map(\.rawValue)
  /// The keys whose texts are shown or said.
  fileprivate static let filled = ["name", "intensity", "say", "note"]
  /// The least and the most of the phase before, percent.
  private static let percents = 1...1000

  let map: YamlMap
  /// What stands for `{side}`, `{rung}` and `{station}`.
  let words: [String: String]
  let values: Set<String>
  let last: PhaseList.LastPass
  /// The length of the phase before; nil for the first.
  let before: PhaseLength?
  let draws: Draws
  /// The phase says to which set it belongs.
  var marksSets = false

  /// What is the same in all passes is checked in this one.
  private var isFirst: Bool {
    if case .ofPass(let pass) = last { pass.number == 0 } else { true }
  }

  /// Not done in this pass, which is the last.
  var isLeftOut: Bool {
    if case .ofPass(let pass) = last { pass.isLast && map["last"] != nil } else { false }
  }

  func step() throws(FileFault) -> PlacedStep {
    try map.checkKeys(Self.kinds + Self.keys + (marksSets ? ["set"] : []), of: "a phase")
    guard let written = map.first(of: Self.kinds), let kind = PhaseKind(rawValue: written.key)
    else {
      throw FileFault(
        line: map.line, "a phase without a kind",
        expected: "one of \(Self.kinds.joined(separator: ", "))")
    }
    if let second = map.first(of: Self.kinds.filter { $0 != written.key }) {
      throw FileFault(
        line: second.line, "\(second.key) in a phase that is \(written.key) already",
        expected: "a dash before each phase")
    }
    let skipped = map["last"]
    _ = try skipped?.word("skip")
    if case .none = last, let skipped {
      throw skipped.fault(
        "last: skip in a block without sets", expected: "sets in the block, or no last")
    }
    if isFirst { try checkWords() }
    let name = try name()
    let entry = try withRung(written)
    let tempo = try TempoForm(entry)
    if let tempo, tempo.glides == nil { draws.hasTempo = true }
    let length = if let tempo { PhaseLength.fixed(tempo.length) } else { try length(entry) }
    if let fault = length.faultOfShortness(line: entry.line) { throw fault }
    let map = YamlMap(
      line: map.line, entries: map.entries.map { $0.key == "name" ? $0 : $0.filled(words) })
    var remarks = try RemarkForm.remarks(map, of: entry, length: length, values: values)
    remarks += tempo?.remarks ?? []
    if let callouts = map[CalloutForm.key] {
      remarks += try CalloutForm.remarks(
        callouts, length: length, values: values, atMost: PresetLimits.remarks - remarks.count,
        draws)
    }
    guard remarks.count <= PresetLimits.remarks else {
      throw entry.fault(
        "more than \(PresetLimits.remarks) texts with those of the tempo",
        expected: "at most \(PresetLimits.remarks)")
    }
    var intensity = try map["intensity"]?.name(atMost: PresetLimits.intensity)
    let target = try map["target"].map { entry throws(FileFault) in
      try TargetForm.text(of: entry, length)
    }
    if let target { intensity = [target, intensity].compactMap { $0 }.joined(separator: ", ") }
    var phase = Phase(
      kind, length, name: name, remarks: remarks.map(\.remark), intensity: intensity)
    phase.isCoached = target != nil
    phase.glides = tempo?.glides
    phase.metronome = try map["metronome"].map { entry throws(FileFault) in
      try MetronomeForm.metronome(entry, length)
    }
    phase.total = try total(map, length)
    phase.isSurprise = try map["surprise"]?.word("yes", "true") != nil
    phase.course = try map["course"]?.course()
    phase.note = try map["note"]?.name()
    phase.link = try map["link"]?.link()
    let step =
      if case .ofSets = last { Block.Step(phase, skippedInLastSet: skipped != nil) } else {
        Block.Step(phase, set: try map["set"]?.count())
      }
    return PlacedStep(step, line: entry.line, remarkLines: remarks.map(\.line))
  }

  /// What is done between two sets or sides: a phase, or the length of a rest; `name` is its name where it has none,
  /// and it is said with the side that comes where it is too short for "Next: …".
  static func phase(
    _ entry: YamlEntry, named name: String? = nil, words: [String: String], values: Set<String>,
    before: PhaseLength? = nil, draws: Draws
  ) throws(FileFault) -> PlacedStep {
    var (line, entries) = (entry.line, [YamlEntry]())
    if let phase = YamlMap(entry.value), phase.first(of: ["reps", "until", "on"]) == nil {
      if let last = phase["last"] {
        throw FileFault(
          line: last.line, "last in \(entry.key)", expected: "no last, for nothing follows the last"
        )
      }
      (line, entries) = (phase.line, phase.entries)
    } else {
      entries = [YamlEntry(key: "rest", line: entry.line, value: entry.value)]
    }
    if let name, !entries.contains(where: { $0.key == "name" }) {
      entries.append(
        YamlEntry(
          key: "name", line: entry.line,
          value: YamlNode(content: .text(name), line: entry.line, column: 0)))
    }
    var placed = try PhaseForm(
      map: YamlMap(line: line, entries: entries), words: words, values: values, last: .none,
      before: before, draws: draws
    ).step()
    guard let name, let side = words["side"], placed.step.phase.remarks.isEmpty,
      case .fixed(let length) = placed.step.phase.length, length < Script.shortest
    else { return placed }
    let text = Template(plain: "\(placed.step.phase.name ?? name), \(side)")
    placed.step.phase.remarks = [Remark(text, at: .fromStart(.zero))]
    placed.remarkLines = [entry.line]
    return placed
  }

  /// What is said of the rounds that are counted.
  private func total(_ map: YamlMap, _ length: PhaseLength) throws(FileFault) -> Template? {
    guard let rounds = map["rounds"] else { return nil }
    guard case .fixed = length else {
      throw rounds.fault(
        "rounds in a phase that something else ends",
        expected: "a fixed length, such as work: 12m")
    }
    return try rounds.template(
      expected: "what is said of them at the end, such as \"{counted} rounds\"", values: values)
  }

  /// A name, or a list of names of which each pass has the next.
  private func name() throws(FileFault) -> String? {
    guard let entry = map["name"] else { return nil }
    guard entry.value.list != nil else { return try entry.filled(words).name() }
    guard case .ofPass(let pass) = last else {
      throw entry.fault(
        "a list of names of a phase that is done once",
        expected: "one name, or sets, repeat or ladder around the phase")
    }
    let nodes = try entry.items(expected: "names, such as [Swings, Burpees]")
    let all = isFirst ? nodes.indices : nodes.startIndex..<nodes.startIndex
    for index in all { _ = try name(nodes[index]) }
    return try name(nodes[pass.number % nodes.count])
  }

  private func name(_ node: YamlNode) throws(FileFault) -> String {
    try YamlEntry(key: "name", line: node.line, value: node).filled(words)
      .name()
  }

  /// Refuses `{side}`, `{rung}` and `{station}` where nothing stands for them.
  private func checkWords() throws(FileFault) {
    for (word, around) in Repetition.words
    where words[word] == nil {
      if let entry = map.entries.first(where: {
        Self.filled.contains($0.key) && $0.value.says(word)
      }) {
        throw entry.fault(
          "\(word) in a phase without \(around) around it",
          expected: "\(around) around the phase, or another text")
      }
    }
  }

  /// The entry of the length, with the rung in the place of `rung`.
  private func withRung(_ entry: YamlEntry) throws(FileFault) -> YamlEntry {
    guard entry.usesRung else { return entry }
    guard let rung = words[Repetition.rung] else {
      throw entry.fault("rung outside a ladder", expected: "a length, or ladder around the phase")
    }
    return entry.replacingRung(by: rung)
  }

  /// A length, `rung`, a part of the phase before such as `50%`, or a length that is drawn such as `20s to 90s`.
  private func length(_ entry: YamlEntry) throws(FileFault) -> PhaseLength {
    if let text = entry.value.text, text.hasSuffix("%") {
      return try .fixed(part(text, entry))
    }
    if let span = try LengthSpan(entry) {
      if let fault = PhaseLength.fixed(span.shortest).faultOfShortness(
        line: entry.line)
      {
        throw fault
      }
      var dice = draws.dice()
      return .fixed(span.drawn(by: &dice, step: .seconds(1)))
    }
    let length = try entry.length()
    if case .sendOff? = length.end {
      guard case .open(let end, _)? = before, !end.isSendOff else {
        throw entry.fault(
          "a send-off (on) without an open phase before it",
          expected: "a phase such as work: {until: next} before it")
      }
    }
    return length
  }

  private func part(_ text: String, _ entry: YamlEntry) throws(FileFault) -> Duration {
    guard let percent = Int(text.dropLast().trimmed), Self.percents.contains(percent) else {
      throw entry.fault(expected: "a part of the phase before from 1% to 1000%, such as 50%")
    }
    guard case .fixed(let length)? = before else {
      throw entry.fault(
        before == nil
          ? "\(text) of the phase before, but it is the first of its block"
          : "\(text) of the phase before, which has no length of its own",
        expected: "a length, such as 30s")
    }
    let product = length.wholeMilliseconds.multipliedReportingOverflow(by: Int64(percent))
    guard !product.overflow, product.partialValue / 100 <= LengthText.max else {
      throw entry.fault("\(text) of the phase before is over 24 h", expected: "at most 24h")
    }
    return .milliseconds(max(1, product.partialValue / 100))
  }
}

extension OpenEnd {
  fileprivate var isSendOff: Bool { if case .sendOff = self { true } else { false } }
}

extension YamlEntry {
  private static let rung = "rung"
  /// The keys of an open length that may be the rung.
  private static let openKeys = ["reps", "on", "about", "at-least", "at-most"]

  /// True for `rung`, alone or as the repetitions or a bound of an open length.
  fileprivate var usesRung: Bool {
    value.text == Self.rung
      || YamlMap(value)?.entries.contains {
        Self.openKeys.contains($0.key) && $0.value.text == Self.rung
      } == true
  }

  fileprivate func course() throws(FileFault) -> Phase.Course? {
    Phase.Course(rawValue: try word("begins", "continues"))
  }

  fileprivate func replacingRung(by rung: String) -> YamlEntry {
    // A number stands without quotes, also where `rung` has them.
    func change(_ node: YamlNode) -> YamlNode {
      guard node.text == Self.rung else { return node }
      var node = node
      (node.content, node.isPlain) = (.text(rung), true)
      return node
    }
    guard case .map(let entries) = value.content else {
      return YamlEntry(key: key, line: line, value: change(value))
    }
    var changed = value
    changed.content = .map(
      entries.map { entry in
        let value = Self.openKeys.contains(entry.key) ? change(entry.value) : entry.value
        return YamlEntry(key: entry.key, line: entry.line, value: value)
      })
    return YamlEntry(key: key, line: line, value: changed)
  }

  /// With the words for `{side}` and `{rung}`, if it is one of the keys that are shown or said.
  fileprivate func filled(_ words: [String: String]) -> YamlEntry {
    guard !words.isEmpty, PhaseForm.filled.contains(key) else { return self }
    return YamlEntry(key: key, line: line, value: value.replacing { $0.filled(words) })
  }
}

extension String {
  /// Longer ones are refused anyway.
  private static let longestFilled = 2000

  /// With each word of `words` replaced by its text, in which nothing is replaced again.
  fileprivate func filled(_ words: [String: String]) -> String {
    guard utf8.count <= Self.longestFilled, contains("{") else { return self }
    var text = ""
    var rest = self[...]
    while let brace = rest.firstIndex(of: "{") {
      text += rest[..<brace]
      rest = rest[brace...]
      if let (word, value) = words.first(where: { rest.hasPrefix($0.key) }) {
        text += value
        rest = rest.dropFirst(word.count)
      } else {
        text.append(rest.removeFirst())
      }
    }
    return text + rest
  }
}

extension YamlMap {
  /// True for a phase with a list of names, of which each pass has the next.
  var hasNamesInTurn: Bool { self["name"]?.value.list != nil }
}

extension YamlNode {
  /// True if a text in it has the word.
  fileprivate func says(_ word: String) -> Bool {
    switch content {
    case .text(let text): text.contains(word)
    case .list(let items): items.contains { $0.says(word) }
    case .map(let entries): entries.contains { $0.value.says(word) }
    }
  }

  /// True if what it is depends on the pass: on a side, a rung, the phase before, or a list of names.
  var dependsOnPass: Bool {
    if Repetition.words.contains(where: { says($0.word) }) || hasSurprises { return true }
    guard let map = YamlMap(self) else { return true }
    return map.hasNamesInTurn
      || map.entries.contains { entry in
        PhaseForm.kinds.contains(entry.key)
          && (entry.usesRung || entry.value.text?.hasSuffix("%") == true)
      }
  }

  /// True if something in it is drawn: a length of a phase, or callouts.
  var hasSurprises: Bool {
    switch content {
    case .text: false
    case .list(let items): items.contains(where: \.hasSurprises)
    case .map(let entries):
      entries.contains { entry in
        entry.key == CalloutForm.key
          || PhaseForm.kinds.contains(entry.key) && entry.value.spanText != nil
          || entry.key == "phases" && entry.value.hasSurprises
      }
    }
  }

  /// With other texts, at the same places.
  fileprivate func replacing(_ change: (String) -> String) -> YamlNode {
    var node = self
    switch content {
    case .text(let text): node.content = .text(change(text))
    case .list(let items): node.content = .list(items.map { $0.replacing(change) })
    case .map(let entries):
      node.content = .map(
        entries.map {
          YamlEntry(key: $0.key, line: $0.line, value: $0.value.replacing(change))
        })
    }
    return node
  }
}
