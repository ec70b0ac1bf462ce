import CueSound

// In these tests a bare number is in nanoseconds where a time is expected.

extension SoundInstant: ExpressibleByIntegerLiteral {
  public init(integerLiteral nanoseconds: Int64) { self.init(nanoseconds: nanoseconds) }
}

extension Nanoseconds: ExpressibleByIntegerLiteral {
  public init(integerLiteral nanoseconds: Int64) { self.init(nanoseconds) }
}
