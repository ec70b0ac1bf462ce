import IntervalTimeline

/// The rungs of a ladder: a list of numbers or lengths, or `1 to 10`, `30s to 2m by 30s and back`.
enum LadderText {
  private static let expected: Sentence =
    "a list such as [30s, 1m, 30s], or 1 to 10, 10 to 50 by 5 or 30s to 2m by 30s, each also with and back"

  /// Each as it is written for a phase: a whole number, or a length.
  static func rungs(_ entry: YamlEntry) throws(FileFault) -> [String] {
    var rungs: [String] = []
    if let items = entry.value.list {
      for item in items {
        guard let text = item.text, !item.isNull, isRung(text) else {
          throw FileFault(
            line: item.line, "\(item.found) in ladder",
            expected: "a whole number or a length")
        }
        rungs.append(text)
      }
    } else if let text = entry.value.text, let span = try span(text, entry) {
      rungs = span
    } else {
      throw entry.fault(expected: expected)
    }
    guard (2...Repetition.maximumPasses).contains(rungs.count) else {
      throw entry.fault(
        rungs.count == 1 ? "ladder has 1 rung" : "ladder has \(rungs.count) rungs",
        expected: "2 to \(Repetition.maximumPasses)")
    }
    return rungs
  }

  /// The most characters of a rung.
  private static let maximumRung = 20

  /// A bare number is a length of that many seconds too.
  private static func isRung(_ text: String) -> Bool {
    text.utf8.count <= maximumRung && (try? LengthText.duration(of: text)) != nil
  }

  /// Nil if the text is no span.
  private static func span(_ text: String, _ entry: YamlEntry) throws(FileFault) -> [String]? {
    var words = text.split(separator: " ").map(String.init)
    let comesBack = words.suffix(2) == ["and", "back"]
    if comesBack { words.removeLast(2) }
    guard words.count == 3 || words.count == 5, words[1] == "to",
      words.count == 3 || words[3] == "by"
    else { return nil }
    let parts = [words[0], words[2]] + words.dropFirst(4)
    let areNumbers = parts.allSatisfy { part in part.utf8.allSatisfy(".0123456789".utf8.contains) }
    guard areNumbers || words.count == 5 else {
      throw entry.fault(expected: "its step as well, such as 30s to 2m by 30s")
    }
    var values: [Int64] = []
    for part in parts {
      guard let length = try? LengthText.duration(of: part) else { return nil }
      values.append(length.wholeMilliseconds)
    }
    let step = values.count > 2 ? values[2] : 1000
    let (first, last) = (values[0], values[1])
    let count = abs(last - first) / step + 1
    guard abs(last - first) % step == 0 else {
      throw entry.fault(expected: "a step that leads from the first to the last")
    }
    guard count <= Repetition.maximumPasses else {
      throw entry.fault(
        "ladder has more than \(Repetition.maximumPasses) rungs",
        expected: "2 to \(Repetition.maximumPasses)")
    }
    let up = (0..<count).map { first + (last < first ? -$0 : $0) * step }
    return (comesBack ? up + up.dropLast().reversed() : up).map {
      areNumbers ? Duration.milliseconds($0).secondsText() : LengthText.text(of: .milliseconds($0))
    }
  }
}
