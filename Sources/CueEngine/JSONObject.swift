import IntervalTimeline

/// A JSON object whose keys keep the order in which they were added, on one line.
package struct JSONObject: Sendable {
  private var fields: [String] = []

  package init() {}

  package mutating func add(_ key: String, _ value: String?) {
    append(key, value.map(Self.quoted))
  }
  package mutating func add(_ key: String, _ value: Int64?) { append(key, value.map { "\($0)" }) }
  package mutating func add(_ key: String, _ value: Int?) { append(key, value.map { "\($0)" }) }
  /// Finite.
  package mutating func add(_ key: String, decimal: Double) { append(key, "\(decimal)") }
  package mutating func add(_ key: String, _ value: Bool) { append(key, "\(value)") }
  /// Seconds, with as many decimals as it takes.
  package mutating func add(_ key: String, seconds: Duration?) {
    append(key, seconds?.secondsText(decimals: 6))
  }
  package mutating func add(_ key: String, _ value: [JSONObject]) {
    append(key, "[\(value.map(\.text).joined(separator: ","))]")
  }

  package mutating func add(_ key: String, _ value: [String]) {
    append(key, "[\(value.map(Self.quoted).joined(separator: ","))]")
  }

  package var text: String { "{\(fields.joined(separator: ","))}" }

  private mutating func append(_ key: String, _ value: String?) {
    fields.append("\(Self.quoted(key)):\(value ?? "null")")
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      // Line separators are legal in JSON but break readers that split on lines; marks of writing
      // direction reverse text on a terminal.
      case _ where !scalar.isSafeOnOneLine:
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
