/// A line that a client reads.
public indirect enum ControlMessage: Hashable, Sendable {
  /// The first line of a connection.
  case greeting(ControlGreeting)
  /// The answer to a request of this client.
  case answer(ControlAnswer)
  /// A change, after `subscribe`.
  case event(ControlEvent)
}

extension ControlMessage: Decodable {
  private enum Kind: String, CodingKey {
    case `protocol`, ok, event
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Kind.self)
    if fields.contains(.ok) {
      self = .answer(try ControlAnswer(from: decoder))
    } else if fields.contains(.event) {
      self = .event(try ControlEvent(from: decoder))
    } else {
      self = .greeting(try ControlGreeting(from: decoder))
    }
  }
}
