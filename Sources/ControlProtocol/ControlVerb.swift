/// What a client of the control socket can request.
public enum ControlVerb: String, CaseIterable, Hashable, Codable, Sendable {
  /// `ControlRequest.Action.start`.
  case start
  /// `ControlRequest.LaneCommand`: for one workout or all.
  case pause, resume, toggle, next, back, stop, rep
  /// `ControlRequest.Action.signal`.
  case signal
  /// `ControlRequest.Action.value`.
  case value
  /// `ControlRequest.LaneCommand.whereAmI`.
  case whereAmI = "where-am-i"
  /// The actions of these names in `ControlRequest.Action`.
  case volume, status, presets, sessions, history, say, subscribe
}

/// What the clients of a socket may request.
public enum ControlRights: String, Hashable, Codable, Sendable {
  /// Everything: the socket of the people on this machine.
  case control
  /// For surfaces that face a network: starts presets by name alone, takes no path and no workout in the
  /// request, says no text and sets no live value.
  case remote
}

extension ControlRights {
  /// Why a request is not allowed; nil if it is.
  public func refusal(of request: ControlRequest) -> String? {
    guard self == .remote else { return nil }
    switch request.action {
    case .start(let start):
      if start.workout != nil { return "workout: this socket starts presets by name only" }
      if let preset = start.preset, !Self.isName(preset) {
        return "preset: this socket takes the name of a preset, not a path"
      }
      for (option, text) in start.style?.texts ?? [] where !Self.isName(text) {
        return "style.\(option): this socket takes a name, not a path"
      }
    case .presets(let name?, _) where !Self.isName(name):
      return "preset: this socket takes the name of a preset, not a path"
    case .say: return "verb: this socket does not say texts"
    case .value: return "verb: this socket sets no live values"
    default: break
    }
    return nil
  }

  /// False for a text that could be a path.
  static func isName(_ text: String) -> Bool {
    !text.contains("/") && !text.hasPrefix(".") && !text.contains("\0")
  }
}
