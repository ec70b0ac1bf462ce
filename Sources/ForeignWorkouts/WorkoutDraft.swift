import IntervalTimeline
import Presets

/// A workout while it is read from another program's file, and what of the file cannot be kept.
struct WorkoutDraft {
  indirect enum Item {
    case phase(PlacedStep)
    /// Repeated as the file says.
    case sets(Int, line: Int?, [PlacedStep])
    /// Done once; each phase of effort is a set.
    case each([PlacedStep])
  }

  /// The file's own name for it; nil to use the file's.
  var name: String?
  /// The threshold power (FTP) that the file's watts are of; nil where it does not say so.
  var threshold: Double?
  /// What the file says of the workout.
  private(set) var facts = WorkoutFacts()
  private(set) var items: [Item] = []
  private var losses = ConversionWarnings()
  private var phases = 0

  /// What is not kept, a sentence for each kind.
  var reports: [Sentence] { losses.sentences }

  // MARK: Phases

  mutating func add(_ step: PlacedStep) throws(FileFault) {
    try checkLengths([step])
    try count(1, line: step.line)
    items.append(.phase(step))
  }

  /// Phases that are repeated; once, they are phases like any other.
  mutating func add(sets: Int, _ steps: [PlacedStep], line: Int?) throws(FileFault) {
    guard !steps.isEmpty else { return }
    guard sets > 1 else {
      for step in Self.unrolled(1, steps) { try add(step) }
      return
    }
    try checkLengths(steps)
    try count(steps.count, times: sets, line: line)
    items.append(.sets(sets, line: line, steps))
  }

  /// Phases in a row whose efforts are numbered.
  mutating func add(each steps: [PlacedStep]) throws(FileFault) {
    guard steps.contains(where: { $0.step.phase.kind.isEffort }) else {
      for step in steps { try add(step) }
      return
    }
    try checkLengths(steps)
    try count(steps.count, line: steps.first?.line)
    items.append(.each(steps))
  }

  private func checkLengths(_ steps: [PlacedStep]) throws(FileFault) {
    for step in steps {
      if let fault = step.step.phase.length.faultOfShortness(line: step.line) { throw fault }
    }
  }

  private mutating func count(_ count: Int, times: Int = 1, line: Int?) throws(FileFault) {
    let (product, isOver) = count.multipliedReportingOverflow(by: times)
    guard !isOver, product <= Timeline.maximumPhaseCount - phases else {
      throw FileFault.tooManyPhases(line: line)
    }
    phases += product
  }

  // MARK: Texts

  /// A phase whose name and label are made fit to be shown, and whose kind and name are what its power says.
  ///
  /// - Parameters:
  ///   - tag: the kind by the file's own words.
  ///   - metres: a distance that stands for the length, and is said by the name.
  mutating func step(
    _ tag: PhaseKind, _ length: PhaseLength, metres: Double? = nil, name: String? = nil,
    intensity: String? = nil, remarks: [Remark] = [], line: Int
  ) -> PlacedStep {
    let label = intensity.flatMap { fitted($0, atMost: PresetLimits.intensity, "a target") }
    let power = label.flatMap(Intensity.init(reading:))
    let kind = PowerZone.kind(tag, power, threshold: threshold)
    let own = name.flatMap { fitted($0, atMost: PresetLimits.name, "a name") }
    var name = own
    if own == nil { name = PowerZone.name(kind, power, threshold: threshold) }
    if let metres {
      let base = name ?? (kind == .work ? nil : KindName.of(kind))
      name = fitted(
        ForeignLength.name(metres: metres, base), atMost: PresetLimits.name, "a name")
    }
    if remarks.count > PresetLimits.remarks {
      report("of the texts of a phase the first \(PresetLimits.remarks) are kept")
    }
    let kept = Array(remarks.prefix(PresetLimits.remarks))
    let phase = Phase(
      kind, length, name: KindName.name(name, beside: kind), remarks: kept, intensity: label)
    return PlacedStep(
      Block.Step(phase), line: line, remarkLines: kept.map { _ in line })
  }

  /// A text that is spoken at `time` of a phase; nil where that is after its end, and for a text without
  /// anything to say.
  mutating func remark(_ text: String, at time: Duration, in length: PhaseLength) -> Remark? {
    // Braces are variables to the coach, and characters to every other program.
    let plain = String(text.map { $0 == "{" ? "(" : $0 == "}" ? ")" : $0 })
    guard let words = fitted(plain, atMost: PresetLimits.name, "a text") else { return nil }
    guard time >= .zero, length.duration.map({ time < $0 }) ?? (time <= Timeline.maximumLength)
    else {
      report("a text before the start or after the end of its phase is left out")
      return nil
    }
    return Remark(Template(plain: words), at: .fromStart(time))
  }

