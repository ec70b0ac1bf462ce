/// Keeps a large value once for all copies of what contains it: copying it copies a reference, in less code.
package indirect enum Shared<Value> {
  case one(Value)

  package init(_ value: Value) { self = .one(value) }

  package var value: Value {
    switch self {
    case .one(let value): value
    }
  }
}

extension Shared: Equatable where Value: Equatable {}
extension Shared: Hashable where Value: Hashable {}
extension Shared: Sendable where Value: Sendable {}

/// It is coded as the value itself.
extension Shared: Codable where Value: Codable {
  package init(from decoder: any Decoder) throws { self = .one(try Value(from: decoder)) }

  package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
