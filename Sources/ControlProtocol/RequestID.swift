/// A number or a text, as the client likes.
public enum RequestID: Hashable, Sendable {
  /// Any whole number of 64 bits.
  case number(Int64)
  /// At most 64 characters.
  case text(String)
}

extension RequestID: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let number = try? value.decode(Int64.self) {
      self = .number(number)
      return
    }
    let text = try value.decode(String.self)
    guard text.count <= 64 else { throw ControlError(.malformed, "id: at most 64 characters") }
    self = .text(text)
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    }
  }
}
