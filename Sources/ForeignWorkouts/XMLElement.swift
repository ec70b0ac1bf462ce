import IntervalTimeline

/// An element of an XML file.
package struct XMLElement: Sendable {
  /// As it is written.
  package let name: String
  /// Where its start tag ends, from 1.
  package let line: Int
  /// By their names in lower case: programs differ in their capitals.
  package internal(set) var attributes: [String: String] = [:]
  /// In the order of the file.
  package internal(set) var children: [XMLElement] = []
  /// What is between its tags, without its children.
  package internal(set) var text = ""

  init(name: String, line: Int) {
    self.name = name
    self.line = line
  }

  /// The name in lower case.
  package var key: String { name.lowercased() }

  /// The first child of that name, in lower case.
  package func child(_ key: String) -> XMLElement? { children.first { $0.key == key } }
}

/// Why a text is not read as XML.
package struct XMLFault: Error, Hashable, Sendable {
  /// From 1; nil where the fault is not of the text.
  package let line: Int?
  /// What is wrong there.
  package let found: Sentence
  /// What would be right.
  package let expected: Sentence
}
