import IntervalTimeline

/// Lays out the phases of a block as they are written: phases, and groups of phases that are repeated, to
/// any depth.
struct PhaseList {
  /// What `last: skip` means for a phase.
  enum LastPass {
    /// Nothing is repeated around it.
    case none
    /// The timeline leaves it out of the last set.
    case ofSets
    /// The phases are laid out pass by pass.
    case ofPass(Repetition.Pass)
  }

  /// The deepest that groups lie in groups.
  static let maximumDepth = 16
  private static let expected: Sentence = "a list of phases, such as - high: 4m"

  /// The names of the live values that texts may use.
  let values: Set<String>
  /// Phases say to which set they belong.
  let marksSets: Bool
  let draws: Draws
  private(set) var steps: [PlacedStep] = []
  /// The phases that are the same in each pass, by their places in the file.
  private var known: [Position: PlacedStep] = [:]
  /// The places of those that differ from pass to pass.
  private var varying: Set<Position> = []
  /// How many phases have been laid out, those that are left out too.
  private var count = 0
  /// The length of the phase that is written before the next one, done or left out.
  private var before: PhaseLength?

  private struct Position: Hashable {
    let line: Int
    let column: Int
  }

  init(values: Set<String>, marksSets: Bool = false, draws: Draws) {
    self.values = values
    self.draws = draws
    self.marksSets = marksSets
  }

  /// Lays out each pass.
  ///
  /// - Parameters:
  ///   - isNumbered: each pass is a numbered set.
  ///   - betweenSets: what is done between two sets, and belongs to neither.
  mutating func append(
    _ repetition: Repetition, of phases: YamlEntry, depth: Int = 0, isNumbered: Bool = false,
    between betweenSets: PlacedStep? = nil
  ) throws(FileFault) {
    for pass in repetition.passes {
      if pass.number > 0, let betweenSets { try append(betweenSets, of: phases) }
      if pass.number > 0, let between = repetition.between {
        try append(
          PhaseForm.phase(
            between, named: "Switch", words: pass.words, values: values, before: before,
            draws: draws),
          of: between)
      }
      let first = steps.count
      try append(phases, .ofPass(pass), words: pass.words, depth: depth)
      guard steps.count > first else {
        throw FileFault.emptyLast(isNumbered ? "set" : "time", line: phases.line)
      }
      if let line = repetition.aloudLine { try count(pass.number + 1, from: first, line: line) }
      for index in isNumbered ? first..<steps.count : 0..<0 {
        steps[index].step.set = pass.number + 1
      }
    }
  }

  /// Lays out phases once.
  mutating func append(
    _ phases: YamlEntry, _ last: LastPass, words: [String: String] = [:], depth: Int = 0
  ) throws(FileFault) {
    for node in try phases.items(expected: Self.expected) {
      let map = try node.map(of: "a phase", expected: "a kind and its length, such as high: 4m")
      if let inner = map["phases"] {
        try append(group: map, of: inner, words: words, depth: depth + 1)
      } else {
        let form = PhaseForm(
          map: map, words: words, values: values, last: last, before: before, draws: draws,
          marksSets: marksSets)
        let step = try step(form, node)
        if form.isLeftOut {
          try count(of: phases)
          before = step.step.phase.length
        } else {
          try append(step, of: phases)
        }
      }
    }
  }

  private mutating func append(
    group map: YamlMap, of phases: YamlEntry, words: [String: String], depth: Int
  ) throws(FileFault) {
    if let sets = map["sets"] {
      throw FileFault(
        line: sets.line, "sets of phases within a block",
        expected: "repeat, for the sets of a block are numbered")
    }
    try map.checkKeys(Repetition.keys + ["phases"], of: "a group of phases")
    guard depth <= Self.maximumDepth else {
      throw FileFault(
        line: phases.line, "groups of phases that lie \(depth) deep",
        expected: "at most \(Self.maximumDepth)")
    }
    _ = try map["count"]?.word("aloud")
    guard let repetition = try Repetition(map, sets: nil, words: words, draws) else {
      throw FileFault(
        line: phases.line, "a group of phases that is done once",
        expected: "repeat, ladder, sides or stations beside phases")
    }
    try append(repetition, of: phases, depth: depth)
  }

  /// Reads a phase, once if it is the same in each pass.
  private mutating func step(_ form: PhaseForm, _ node: YamlNode) throws(FileFault) -> PlacedStep {
    let position = Position(line: node.line, column: node.column)
    if let step = known[position] { return step }
    let step = try form.step()
    if varying.contains(position) { return step }
    if node.dependsOnPass { varying.insert(position) } else { known[position] = step }
    return step
  }

  private mutating func append(_ step: PlacedStep, of entry: YamlEntry) throws(FileFault) {
    try count(of: entry)
    before = step.step.phase.length
    steps.append(step)
  }

  /// Bounded as it grows, because groups in groups multiply.
  private mutating func count(of entry: YamlEntry) throws(FileFault) {
    guard count < Timeline.maximumPhaseCount else {
      throw FileFault.tooManyPhases(line: entry.line)
    }
    count += 1
  }

  /// The first phase of effort since a step begins with its number, else the first phase.
  private mutating func count(_ number: Int, from first: Int, line: Int) throws(FileFault) {
    // Not by a slice: it would be a copy of all steps once they change.
    let place = (first..<steps.count).first { steps[$0].step.phase.kind.isEffort } ?? first
    guard steps[place].remarkLines.count < PresetLimits.remarks else {
      throw FileFault(
        line: steps[place].line,
        "more than \(PresetLimits.remarks) texts with the numbers of count: aloud",
        expected: "at most \(PresetLimits.remarks)")
    }
    steps[place].say(number, line: line)
  }
}
