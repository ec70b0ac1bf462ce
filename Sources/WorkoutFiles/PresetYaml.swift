import Yams

/// A text that `PresetSyntax` has passed, as Yams' nodes.
enum PresetYaml {
  static func root(of text: String) throws(PresetFault) -> Node {
    do {
      // Without rules: every value stays the text that was written, and no regular expression is
      // matched against it. The encoding is named because Yams prints to standard output where an
      // environment variable names it.
      guard let node = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot() else {
        throw PresetFault(line: 1, "an empty preset", expected: PresetForm.expected)
      }
      return node
    } catch let error as YamlError {
      throw fault(error)
    } catch let fault as PresetFault {
      throw fault
    } catch {
      throw PresetFault(line: nil, "YAML that cannot be read", expected: "a preset")
    }
  }

  private static func fault(_ error: YamlError) -> PresetFault {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      // A key's missing colon is noticed on the line after it.
      let isKey = problem == "could not find expected ':'"
      let line = isKey ? context?.mark.line ?? mark.line : mark.line
      return PresetFault(line: line, escaped(problem), expected: expected[problem] ?? valid)
    case .duplicatedKeysInMapping(let keys, let context):
      // Only for keys that escapes make equal; their second line is unknown.
      return PresetFault(
        line: context.mark.line, "the key \(quoted(keys.first ?? "")) is given again",
        expected: "each key once")
    case .reader(let problem, _, _, _), .writer(let problem), .emitter(let problem),
      .representer(let problem):
      return PresetFault(line: nil, escaped(problem), expected: valid)
    case .no, .memory, .dataCouldNotBeDecoded:
      return PresetFault(line: nil, "YAML that cannot be read", expected: valid)
    }
  }

  private static let valid = "YAML like that of the shipped presets"

  /// What libyaml's message leaves unsaid.
  private static let expected = [
    "found unknown escape character": "a known escape after the \\, or single quotes",
    "did not find expected hexdecimal number": "hexadecimal digits after the escape",
    "mapping values are not allowed in this context": "a key of at most 1024 characters first",
    "could not find expected ':'": "keys of at most 1024 characters, each with a colon",
  ]
}
