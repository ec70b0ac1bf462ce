import IntervalTimeline

/// Reads the texts of a phase: `say`, with `at`.
struct RemarkForm {
  private static let expected: Sentence = "a text, or a list such as [{at: 30s, text: Breathe}]"

  /// The texts of the phase at `phaseEntry`, and the line of each.
  static func remarks(
    _ map: YamlMap, of phaseEntry: YamlEntry, length: PhaseLength, values: Set<String>
  ) throws(FileFault) -> [(remark: Remark, line: Int)] {
    let form = RemarkForm(phase: phaseEntry, length: length)
    guard let say = map["say"] else {
      if let at = map["at"] {
        throw FileFault(
          line: at.line, "at without say", expected: "say and its text beside at")
      }
      return []
    }
    guard let items = say.value.list else {
      return [
        (
          Remark(
            try say.template(expected: expected, values: values), at: try form.place(map["at"])),
          say.line
        )
      ]
    }
    if let at = map["at"] {
      throw FileFault(
        line: at.line, "at beside a list of texts", expected: "at in each item of the list")
    }
    guard (1...PresetLimits.remarks).contains(items.count) else {
      throw FileFault(
        line: say.line, "say has \(items.count) texts", expected: "1 to \(PresetLimits.remarks)")
    }
    var remarks: [(remark: Remark, line: Int)] = []
    for item in items {
      let map = try item.map(of: "a text of say", expected: "{at: 30s, text: Breathe}")
      try map.checkKeys(["at", "text"], of: "a text of say")
      let text = try map.required("text", expected: "what is said, such as text: Breathe")
      let wordings = try text.wordings(
        expected: "a text, or a list of wordings from the longest to the shortest", values: values)
      remarks.append((Remark(wordings, at: try form.place(map["at"])), text.line))
    }
    return remarks
  }

  private let phase: YamlEntry
  private let length: PhaseLength

  /// By default one second after the phase's start, when the boundary's sound is over.
  private func place(_ at: YamlEntry?) throws(FileFault) -> Remark.Place {
    guard let at else {
      let isLonger = length.duration.map { $0 > .seconds(1) } ?? true
      return .fromStart(isLonger ? .seconds(1) : .zero)
    }
    guard let written = at.value.text, !at.value.isNull else {
      throw at.fault(expected: "a time such as 30s, or -10s for 10 s before the end")
    }
    let text = String(written.trimmed)
    let isFromEnd = text.hasPrefix("-")
    let time: Duration
    do throws(LengthFault) {
      time = try LengthText.duration(of: isFromEnd ? String(text.dropFirst()) : text)
    } catch {
      guard error != .zero || isFromEnd else { return .fromStart(.zero) }
      throw FileFault(
        line: at.line, "the time \(quoted(text)) of at \(error.problem)", expected: error.expected)
    }
    return try place(time, isFromEnd: isFromEnd, at: at)
  }

  private func place(
    _ time: Duration, isFromEnd: Bool, at: YamlEntry
  ) throws(FileFault) -> Remark.Place {
    guard let duration = length.duration else {
      if !isFromEnd { return .fromStart(time) }
      throw at.fault(expected: "a time after the start, for \(phase.key) ends when next is said")
    }
    guard isFromEnd ? time <= duration : time < duration else {
      throw at.fault(expected: "a time within the \(phase.value.found) of \(phase.key)")
    }
    return isFromEnd ? .beforeEnd(time) : .fromStart(time)
  }
}
