// Only people at the coach's own machine need to know where its files lie: others see a path without its folders.

extension String {
  /// A message in which each path is cut to what follows its last folder. Devices stay, and so does quoted text, which is
  /// what somebody has written.
  ///
  /// - Parameter isFolder: whether the machine has a folder of this path. What only looks like a path, such as a pace of
  ///   5:30 /km, stays.
  package func withoutFolders(_ isFolder: (String) -> Bool) -> String {
    guard contains("/") else { return self }
    var shown = ""
    var rest = self[...]
    var isQuoted = false
    while let character = rest.first {
      let mayBegin =
        !(shown.last.map { $0.isLetter || $0.isNumber || "./_-~".contains($0) } ?? false)
      if character == "/", mayBegin, !isQuoted, !rest.hasPrefix("/dev/"), !rest.hasPrefix("//") {
        var end = rest.startIndex
        while let slash = rest[end...].dropFirst().firstIndex(of: "/"),
          isFolder(String(rest[..<slash]))
        { end = slash }
        if end > rest.startIndex { rest = rest[end...].dropFirst() }
      }
      guard let character = rest.popFirst() else { break }
      if character == "\"" { isQuoted.toggle() }
      shown.append(character)
    }
    return shown
  }
}

extension ControlAnswer {
  /// The same answer; what it says has no folders.
  package func withoutFolders(_ isFolder: (String) -> Bool) -> ControlAnswer {
    func cut(_ text: String) -> String { text.withoutFolders(isFolder) }
    var answer = mapped { $0.mapped(cut) }
    answer.snapshot?.warnings = snapshot?.warnings.map(cut) ?? []
    for index in check?.notes.indices ?? 0..<0 {
      answer.check?.notes[index].message = cut(check?.notes[index].message ?? "")
    }
    return answer
  }

  /// The same answer, its sentences in the language of these patterns, each on one line and short: see
  /// `Sentence.text(in:)` and `String.shownShort`. A refusal is whole.
  package func shown(in patterns: [String: String]) -> ControlAnswer {
    var answer = mapped { Sentence(verbatim: $0.text(in: patterns).shownShort) }
    answer.sentence = sentence.map { Sentence(verbatim: $0.text(in: patterns).singleLine) }
    return answer
  }

  /// Whether `shown(in:)` may change it.
  package var hasSentences: Bool {
    sentence != nil || notes != nil || check != nil || presets != nil
  }

  private func mapped(_ change: (Sentence) -> Sentence) -> ControlAnswer {
    var answer = self
    answer.sentence = sentence.map(change)
    answer.notes = notes?.map(change)
    for index in presets?.indices ?? 0..<0 {
      answer.presets?[index].problem = presets?[index].problem.map(change)
    }
    if let faults = check?.faults {
      answer.check?.faults = faults.map { .init(line: $0.line, change($0.message)) }
    }
    return answer
  }
}

extension ControlEvent {
  /// The same event; what it says has no folders.
  package func withoutFolders(_ isFolder: (String) -> Bool) -> ControlEvent {
    var event = self
    event.message = message?.withoutFolders(isFolder)
    return event
  }
}
