/// An element of an XML file.
public struct XMLElement: Sendable {
  /// As it is written.
  public let name: String
  /// Where its start tag ends, from 1.
  public let line: Int
  /// By their names in lower case: programs differ in their capitals.
  public internal(set) var attributes: [String: String] = [:]
  /// In the order of the file.
  public internal(set) var children: [XMLElement] = []
  /// What is between its tags, without its children.
  public internal(set) var text = ""

  init(name: String, line: Int) {
    self.name = name
    self.line = line
  }

  /// The name in lower case.
  public var key: String { name.lowercased() }

  /// The first child of that name, in lower case.
  public func child(_ key: String) -> XMLElement? { children.first { $0.key == key } }
}

/// Why a text is not read as XML.
public struct XMLFault: Error, Hashable, Sendable {
  /// From 1; nil where the fault is not of the text.
  public let line: Int?
  /// What is wrong there. Names of the file are quoted as they are.
  public let found: String
  /// What would be right.
  public let expected: String
}
