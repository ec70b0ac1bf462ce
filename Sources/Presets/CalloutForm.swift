import IntervalTimeline

/// Reads `callouts`: texts of a list, said in a random order at random times.
enum CalloutForm {
  static let key = "callouts"
  private static let expected: Sentence = "{every: 4s to 8s, texts: [Jab, Cross]}"
  /// No text is shorter.
  private static let shortest = Duration.seconds(2)
  /// From then on the end of a set is announced.
  private static let end = Duration.seconds(9)
  /// The instants that are drawn lie on this grid.
  private static let grid = Duration.milliseconds(100)

  /// None of them when the phase's end is counted down.
  ///
  /// - Parameter maximum: how many there may be.
  static func remarks(
    _ entry: YamlEntry, length: PhaseLength, values: Set<String>, atMost maximum: Int,
    _ draws: Draws
  ) throws(FileFault) -> [(remark: Remark, line: Int)] {
    guard let map = YamlMap(entry.value) else { throw entry.fault(expected: expected) }
    try map.checkKeys(["every", "texts"], of: Sentence(verbatim: key))
    let every = try map.required(
      "every", expected: "the time from one to the next, such as 4s to 8s")
    guard let span = try LengthSpan(every) else {
      throw every.fault(expected: "two lengths, the shorter first, such as 4s to 8s")
    }
    guard span.shortest >= shortest else { throw every.fault(expected: "at least 2s") }
    let texts = try map.required("texts", expected: "what is called out, such as [Jab, Cross]")
    var templates: [Template] = []
    for text in try texts.items(
      named: "a callout", expected: "what is called out, such as [Jab, Cross]")
    {
      templates.append(try text.template(values: values))
    }
    guard templates.count <= PresetLimits.remarks else {
      throw FileFault(
        line: texts.line, "callouts has \(templates.count) texts",
        expected: "1 to \(PresetLimits.remarks)")
    }
    guard case .fixed(let duration) = length else {
      throw entry.fault(
        "callouts in a phase that something else ends",
        expected: "a fixed length, such as work: 3m")
    }
    guard duration / span.shortest <= Double(maximum) else {
      throw FileFault(
        line: every.line, "callouts of which there may be more than \(maximum) in the phase",
        expected: "a longer time between two, or a shorter phase")
    }
    var dice = draws.dice()
    var remarks: [(remark: Remark, line: Int)] = []
    var last: Int?
    var at = span.drawn(by: &dice, step: grid)
    while at <= duration - end {
      let index = other(than: last, of: templates.count, &dice)
      remarks.append((Remark(templates[index], at: .fromStart(at)), entry.line))
      last = index
      at += span.drawn(by: &dice, step: grid)
    }
    return remarks
  }

  /// The same text is not called out twice in a row, unless there is only one.
  private static func other(than last: Int?, of count: Int, _ dice: inout RandomSource) -> Int {
    guard let last, count > 1 else { return Int(dice.number(below: Int64(count))) }
    let index = Int(dice.number(below: Int64(count - 1)))
    return index < last ? index : index + 1
  }
}
