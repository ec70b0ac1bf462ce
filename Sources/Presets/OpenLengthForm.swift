import IntervalTimeline

/// The length of an open phase: `{reps: 12}`, `{until: next}`, `{on: 2m}`, with its bounds.
struct OpenLengthForm {
  let entry: YamlEntry
  let map: YamlMap

  func length() throws(FileFault) -> PhaseLength {
    let end = try self.end()
    return .open(end, try bounds(of: end))
  }

  private func end() throws(FileFault) -> OpenEnd {
    try map.checkKeys(
      ["reps", "until", "on", "about", "at-least", "at-most"], of: "an open length")
    let ends = map.entries.filter { ["reps", "until", "on"].contains($0.key) }
    guard ends.count == 1, let end = ends.first else {
      let found =
        map.entries.isEmpty
        ? entry.value.found
        : ends.isEmpty
          ? "a map without reps or until" : "both \(ends[0].key) and \(ends[1].key)"
      throw entry.fault("\(entry.key) is \(found)", expected: "{reps: 12} or {until: next}")
    }
    if end.key == "reps" { return .reps(try end.count()) }
    if end.key == "on" {
      if let bound = map.entries.first(where: { $0.key != "on" }) {
        throw bound.fault(
          "\(bound.key) beside on",
          expected: "\(bound.key) in the phase before, or none")
      }
      guard let time = try end.fixedLength() else {
        throw end.fault(expected: LengthText.examples)
      }
      return .sendOff(time)
    }
    if let map = YamlMap(end.value) { return try heartRate(map, of: end) }
    guard let text = end.value.text, !end.value.isNull,
      text == "next" || OpenEnd.isSignal(text)
    else {
      throw end.fault(
        expected: "next, or the name of a signal: at most 40 of a-z, 0-9 and hyphens, from a letter"
      )
    }
    return text == "next" ? .untilNext : .signal(text)
  }

  /// `{heart-rate: below 120}`
  private func heartRate(_ map: YamlMap, of entry: YamlEntry) throws(FileFault) -> OpenEnd {
    let range = OpenEnd.heartRates
    try map.checkKeys(["heart-rate"], of: "until")
    guard let rate = map["heart-rate"] else {
      throw entry.fault(expected: "{heart-rate: below 120}")
    }
    let words = rate.value.text?.split(separator: " ") ?? []
    guard words.count == 2 || words.count == 3 && words[2] == "bpm", words[0] == "below",
      words[1].allSatisfy(\.isNumber),
      let limit = Int(words[1]), range.contains(limit)
    else {
      throw rate.fault(
        expected: "below 120, or another number from \(range.lowerBound) to \(range.upperBound)")
    }
    return .heartRate(below: limit)
  }

  private func bounds(of end: OpenEnd) throws(FileFault) -> OpenBounds {
    let bounds = OpenBounds(
      atLeast: try map["at-least"]?.fixedLength(), atMost: try map["at-most"]?.fixedLength(),
      about: try map["about"]?.fixedLength())
    if bounds.atLeast != nil, end == .untilNext {
      throw (map["at-least"] ?? entry).fault(
        "at-least has no effect with until: next, which ends the phase at once",
        expected: "at-least with reps or a signal")
    }
    if let atLeast = bounds.atLeast, let atMost = bounds.atMost, atLeast > atMost {
      throw (map["at-least"] ?? entry).fault(
        "at-least is longer than at-most", expected: "at-least up to at-most")
    }
    if let about = bounds.about {
      guard bounds.atLeast ?? about <= about, about <= bounds.atMost ?? about else {
        throw (map["about"] ?? entry).fault(
          "about is not between at-least and at-most",
          expected: "about from at-least to at-most")
      }
    }
    return bounds
  }
}
