/// One step of the way to a value in a JSON text.
package enum JSONStep: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The value of a key of an object.
  case key(String)
  /// The element of a list, from 0.
  case index(Int)

  /// A key.
  package init(stringLiteral value: String) { self = .key(value) }
}

extension JSONGrammar {
  /// The offset of the value to which the steps lead from the outermost one, or of the last one on the way that is
  /// there.
  ///
  /// - Parameter bytes: of which `firstFault` is nil.
  package static func offset(of steps: [JSONStep], in bytes: [UInt8]) -> Int {
    var grammar = JSONGrammar(bytes: bytes)
    grammar.skipBlanks()
    for step in steps {
      let value = grammar.position
      let isThere =
        switch step {
        case .key(let key): grammar.enterObject(at: Array(key.utf8))
        case .index(let index): grammar.enterList(at: index)
        }
      guard isThere else { return value }
    }
    return grammar.position
  }

  /// Moves to the value of a key. A key that is written with escapes is not found.
  private mutating func enterObject(at key: [UInt8]) -> Bool {
    guard take("{") else { return false }
    repeat {
      skipBlanks()
      let start = position
      guard self.key() else { return false }
      let isKey = bytes[start...].dropFirst().starts(with: key + [UInt8(ascii: "\"")])
      skipBlanks()
      if isKey { return true }
      guard skipValue() else { return false }
    } while take(",")
    return false
  }

  /// Moves to the element of that index.
  private mutating func enterList(at index: Int) -> Bool {
    guard take("[") else { return false }
    skipBlanks()
    for _ in 0..<index {
      guard skipValue(), take(",") else { return false }
      skipBlanks()
    }
    return byte != UInt8(ascii: "]")
  }

  /// Moves behind a value and the blanks after it.
  private mutating func skipValue() -> Bool {
    var depth = 0
    repeat {
      if take("{") || take("[") {
        depth += 1
      } else if take("}") || take("]") {
        depth -= 1
      } else if !take(","), !take(":") {
        guard scalar() else { return false }
      }
      skipBlanks()
    } while depth > 0
    return true
  }
}
