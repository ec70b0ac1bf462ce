/// A language such as "en" or "pt-br", in lower case. It is also the name of a catalogue's file, so it has
/// no character that means something in a path.
package struct LanguageTag: Hashable, Sendable {
  /// The tag in lower case.
  package let text: String

  /// What a message expects.
  package static let expected: Sentence = "a language such as en or pt-br"

  /// Nil unless there are one to four parts of one to eight letters or digits, with hyphens between; "en_US", as programs
  /// name their voices' languages, is "en-us".
  package init?(_ text: String) {
    let tag = String(text.lowercased().map { $0 == "_" ? "-" : $0 })
    let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isLanguage = parts.allSatisfy { part in
      (1...8).contains(part.count)
        && part.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789".utf8.contains($0) }
    }
    guard isLanguage, parts.count <= 4 else { return nil }
    self.text = tag
  }
}
