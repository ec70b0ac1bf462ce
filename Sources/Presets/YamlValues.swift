import IntervalTimeline

/// The kinds of values in files.
extension YamlEntry {
  /// A name: printable, not blank, without leading or trailing white space.
  package func name(
    expected: String = "a text", atMost maximum: Int = PresetLimits.name
  ) throws(FileFault) -> String {
    guard let text = value.text, !value.isNull else { throw fault(expected: expected) }
    let name = String(text.trimmed)
    guard !name.isEmpty else {
      throw FileFault(line: line, "\(key) is blank", expected: expected)
    }
    // Counted in scalars: one character may have any number of combining marks.
    guard name.unicodeScalars.count <= maximum else {
      throw FileFault(
        line: line, "\(key) is too long", expected: "at most \(maximum) characters")
    }
    guard name.unicodeScalars.allSatisfy(\.isSafeOnOneLine) else {
      let isTurned = name.unicodeScalars.contains(where: \.isWritingDirectionMark)
      throw fault(
        expected: "a text without \(isTurned ? "marks of writing direction" : "control characters")"
      )
    }
    return name
  }

  /// An address that can be opened.
  func link() throws(FileFault) -> String {
    let link = try name(expected: Self.links)
    guard ["https://", "http://"].contains(where: { link.hasPrefix($0) && link != $0 }),
      !link.contains(" ")
    else { throw fault(expected: Self.links) }
    return link
  }

  private static let links = "an address that begins with https:// or http://"

  /// A whole number. In quotes it would be a text.
  package func count(in range: ClosedRange<Int> = 1...PresetLimits.count) throws(FileFault) -> Int {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let text = value.text, value.isPlain else {
      throw fault(expected: expected + (value.text != nil ? " without quotes" : ""))
    }
    let digits = text.utf8
    // Int accepts a sign; a leading zero means octal in YAML 1.1 and decimal in YAML 1.2.
    guard let first = digits.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
      first != UInt8(ascii: "0") || digits.count == 1, let count = Int(text),
      range.contains(count)
    else { throw fault(expected: expected) }
    return count
  }

  /// A number, with or without a fraction; `unit` names its unit.
  func number(in range: ClosedRange<Int>, of unit: String) throws(FileFault) -> Double {
    // Double also accepts words and hexadecimal digits.
    guard let text = value.text, value.isPlain,
      text.utf8.allSatisfy({ "-.0123456789".utf8.contains($0) }), let number = Double(text),
      (Double(range.lowerBound)...Double(range.upperBound)).contains(number)
    else {
      throw fault(expected: "\(unit) from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// One of `words`.
  package func word(_ words: String...) throws(FileFault) -> String {
    guard let text = value.text, words.contains(text) else {
      let others = words.dropLast().joined(separator: ", ")
      throw fault(expected: others + (others.isEmpty ? "" : " or ") + (words.last ?? ""))
    }
    return text
  }

  /// A list that is not empty.
  package func items(expected: String) throws(FileFault) -> [YamlNode] {
    guard let items = value.list, !items.isEmpty else {
      throw fault(expected: expected)
    }
    return items
  }

  /// The same; `name` is what messages call one of them.
  package func items(named name: String, expected: String) throws(FileFault) -> [YamlEntry] {
    try items(expected: expected).map { YamlEntry(key: name, line: $0.line, value: $0) }
  }

  /// A fixed length.
  package func fixedLength() throws(FileFault) -> Duration? {
    guard value.text != nil, !value.isNull else {
      throw fault(expected: LengthText.examples)
    }
    return try length().duration
  }

  /// A fixed length, or an open one: `{reps: 12}`, `{until: next}`, `{until: a-signal}`, each with `at-least`
  /// and `at-most`, or to a send-off: `{on: 2m}`.
  func length() throws(FileFault) -> PhaseLength {
    if let map = YamlMap(value) {
      let end = try openEnd(map)
      return .open(end, try openBounds(map, of: end))
    }
    guard let text = value.text, !value.isNull else {
      throw fault(expected: "\(LengthText.examples), {reps: 12} or {until: next}")
    }
    do throws(LengthFault) {
      return .fixed(try LengthText.duration(of: text))
    } catch {
      throw FileFault(
        line: line, "the length \(quoted(text)) of \(key) \(error.problem)",
        expected: error.expected)
    }
  }

  private func openEnd(_ map: YamlMap) throws(FileFault) -> OpenEnd {
    try map.checkKeys(
      ["reps", "until", "on", "about", "at-least", "at-most"], of: "an open length")
    let ends = map.entries.filter { ["reps", "until", "on"].contains($0.key) }
    guard ends.count == 1, let entry = ends.first else {
      let found =
        map.entries.isEmpty
        ? value.found
        : ends.isEmpty
          ? "a map without reps or until" : "both \(ends[0].key) and \(ends[1].key)"
      throw FileFault(
        line: line, "\(key) is \(found)", expected: "{reps: 12} or {until: next}")
    }
    if entry.key == "reps" { return .reps(try entry.count()) }
    if entry.key == "on" {
      if let bound = map.entries.first(where: { $0.key != "on" }) {
        throw FileFault(
          line: bound.line, "\(bound.key) beside on",
          expected: "\(bound.key) in the phase before, or none")
      }
      guard let time = try entry.fixedLength() else {
        throw entry.fault(expected: LengthText.examples)
      }
      return .sendOff(time)
    }
    if let map = YamlMap(entry.value) { return try heartRate(map, of: entry) }
    guard let text = entry.value.text, !entry.value.isNull,
      text == "next" || OpenEnd.isSignal(text)
    else {
      throw entry.fault(
        expected: "next, or the name of a signal: at most 40 of a-z, 0-9 and hyphens, from a letter"
      )
    }
    return text == "next" ? .untilNext : .signal(text)
  }

  /// `{heart-rate: below 120}`
  private func heartRate(_ map: YamlMap, of entry: YamlEntry) throws(FileFault) -> OpenEnd {
    let range = OpenEnd.heartRates
    let expected = "{heart-rate: below 120}, from \(range.lowerBound) to \(range.upperBound)"
    try map.checkKeys(["heart-rate"], of: "until")
    let words = map["heart-rate"]?.value.text?.split(separator: " ") ?? []
    guard words.count == 2, words[0] == "below", words[1].allSatisfy(\.isNumber),
      let limit = Int(words[1]), range.contains(limit)
    else { throw entry.fault(expected: expected) }
    return .heartRate(below: limit)
  }

  private func openBounds(_ map: YamlMap, of end: OpenEnd) throws(FileFault) -> OpenBounds {
    let bounds = OpenBounds(
      atLeast: try map["at-least"]?.fixedLength(), atMost: try map["at-most"]?.fixedLength(),
      about: try map["about"]?.fixedLength())
    if bounds.atLeast != nil, end == .untilNext {
      throw FileFault(
        line: map["at-least"]?.line ?? line,
        "at-least has no effect with until: next, which ends the phase at once",
        expected: "at-least with reps or a signal")
    }
    if let atLeast = bounds.atLeast, let atMost = bounds.atMost, atLeast > atMost {
      throw FileFault(
        line: map["at-least"]?.line ?? line, "at-least is longer than at-most",
        expected: "at-least up to at-most")
    }
    if let about = bounds.about {
      guard bounds.atLeast ?? about <= about, about <= bounds.atMost ?? about else {
        throw FileFault(
          line: map["about"]?.line ?? line, "about is not between at-least and at-most",
          expected: "about from at-least to at-most")
      }
    }
    return bounds
  }
}
