/// An element of an XML file.
struct MarkupElement {
  /// As it is written.
  let name: String
  /// Where it begins, from 1.
  let line: Int
  /// By their names in lower case: programs differ in their capitals.
  var attributes: [String: String] = [:]
  var children: [MarkupElement] = []
  /// What is between its tags, without its children.
  var text = ""

  /// The name in lower case.
  var key: String { name.lowercased() }

  /// The first child of that name, in lower case.
  func child(_ key: String) -> MarkupElement? { children.first { $0.key == key } }
}
