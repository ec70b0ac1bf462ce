import IntervalTimeline

/// The kinds of values in files.
extension YamlEntry {
  /// A name: printable, not blank, without leading or trailing white space.
  package func name(
    expected: Sentence = "a text", atMost maximum: Int = PresetLimits.name
  ) throws(FileFault) -> String {
    guard let text = value.text, !value.isNull else { throw fault(expected: expected) }
    let name = String(text.trimmed)
    guard !name.isEmpty else { throw fault("\(key) is blank", expected: expected) }
    // Counted in scalars: one character may have any number of combining marks.
    guard name.unicodeScalars.count <= maximum else {
      throw fault("\(key) is too long", expected: "at most \(maximum) characters")
    }
    guard name.unicodeScalars.allSatisfy(\.isSafeOnOneLine) else {
      let isTurned = name.unicodeScalars.contains(where: \.isWritingDirectionMark)
      throw fault(
        expected: isTurned
          ? "a text without marks of writing direction" : "a text without control characters")
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

  private static let links: Sentence = "an address that begins with https:// or http://"

  /// A whole number. In quotes it would be a text.
  package func count(in range: ClosedRange<Int> = 1...PresetLimits.count) throws(FileFault) -> Int {
    let expected: Sentence = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let text = value.text, value.isPlain else {
      throw fault(expected: value.text == nil ? expected : "\(expected) without quotes")
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
  func number(in range: ClosedRange<Int>, of unit: Sentence) throws(FileFault) -> Double {
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
      let (last, others) = (words.last ?? "", words.dropLast().joined(separator: ", "))
      throw fault(expected: others.isEmpty ? Sentence(verbatim: last) : "\(others) or \(last)")
    }
    return text
  }

  /// A list that is not empty.
  package func items(expected: Sentence) throws(FileFault) -> [YamlNode] {
    guard let items = value.list, !items.isEmpty else {
      throw fault(expected: expected)
    }
    return items
  }

  /// The same; `name` is what messages call one of them.
  package func items(named name: String, expected: Sentence) throws(FileFault) -> [YamlEntry] {
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
      return try OpenLengthForm(entry: self, map: map).length()
    }
    guard let text = value.text, !value.isNull else {
      throw fault(expected: "\(LengthText.examples), {reps: 12} or {until: next}")
    }
    do throws(LengthFault) {
      return .fixed(try LengthText.duration(of: text))
    } catch {
      throw fault(
        "the length \(quoted(text)) of \(key) \(error.problem)", expected: error.expected)
    }
  }
}
