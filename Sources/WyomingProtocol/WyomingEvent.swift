#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An event of the Wyoming protocol: a line of JSON, more JSON and bytes, the last two only where the line says how many
/// there are.
package struct WyomingEvent: Sendable {
  /// Such as "audio-chunk".
  package let type: String
  /// What belongs to it, as JSON: within its line, and behind it. What stands behind counts.
  private let inner: [UInt8]
  private let outer: [UInt8]

  /// What `type` is made of; nil where it is not there.
  package func data<Value: Decodable>(_ type: Value.Type) -> Value? {
    if !outer.isEmpty { return try? JSONDecoder().decode(type, from: Data(outer)) }
    return try? JSONDecoder().decode(Line<Value>.self, from: Data(inner)).data
  }

  init(type: String, inner: [UInt8], outer: [UInt8]) {
    (self.type, self.inner, self.outer) = (type, inner, outer)
  }

  /// The bytes of an event with data and a payload.
  package static func bytes(
    _ type: String, _ data: (some Encodable)?, payload: [UInt8] = []
  ) -> [UInt8] {
    let outer = data.flatMap { try? JSONEncoder().encode($0) } ?? Data()
    let head = Head(
      type: type, dataLength: outer.isEmpty ? nil : outer.count,
      payloadLength: payload.isEmpty ? nil : payload.count)
    let line = (try? JSONEncoder().encode(head)) ?? Data()
    return Array(line) + [UInt8(ascii: "\n")] + Array(outer) + payload
  }

  /// What stands in a line.
  struct Head: Codable {
    let type: String
    let dataLength: Int?
    let payloadLength: Int?

    enum CodingKeys: String, CodingKey {
      case type
      case dataLength = "data_length"
      case payloadLength = "payload_length"
    }
  }

  private struct Line<Value: Decodable>: Decodable { let data: Value? }
}
