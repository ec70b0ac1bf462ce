import ControlProtocol
import IntervalTimeline
import Presets

/// What a press asks of the coach.
package enum ButtonAction: Hashable, Sendable {
  case command(ControlRequest.LaneCommand)
  /// Steps by which the volume changes.
  case volume(Int)
  case signal(String)
  /// Starts a preset by its name.
  case start(String)

  /// Those without a name behind them, as they stand in a map.
  private static let words: [(word: String, action: ButtonAction)] = [
    ("pause", .command(.toggle)), ("next", .command(.next)), ("back", .command(.back)),
    ("where-am-i", .command(.whereAmI)), ("say-time", .command(.sayTime)),
    ("rep", .command(.rep)), ("stop", .command(.stop)),
    ("volume-up", .volume(1)), ("volume-down", .volume(-1)),
  ]

  package static let expected: Sentence =
    "\(words.map(\.word).joined(separator: ", ")), signal NAME or start PRESET"

  /// As it stands in a map, such as "start tabata".
  package var text: String {
    switch self {
    case .signal(let name): "signal \(name)"
    case .start(let preset): "start \(preset)"
    default: Self.words.first { $0.action == self }?.word ?? ""
    }
  }

  /// Nil for a text that says no action.
  package init?(_ text: String) {
    if let known = Self.words.first(where: { $0.word == text }) {
      self = known.action
      return
    }
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let name = String(parts[1].trimmed)
    switch parts[0] {
    case "signal" where OpenEnd.isSignal(name): self = .signal(name)
    // The socket takes no paths.
    case "start" where !name.isEmpty && !name.contains("/") && !name.hasPrefix("."):
      self = .start(name)
    default: return nil
    }
  }

  /// A workout is not ended by what may be a mistake.
  package func isAllowed(for gesture: Gesture) -> Bool {
    self != .command(.stop) || gesture == .long
  }

  /// What is asked of the coach; nil for the volume, which has to be asked for first.
  ///
  /// - Parameter lane: the workout that it is for; nil: all.
  package func request(for lane: String?) -> ControlRequest.Action? {
    switch self {
    case .command(let command): .command(command, lane: lane)
    case .signal(let name): .signal(name, lane: lane)
    case .start(let preset): .start(StartOrder(preset: preset, lane: lane))
    case .volume: nil
    }
  }
}

/// Presses of the volume's buttons. The coach is asked for its volume before each change, so that what others set in the
/// meantime counts.
package struct VolumeSteps: Sendable {
  /// Per cent.
  package static let size = 5
  private var steps = 0

  package init() {}

  /// - Returns: true where the volume is to be asked for now, false where that is under way.
  package mutating func press(_ steps: Int) -> Bool {
    defer { self.steps += steps }
    return self.steps == 0
  }

  /// What is to be set after the answer; nil where nothing changes.
  package mutating func request(after answer: ControlAnswer) -> ControlRequest.Action? {
    defer { steps = 0 }
    guard let volume = answer.volume, steps != 0 else { return nil }
    let next = min(100, max(0, volume + steps * Self.size))
    // Louder ends the silence.
    if answer.muted == true, steps > 0 { return .desk(DeskRequest(.mute(false, volume: next))) }
    return next == volume ? nil : .volume(next)
  }
}
