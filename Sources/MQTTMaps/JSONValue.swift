import JSONGrammar

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Any JSON.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue {
  /// The most bytes of a message that are read.
  package static let most = 16 * 1024
  private static let deepest = 16

  /// Nil for what is no JSON in UTF-8, too large or too deep.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.most, Self.isShallow(bytes), JSONGrammar.firstFault(in: bytes) == nil,
      let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    else { return nil }
    self = value
  }

  /// Brackets within texts count too: no real message has so many.
  private static func isShallow(_ bytes: [UInt8]) -> Bool {
    var depth = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: continue
      }
      if depth > deepest { return false }
    }
    return true
  }

  /// What a dotted path leads to, such as "action" or "battery.level"; nil for nothing.
  package func at(_ path: [String]) -> JSONValue? {
    var value = self
    for key in path {
      switch value {
      case .object(let fields):
        guard let next = fields[key] else { return nil }
        value = next
      case .list(let items):
        guard let index = Int(key), items.indices.contains(index) else { return nil }
        value = items[index]
      default: return nil
      }
    }
    return value
  }

  /// The finite number that it is, as a text too. OpenRowingMonitor sends numbers as texts, and "NaN" for none.
  package var reading: Double? {
    switch self {
    case .number(let number): return number.isFinite ? number : nil
    case .text(let text):
      // Double would read words and hexadecimal digits as well.
      guard !text.isEmpty, text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
        let number = Double(text), number.isFinite
      else { return nil }
      return number
    default: return nil
    }
  }

  /// Whether it is what `equals` in a map says: the same text, number, or true and false.
  package func isEqual(to text: String) -> Bool {
    switch self {
    case .text(let own): return !own.isEmpty && own == text
    case .bool(let own): return text == (own ? "true" : "false")
    case .number(let own): return JSONValue.text(text).reading == own
    case .null, .list, .object: return false
    }
  }

  /// With its keys in order.
  package var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { Array($0) } ?? []
  }
}

extension JSONValue: Codable {
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let items = try? value.decode([JSONValue].self) {
      self = .list(items)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .number(let number):
      if let whole = Int64(exactly: number) {
        try value.encode(whole)
      } else {
        try value.encode(number)
      }
    case .text(let text): try value.encode(text)
    case .list(let items): try value.encode(items)
    case .object(let fields): try value.encode(fields)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(integerLiteral number: Int) { self = .number(Double(number)) }
  package init(booleanLiteral bool: Bool) { self = .bool(bool) }
  package init(arrayLiteral items: JSONValue...) { self = .list(items) }
  package init(dictionaryLiteral fields: (String, JSONValue)...) {
    self = .object(Dictionary(fields) { _, last in last })
  }
}
