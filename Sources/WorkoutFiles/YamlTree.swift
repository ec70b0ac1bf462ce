import Yams

/// Parses a YAML file into nodes of Yams, after checking it.
enum YamlTree {
  /// Nil if the file is empty.
  static func root(of bytes: [UInt8]) throws(FileFault) -> Node? {
    let text = try YamlText(bytes)
    guard try YamlSyntax.check(text.lines) else { return nil }
    do {
      // Without resolver rules every value stays the text that was written, and no regular
      // expression runs. The encoding is given because Yams prints to standard output if an
      // environment variable sets it.
      return try Parser(yaml: text.string, resolver: .basic, encoding: .utf8).singleRoot()
    } catch let error as YamlError {
      throw fault(error)
    } catch {
      throw FileFault(line: nil, "YAML that cannot be read", expected: valid)
    }
  }

  private static func fault(_ error: YamlError) -> FileFault {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      // libyaml reports a key's missing colon on the next line.
      let isKey = problem == "could not find expected ':'"
      let line = isKey ? context?.mark.line ?? mark.line : mark.line
      return FileFault(line: line, escaped(problem), expected: expected[problem] ?? valid)
    case .duplicatedKeysInMapping(let keys, let context):
      // Only for keys that are equal because of escapes; the line of the second is unknown.
      return FileFault(
        line: context.mark.line, "the key \(quoted(keys.first ?? "")) is given again",
        expected: "each key once")
    case .reader(let problem, _, _, _), .writer(let problem), .emitter(let problem),
      .representer(let problem):
      return FileFault(line: nil, escaped(problem), expected: valid)
    case .no, .memory, .dataCouldNotBeDecoded:
      return FileFault(line: nil, "YAML that cannot be read", expected: valid)
    }
  }

  private static let valid = "YAML as in Documentation/presets.md"

  /// What was expected, by libyaml's message.
  private static let expected = [
    "found unknown escape character": "a known escape after the \\, or single quotes",
    "did not find expected hexdecimal number": "hexadecimal digits after the escape",
    "mapping values are not allowed in this context": "a key of at most 1024 characters first",
    "could not find expected ':'": "keys of at most 1024 characters, each with a colon",
  ]
}