  /// A workout's name, made fit to be shown; nil if nothing of it can be seen.
  mutating func fittedName(_ text: String) -> String? {
    fitted(text, atMost: PresetLimits.name, "a name")
  }

  /// On one line, without what a preset cannot hold; nil if nothing that can be seen is left.
  private mutating func fitted(_ text: String, atMost maximum: Int, _ what: Sentence) -> String? {
    let scalars = text.singleLine.unicodeScalars.filter {
      ![0xFEFF, 0xFFFE, 0xFFFF].contains($0.value)
    }
    var words = String(String(String.UnicodeScalarView(scalars)).trimmed)
    guard words.unicodeScalars.contains(where: \.isVisible) else { return nil }
    if words.unicodeScalars.count > maximum {
      report("\(what) of more than \(maximum) characters is cut")
      words = String(String(words.unicodeScalars.prefix(maximum)).trimmed)
    }
    return words
  }

  mutating func setDescription(_ text: String) {
    facts.description = fitted(
      Substring(text).words.joined(separator: " "), atMost: WorkoutFacts.maximumText,
      "a description")
  }

  mutating func setAuthor(_ text: String) {
    facts.author = fitted(text, atMost: WorkoutFacts.maximumText, "an author")
  }

  /// A word to find it by, in small letters: "Sweet Spot" is "sweet-spot". What else it loses is reported.
  mutating func addTag(_ text: String) {
    let text = text.singleLine
    let words = text.lowercased().split { !($0.isLetter || $0.isNumber) }
    let spelled = words.map { $0.filter(\.isASCII) }.filter { !$0.isEmpty }
    let tag = spelled.reduce("") { tag, word in
      let longer = tag.isEmpty ? word : "\(tag)-\(word)"
      return WorkoutFacts.isTag(longer) ? longer : tag
    }
    guard !words.isEmpty else { return }
    guard !tag.isEmpty else {
      return report("the tag \(quoted(text)) is left out: expected letters a to z or numbers")
    }
    if tag != words.joined(separator: "-") {
      report("the tag \(quoted(text)) is kept as \(quoted(tag))")
    }
    guard !facts.tags.contains(tag) else { return }
    guard facts.tags.count < WorkoutFacts.maximumTags else {
      return report("of the tags the first \(WorkoutFacts.maximumTags) are kept")
    }
    facts.tags.append(tag)
  }

  mutating func report(_ sentence: Sentence) { losses.note(sentence) }

  // MARK: The workout

  /// The blocks in the order of the file. Unless `flat`, what is repeated is a block of sets, where the file
  /// says so and where it is written out.
  func blocks(flat: Bool) throws(FileFault) -> [PlacedBlock] {
    guard !items.isEmpty else {
      throw FileFault(line: nil, "a workout without a phase", expected: "one phase at least")
    }
    var blocks: [PlacedBlock] = []
    var plain: [PlacedStep] = []
    func endPlain() {
      guard !plain.isEmpty else { return }
      RollingCourse.mark(&plain)
      blocks += flat ? [PlacedBlock(plain)] : WrittenOutSets.blocks(of: plain)
      plain = []
    }
    for item in items {
      switch item {
      case .phase(let step): plain.append(step)
      case .sets(let count, _, let steps) where flat: plain += Self.unrolled(count, steps)
      case .each(let steps) where flat: plain += steps
      case .sets(let count, let line, let steps):
        endPlain()
        blocks.append(PlacedBlock(sets: (count, line ?? steps[0].line), steps))
      case .each(let steps):
        endPlain()
        blocks.append(PlacedBlock(numbering: .each, steps))
      }
    }
    endPlain()
    try PresetTotals.check(blocks)
    return blocks
  }

  /// The phases of all sets in a row.
  static func unrolled(_ sets: Int, _ steps: [PlacedStep]) -> [PlacedStep] {
    let last = steps.filter { !$0.step.skippedInLastSet }
    var all = Array(repeatElement(steps, count: sets - 1).joined()) + last
    for index in all.indices { all[index].step.skippedInLastSet = false }
    return all
  }
}
