/// Validates by the keywords of JSON Schema (draft 2020-12) that the schema of presets has; any other is a
/// fault, so that none is passed over.
struct JSONSchema {
  let root: JSONValue

  private static let notes: Set = ["$schema", "title", "description", "$defs"]

  /// What is wrong with a value, each with its place; empty if nothing is.
  func faults(_ value: JSONValue) throws -> [String] { try faults(value, root, "") }

  private func faults(
    _ value: JSONValue, _ schema: JSONValue, _ place: String
  ) throws -> [String] {
    if case .bool(let allows) = schema { return allows ? [] : ["\(place): is not allowed"] }
    var faults: [String] = []
    for keyword in schema.keys.subtracting(Self.notes).sorted() {
      let argument = schema[keyword] ?? .null
      switch keyword {
      case "$ref":
        let name = String((argument.string ?? "").dropFirst("#/$defs/".count))
        guard let target = root["$defs"]?[name] else {
          faults.append("\(place): no definition \(name)")
          continue
        }
        faults += try self.faults(value, target, place)
      case "anyOf", "oneOf":
        let all = try (argument.array ?? []).map { try self.faults(value, $0, place) }
        let count = all.count(where: \.isEmpty)
        if count == 0 {
          faults.append("\(place): fits none: \(all.joined().joined(separator: "; "))")
        }
        if keyword == "oneOf", count > 1 { faults.append("\(place): fits \(count)") }
      case "if":
        let branch = try self.faults(value, argument, place).isEmpty ? "then" : "else"
        if let next = schema[branch] { faults += try self.faults(value, next, place) }
      case "then", "else": break
      case "properties", "additionalProperties", "required", "minProperties":
        faults += try object(value, keyword, argument, schema, place)
      case "items", "minItems", "maxItems", "uniqueItems":
        faults += try list(value, keyword, argument, place)
      default:
        if let fault = try scalar(value, keyword, argument) { faults.append("\(place): \(fault)") }
      }
    }
    return faults
  }

  private func object(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ schema: JSONValue,
    _ place: String
  ) throws -> [String] {
    guard case .object(let object) = value else { return [] }
    switch keyword {
    case "properties":
      return try object.keys.sorted().flatMap { key -> [String] in
        guard let own = argument[key], let value = object[key] else { return [] }
        return try faults(value, own, "\(place).\(key)")
      }
    case "additionalProperties":
      let unknown = value.keys.subtracting(schema["properties"]?.keys ?? [])
      return unknown.sorted().map { "\(place).\($0): is no key of the schema" }
    case "required":
      let missing = (argument.array ?? []).compactMap(\.string).filter { object[$0] == nil }
      return missing.map { "\(place): no \($0)" }
    default: return Double(object.count) < argument.number ?? 0 ? ["\(place): too few keys"] : []
    }
  }

  private func list(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ place: String
  ) throws -> [String] {
    guard let items = value.array else { return [] }
    let count = Double(items.count)
    switch keyword {
    case "minItems": return count < argument.number ?? 0 ? ["\(place): too few"] : []
    case "maxItems": return count > argument.number ?? 0 ? ["\(place): too many"] : []
    case "uniqueItems":
      let isTwice = items.indices.contains { items[..<$0].contains(items[$0]) }
      return isTwice ? ["\(place): an item twice"] : []
    default:
      return try items.enumerated().flatMap { index, item in
        try faults(item, argument, "\(place)[\(index)]")
      }
    }
  }

  private func scalar(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue
  ) throws -> String? {
    let limit = argument.number ?? 0
    switch keyword {
    case "type":
      let types = argument.array?.compactMap(\.string) ?? [argument.string ?? ""]
      return types.contains { Self.isA($0, value) } ? nil : "is no \(types)"
    case "const": return value == argument ? nil : "is not \(argument)"
    case "enum": return argument.array?.contains(value) == true ? nil : "is no word of the list"
    case "minimum": return value.number.map { $0 < limit } == true ? "below \(limit)" : nil
    case "maximum": return value.number.map { $0 > limit } == true ? "above \(limit)" : nil
    case "exclusiveMinimum": return value.number.map { $0 <= limit } == true ? "is \(limit)" : nil
    case "minLength", "maxLength":
      guard let count = value.string.map({ Double($0.unicodeScalars.count) }) else { return nil }
      return keyword == "minLength" && count < limit || keyword == "maxLength" && count > limit
        ? "has \(count) characters" : nil
    case "pattern":
      guard let text = value.string, let pattern = argument.string else { return nil }
      return try text.firstMatch(of: Regex(pattern)) == nil ? "\"\(text)\" is not \(pattern)" : nil
    default: return "the test does not know \(keyword)"
    }
  }

  private static func isA(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("number", .number),
      ("boolean", .bool), ("null", .null):
      true
    case ("integer", .number(let number)): number.rounded() == number
    default: false
    }
  }
}
