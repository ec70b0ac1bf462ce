import IntervalTimeline
import Presets

/// Zwift's workouts: `.zwo`, an XML file of blocks.
///
/// The names of elements and attributes are taken in any capitals, because the programs that write such files
/// differ in them.
struct ZwiftFile {
  static let expected: Sentence = "a workout_file with a workout in it"
  /// What has no meaning without Zwift's screen.
  private static let ignored: Set = ["pace", "flatroad", "show_avg", "units"]

  private var draft = WorkoutDraft()
  private var isInMetres = false

  static func draft(of text: String) throws(FileFault) -> WorkoutDraft {
    let root = try root(of: text)
    guard root.key == "workout_file", let workout = root.child("workout") else {
      throw FileFault(
        line: root.line,
        root.key == "workout_file"
          ? "a workout_file without a workout" : "an XML file of \(quoted(root.name))",
        expected: Self.expected)
    }
    var file = ZwiftFile()
    try file.read(root)
    for block in workout.children { try file.read(block: block) }
    return file.draft
  }

  private static func root(of text: String) throws(FileFault) -> XMLElement {
    do throws(XMLFault) {
      return try XMLReader.root(of: text)
    } catch {
      throw FileFault(line: error.line, error.found, expected: error.expected)
    }
  }

  private mutating func read(_ root: XMLElement) throws(FileFault) {
    for child in root.children where !child.text.allSatisfy(\.isWhitespace) || child.key == "tags" {
      switch child.key {
      case "name", "n": draft.name = child.text
      case "durationtype": isInMetres = child.text.trimmed.lowercased() == "distance"
      case "author": draft.setAuthor(child.text)
      case "description": draft.setDescription(child.text)
      case "tags":
        for tag in child.children where tag.key == "tag" {
          draft.addTag(tag.attributes["name"] ?? tag.text)
        }
      default: break
      }
    }
  }

  // MARK: Blocks

  private mutating func read(block: XMLElement) throws(FileFault) {
    switch block.key {
    case "intervalst": try readIntervals(block)
    case "warmup", "cooldown", "ramp", "steadystate", "solidstate", "freeride", "maxeffort":
      try readPhase(block)
    case "textevent", "textnotification":
      draft.report("a text outside of a block has no time and is left out")
    default:
      guard block.attributes["duration"] != nil else {
        draft.report("\(quoted(block.name)) is no block of a workout and is left out")
        return
      }
      draft.report("\(quoted(block.name)) is an unknown block and is kept as a phase of that name")
      try readPhase(block)
    }
  }

  private mutating func readPhase(_ block: XMLElement) throws(FileFault) {
    let isSteady = block.key == "steadystate" || block.key == "solidstate"
    let power = try power(block, "power", "powerlow", "powerhigh", isRange: isSteady)
    let (kind, name): (PhaseKind, String?) =
      switch block.key {
      case "warmup": (.warmup, nil)
      case "cooldown": (.cooldown, nil)
      case "freeride": (.work, "Free ride")
      case "maxeffort": (.high, "Max effort")
      case "ramp", "steadystate", "solidstate": (.work, nil)
      default: (.work, block.name)
      }
    let length = try length(block, "duration")
    let all = try events(of: block)
    let remarks = remarks(all, from: .zero, in: length.length)
    reportUnknown(block, ["duration", "power", "powerlow", "powerhigh"])
    try draft.add(
      step(kind, length, name: name, power, try cadence(block), remarks, line: block.line))
  }

  private mutating func readIntervals(_ block: XMLElement) throws(FileFault) {
    var repetitions = block.attributes["repeat"] ?? "1"
    if decimal(repetitions) == 0 {
      draft.report("a block that is repeated 0 times is done once")
      repetitions = "1"
    }
    let count = try ForeignLength.repetitions(
      repetitions, Sentence(verbatim: "Repeat"), line: block.line)
    let onPower = try power(block, "onpower", "poweronlow", "poweronhigh")
    let offPower = try power(block, "offpower", "powerofflow", "poweroffhigh")
    let onLength = try length(block, "onduration")
    let hasOff = block.attributes["offduration"].flatMap { decimal($0) } != 0
    let offLength = hasOff ? try length(block, "offduration") : nil
    let cadence = try cadence(block)
    let resting = try block.attributes["cadenceresting"].map { text throws(FileFault) in
      Intensity(.revolutionsPerMinute, .one(try rpm(text, block.line)))
    }
    reportUnknown(
      block,
      [
        "repeat", "onduration", "offduration", "onpower", "offpower", "poweronlow", "poweronhigh",
        "powerofflow", "poweroffhigh", "cadenceresting",
      ])
    let all = try events(of: block)

    // In metres it is not known when a phase ends: every text belongs to the first one.
    let isTimed = !isInMetres
    let on = onLength.length.duration ?? .zero
    let cycle = on + (offLength?.length.duration ?? .zero)
    let events = Dictionary(grouping: all) { event in
      isTimed ? min(count - 1, Int(event.at.wholeMilliseconds / cycle.wholeMilliseconds)) : 0
    }
    func set(_ number: Int) -> [PlacedStep] {
      let here = events[number] ?? []
      let start = isTimed ? cycle * number : .zero
      let isInFirst = { (event: Event) in
        !isTimed || offLength == nil || event.at < start + on
      }
      let high = remarks(here.filter(isInFirst), from: start, in: onLength.length)
      var steps = [step(.high, onLength, name: nil, onPower, cadence, high, line: block.line)]
      if let offLength {
        let low = remarks(
          here.filter { !isInFirst($0) }, from: start + on, in: offLength.length)
        steps.append(
          step(.recovery, offLength, name: nil, offPower, resting, low, line: block.line))
      }
      return steps
    }
    // Sets have the same phases. Where the texts differ, each effort is a set.
    guard !all.isEmpty else { return try draft.add(sets: count, set(0), line: block.line) }
    let sets = (0..<count).map(set)
    if sets.allSatisfy({ $0.map(\.step) == sets[0].map(\.step) }) {
      try draft.add(sets: count, sets[0], line: block.line)
    } else {
      try draft.add(each: sets.flatMap { $0 })
    }
  }

