import CueSound

// In these tests a bare number is in nanoseconds where a time is expected.

extension BootInstant: ExpressibleByIntegerLiteral {
  public init(integerLiteral nanoseconds: Int64) { self.init(nanoseconds: nanoseconds) }
}

// The standard library has no such literal, and no program imports a test.
// swift-format-ignore: AvoidRetroactiveConformances
extension Duration: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral nanoseconds: Int64) { self = .nanoseconds(nanoseconds) }
}
