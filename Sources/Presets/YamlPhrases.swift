import IntervalTimeline

/// Texts with variables, in presets and catalogues.
extension YamlEntry {
  /// A text, a list of texts (the longest first), or `silent`.
  ///
  /// - Parameter values: the names of the live values that the texts may use; nil outside presets.
  func phrase(values: Set<String>? = nil) throws(FileFault) -> Phrase {
    if value.text == Self.silent { return Phrase([]) }
    return Phrase(
      try wordings(expected: "a text, a list of texts or \(Self.silent)", values: values))
  }

  /// A text, or a list of texts, the longest first.
  func wordings(expected: Sentence, values: Set<String>?) throws(FileFault) -> [Template] {
    guard let items = value.list else {
      return [try template(expected: expected, values: values)]
    }
    guard !items.isEmpty else { throw fault(expected: expected) }
    var wordings: [Template] = []
    for item in items {
      let entry = YamlEntry(key: key, line: item.line, value: item)
      guard item.text != Self.silent else {
        throw entry.fault("silent among the texts of \(key)", expected: "silent alone, or texts")
      }
      wordings.append(
        try entry.template(expected: "a text in each place of the list", values: values))
    }
    return wordings
  }

  /// A text of at most 500 characters, with variables.
  func template(expected: Sentence = "a text", values: Set<String>? = nil) throws(FileFault)
    -> Template
  {
    let text = try name(expected: expected)
    do throws(TemplateFault) {
      return try Template(text, values: values ?? [])
    } catch {
      throw fault(
        error, known: Variable.allCases.map(\.rawValue) + (values ?? []).sorted(),
        orElse: values == nil ? "" : ", or a live value that the preset names: values: [watts]")
    }
  }

  /// A text of at most 500 characters without variables.
  func plainWords() throws(FileFault) -> String {
    let words = try name()
    guard !words.contains("{"), !words.contains("}") else {
      throw fault(expected: "a text without braces")
    }
    return words
  }

  /// A form of a unit, with "{n}" for the number; `isFixed` if the number may be omitted.
  func unitForm(of unit: String, isFixed: Bool) throws(FileFault) -> String {
    let text = try name()
    let parts = text.split(separator: "{n}", omittingEmptySubsequences: false)
    do throws(TemplateFault) {
      if let name = try Template(parts.joined()).pieces.firstVariable {
        throw TemplateFault.unknownVariable(name)
      }
    } catch {
      throw fault(error, known: ["n"])
    }
    guard parts.count <= 2, parts.count == 2 || isFixed else {
      throw FileFault(
        line: line, "\(parts.count == 1 ? "no" : "more than one") {n} in \(key) of \(unit)",
        expected: "{n} once, where the number is said")
    }
    return text
  }

  /// A text of at most 500 characters in which only these variables may be.
  func displayText(_ values: [String]) throws(FileFault) -> String {
    guard !values.isEmpty else { return try plainWords() }
    let text = try name()
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      let inside = rest[rest.index(after: brace)...]
      guard rest[brace] == "{", let end = inside.firstIndex(of: "}") else {
        throw fault(.loneBrace, known: values)
      }
      let variable = String(inside[..<end])
      guard values.contains(variable) else {
        throw fault(.unknownVariable(variable), known: values)
      }
      rest = inside[inside.index(after: end)...]
    }
    return text
  }

  private static let silent = "silent"

  private func fault(
    _ fault: TemplateFault, known: [String], orElse more: Sentence = ""
  ) -> FileFault {
    let variables = known.map { "{\($0)}" }.joined(separator: ", ")
    switch fault {
    case .loneBrace:
      return FileFault(
        line: line, "a brace without its other in \(key)",
        expected: "both round one of \(variables)")
    case .unknownVariable(let name):
      let problem: Sentence = "unknown variable \(quoted("{\(name)}")) in \(key)"
      let list: Sentence = "one of \(variables)"
      guard let nearest = Nearest.names(to: name, among: known).first else {
        return FileFault(line: line, problem, expected: "\(list)\(more)")
      }
      return FileFault(
        line: line, "\(problem) (did you mean {\(nearest)}?)", expected: list)
    }
  }
}

extension [Template.Piece] {
  fileprivate var firstVariable: String? {
    for case .variable(let variable) in self { return variable.rawValue }
    return nil
  }
}
