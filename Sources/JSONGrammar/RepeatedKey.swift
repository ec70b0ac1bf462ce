extension JSONGrammar {
  /// The first key that its object has already, however either of them is written: decoders differ in which of the
  /// two values they take. Nil where there is none.
  ///
  /// - Parameter bytes: of which `firstFault` is nil.
  package static func repeatedKey(in bytes: [UInt8]) -> String? {
    var grammar = JSONGrammar(bytes: bytes)
    // The keys of each open object; nil for a list.
    var open: [Set<String>?] = []
    var isAtKey = false
    while let byte = grammar.byte {
      switch byte {
      case UInt8(ascii: "{"):
        open.append([])
        isAtKey = true
        grammar.position += 1
      case UInt8(ascii: "["):
        open.append(nil)
        isAtKey = false
        grammar.position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = open.popLast()
        isAtKey = false
        grammar.position += 1
      case UInt8(ascii: ","):
        isAtKey = open.last.map { $0 != nil } ?? false
        grammar.position += 1
      case UInt8(ascii: "\""):
        let start = grammar.position + 1
        guard grammar.scalar() else { return nil }
        guard isAtKey else { continue }
        isAtKey = false
        let key = plain(bytes[start..<grammar.position - 1])
        guard open[open.count - 1]?.insert(key).inserted == true else { return key }
      default:
        grammar.position += 1
      }
    }
    return nil
  }

  /// A text without its escapes.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var units: [UInt16] = []
    var rest = String(decoding: bytes, as: UTF8.self).utf16[...]
    while let unit = rest.popFirst() {
      guard unit == UInt16(UInt8(ascii: "\\")), let escape = rest.popFirst() else {
        units.append(unit)
        continue
      }
      switch Unicode.Scalar(escape).map(Character.init) {
      case "u":
        units.append(UInt16(String(decoding: rest.prefix(4), as: UTF16.self), radix: 16) ?? 0)
        rest = rest.dropFirst(4)
      case "b": units.append(8)
      case "f": units.append(12)
      case "n": units.append(10)
      case "r": units.append(13)
      case "t": units.append(9)
      default: units.append(escape)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
