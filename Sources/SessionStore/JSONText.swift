import FoundationEssentials

/// JSON as UTF-8, read with care.
enum JSONText {
  /// Throws for anything that is not such a value.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: some Collection<UInt8>, with decoder: JSONDecoder = .init()
  ) throws -> Value {
    // Swift 6.0's decoder ends the program where a string is no UTF-8.
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no UTF-8"))
    }
    return try decoder.decode(type, from: Data(bytes))
  }
}
