import ControlProtocol

/// The outputs between which surfaces choose. Any thread; may wait for the system.
package protocol OutputSelection: Sendable {
  /// As ALSA names them; empty where there is nothing to choose.
  var names: [String] { get }
  /// The one in use; nil for none.
  var current: String? { get }
  /// Plays on another one from now on; workouts go on.
  func select(_ name: String) throws(ControlError)
}

extension (any OutputSelection)? {
  /// Lists the outputs, or plays on another one.
  func obey(_ action: DeskRequest.Action, _ reply: inout ControlAnswer) throws(ControlError) {
    let names = self?.names ?? []
    if case .output(let name) = action {
      guard names.contains(name) else {
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let expected = names.isEmpty ? "this coach has no outputs to choose" : "expected \(list)"
        throw ControlError(.invalid, "output \"\(name.shown(atMost: 40))\": \(expected)")
      }
      try self?.select(name)
    } else {
      reply.outputs = names
    }
    reply.output = self?.current
  }
}