  // MARK: Values

  private typealias Length = (length: PhaseLength, metres: Double?)

  private func length(_ block: XMLElement, _ key: String) throws(FileFault) -> Length {
    guard let text = block.attributes[key] else {
      throw FileFault(
        line: block.line, "\(quoted(block.name)) without \(key)",
        expected: isInMetres ? "\(key)=\"60\", in metres" : "\(key)=\"60\", in seconds")
    }
    guard isInMetres else {
      return (.fixed(try ForeignLength.phase(text, Sentence(verbatim: key), line: block.line)), nil)
    }
    guard let metres = decimal(text), metres > 0, metres < 1e7 else {
      throw FileFault(
        line: block.line, "\(key) is \(quoted(text))",
        expected: "metres above zero, below 10,000 km")
    }
    return (.open(.untilNext), metres)
  }

  /// In percent: one power, a range, or a ramp from the low to the high one, also where that goes down.
  private func power(
    _ block: XMLElement, _ one: String, _ low: String, _ high: String, isRange: Bool = false
  ) throws(FileFault) -> Intensity? {
    func percent(_ key: String) throws(FileFault) -> Double? {
      guard let text = block.attributes[key] else { return nil }
      guard let share = decimal(text), (0...100).contains(share) else {
        throw FileFault(
          line: block.line, "\(key) is \(quoted(text))",
          expected: "a share of the threshold power, such as 0.75")
      }
      return share * 100
    }
    if let power = try percent(one) { return Intensity(.thresholdPower, .one(power)) }
    let (first, last) = (try percent(low), try percent(high))
    guard let first, let last, first != last else {
      return (first ?? last).map { Intensity(.thresholdPower, .one($0)) }
    }
    return Intensity(
      .thresholdPower, isRange ? .range(min(first, last), max(first, last)) : .ramp(first, last))
  }

  private func cadence(_ block: XMLElement) throws(FileFault) -> Intensity? {
    let keys = ["cadence", "cadencelow", "cadencehigh"].filter { block.attributes[$0] != nil }
    let isRange = keys.count == 2 && keys[0] != "cadence"
    var numbers: [Double] = []
    for key in keys.prefix(isRange ? 2 : 1) {
      numbers.append(try rpm(block.attributes[key] ?? "", block.line))
    }
    guard let low = numbers.min(), let high = numbers.max() else { return nil }
    return Intensity(.revolutionsPerMinute, low == high ? .one(low) : .range(low, high))
  }

  private func rpm(_ text: String, _ line: Int) throws(FileFault) -> Double {
    guard let number = decimal(text), (0...1000).contains(number) else {
      throw FileFault(
        line: line, "a cadence of \(quoted(text))", expected: "revolutions per minute, such as 90")
    }
    return number
  }

  private mutating func step(
    _ kind: PhaseKind, _ length: Length, name: String?, _ power: Intensity?, _ cadence: Intensity?,
    _ remarks: [Remark], line: Int
  ) -> PlacedStep {
    draft.step(
      kind, length.length, metres: length.metres, name: name,
      intensity: [power, cadence].compactMap { $0?.text }.joined(separator: ", "),
      remarks: remarks, line: line)
  }

  private mutating func reportUnknown(_ block: XMLElement, _ known: Set<String>) {
    let cadences: Set = ["cadence", "cadencelow", "cadencehigh"]
    for key in block.attributes.keys.sorted()
    where !known.contains(key) && !Self.ignored.contains(key) && !cadences.contains(key) {
      draft.report("the attribute \(quoted(key)) of a block is not kept")
    }
  }

  // MARK: Texts

  private struct Event {
    let text: String
    let at: Duration
  }

  /// The texts of a block in the order of their times, from its start.
  private mutating func events(of block: XMLElement) throws(FileFault) -> [Event] {
    var events: [Event] = []
    for child in block.children {
      guard child.key == "textevent" || child.key == "textnotification" else {
        draft.report("\(quoted(child.name)) within a block is not kept")
        continue
      }
      guard let text = child.attributes["message"] ?? child.attributes["text"] else { continue }
      guard child.attributes["distoffset"] == nil || child.attributes["timeoffset"] != nil else {
        draft.report("a text at a distance has no time and is left out")
        continue
      }
      let offset = child.attributes["timeoffset"] ?? "0"
      guard let seconds = decimal(offset), (0...86_400).contains(seconds) else {
        draft.report("a text whose timeoffset is no time after the block's start is left out")
        continue
      }
      events.append(Event(text: text, at: .milliseconds(Int64((seconds * 1000).rounded()))))
    }
    return events.sorted { $0.at < $1.at }
  }

  private mutating func remarks(
    _ events: [Event], from start: Duration, in length: PhaseLength
  ) -> [Remark] {
    events.compactMap { draft.remark($0.text, at: $0.at - start, in: length) }
  }
}
