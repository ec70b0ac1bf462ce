import CueEngine
import Dispatch
import IntervalTimeline

/// When somebody is to be woken for the next start: the earliest instant of all kinds of them.
struct StartAlarms: Sendable {
  enum Kind {
    case later, repeated
  }

  private let instants: QueueConfined<[Kind: BootInstant]>
  private let ask: @Sendable (BootInstant?) -> Void

  init(_ ask: @escaping @Sendable (BootInstant?) -> Void, on queue: DispatchQueue) {
    instants = QueueConfined([:], to: queue)
    self.ask = ask
  }

  /// - Parameter instant: when the next one of this kind is to be prepared; nil: there is none.
  func set(_ instant: BootInstant?, for kind: Kind) {
    instants.value[kind] = instant
    ask(instants.value.values.min())
  }
}
