import ControlSocket

/// The error that a call ends with; nil for none, and for one of another kind.
func refusal(_ body: () throws -> Void) -> ControlSocketError? {
  do {
    try body()
    return nil
  } catch {
    return error as? ControlSocketError
  }
}
