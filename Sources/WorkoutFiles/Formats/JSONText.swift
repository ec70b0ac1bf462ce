import JSONGrammar

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The JSON of other programs' files.
enum JSONText {
  /// - Parameter expected: what the file should be, for messages.
  static func value<Value: Decodable>(
    _ type: Value.Type, of text: String, expected: String
  ) throws(FileFault) -> Value {
    let bytes = Array(text.utf8)
    if let fault = JSONGrammar.firstFault(in: bytes) {
      let line = 1 + bytes.prefix(fault).count { $0 == UInt8(ascii: "\n") }
      throw FileFault(line: line, "JSON that is not well-formed", expected: expected)
    }
    do {
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw fault(error, expected: expected)
    } catch {
      throw FileFault(line: nil, "JSON that cannot be read", expected: expected)
    }
  }

  /// On lines of its own for each value, the keys in the order of the alphabet.
  static func text(of value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      fatalError("WorkoutFiles: a value of texts and whole numbers is not encoded: \(error)")
    }
  }

  private static func fault(_ error: DecodingError, expected: String) -> FileFault {
    switch error {
    case .typeMismatch(let type, let context):
      return FileFault(
        line: nil, "\(place(context.codingPath)) is no \(name(type))", expected: expected)
    case .valueNotFound(_, let context):
      return FileFault(line: nil, "\(place(context.codingPath)) is null", expected: expected)
    case .keyNotFound(let key, let context):
      return FileFault(
        line: nil, "no \(quoted(key.stringValue)) in \(place(context.codingPath))",
        expected: expected)
    case .dataCorrupted(let context):
      return FileFault(
        line: nil, "\(place(context.codingPath)) has an impossible value", expected: expected)
    @unknown default:
      return FileFault(line: nil, "JSON that cannot be read", expected: expected)
    }
  }

  /// "workouts[0].sets[2]".
  static func place(_ path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + escaped(String(key.stringValue.prefix(40)))
      }
    }
    return text.isEmpty ? "the file" : text
  }

  private static func name(_ type: any Any.Type) -> String {
    switch type {
    case is Double.Type, is Int.Type: "number"
    case is String.Type: "text"
    default: "\(type)".hasPrefix("Array") ? "list" : "object of that kind"
    }
  }
}

/// A number, which some programs write as a text.
struct LooseNumber: Decodable {
  let value: Double

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self), let number = decimal(text.trimmed) {
      value = number
    } else {
      value = try container.decode(Double.self)
    }
  }
}
