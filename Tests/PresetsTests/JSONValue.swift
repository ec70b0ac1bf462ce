@testable import Presets

/// A value of JSON, from JSON or from YAML as an editor reads it.
indirect enum JSONValue: Equatable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// By the core schema of YAML 1.2, in which `1:30` and `on` are texts.
  init(_ node: YamlNode) {
    switch node.content {
    case .map(let entries):
      self = .object(Dictionary(entries.map { ($0.key, JSONValue($0.value)) }) { $1 })
    case .list(let items): self = .array(items.map { JSONValue($0) })
    case .text(let text): self = node.isPlain ? Self.plain(text) : .string(text)
    }
  }

  private static func plain(_ text: String) -> JSONValue {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default:
      let isNumber = text.contains(where: \.isNumber) && text.allSatisfy("+-.eE0123456789".contains)
      return isNumber ? Double(text).map { .number($0) } ?? .string(text) : .string(text)
    }
  }

  subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  var keys: Set<String> {
    if case .object(let object) = self { Set(object.keys) } else { [] }
  }

  var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }
  var string: String? { if case .string(let string) = self { string } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
}
