/// The error that a call ends with; nil for none, and for one of another type.
package func failure<Failure: Error>(
  _ type: Failure.Type, _ body: () throws -> Void
) -> Failure? {
  do {
    try body()
    return nil
  } catch {
    return error as? Failure
  }
}

/// Thrown by a test that finds something else than it expects.
package struct Unexpected: Error {
  package let what: String

  package init(_ what: String) { self.what = what }
}
