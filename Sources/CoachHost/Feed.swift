import CueEngine
import Synchronization

/// What a host reports.
public indirect enum HostEvent: Sendable {
  /// A lane was added.
  case added(LaneID)
  /// What the engine reports.
  case engine(EngineEvent)
  /// A text that `say` has taken, with the answer `done`, finds no room after all, and is left out.
  case leftOut(MessageLeftOut)
  /// One line for the user; the workouts continue.
  case warning(String)
}

/// A text that will not be said.
public struct MessageLeftOut: Hashable, Sendable {
  /// The name of the workout whose voice it was for.
  public let lane: String
  /// The text as it was sent.
  public let text: String
  /// As in the ledger, such as "no room before what follows".
  public let reason: String

  /// Nil for every other event, and where the sender has had it for an answer.
  init?(_ event: LedgerEvent) {
    guard case .cue(let cue) = event, cue.isMessage, !cue.isAnswered,
      [.dropped, .missed].contains(cue.outcome)
    else { return nil }
    (lane, text, reason) = (cue.lane, cue.text, cue.reason ?? "it could not be said in time")
  }
}

/// Distributes events to a host's subscribers, and remembers what a snapshot needs.
final class Feed: Sendable {
  private struct State {
    var revision: UInt64 = 0
    var device = HostSnapshot.Device.working
    var volume: Float = 1
    /// The latest comes last.
    var warnings: [String] = []
  }

  let subscribers = Subscribers<HostEvent>()
  /// Protects everything; never held while a subscriber is called.
  private let state = Mutex(State())

  private static let maximumWarnings = 4

  /// The part of a snapshot that is not about lanes.
  struct Summary {
    let revision: UInt64
    let device: HostSnapshot.Device
    let volume: Float
    let warnings: [String]
  }

  var summary: Summary {
    state.withLock { state in
      Summary(
        revision: state.revision, device: state.device, volume: state.volume,
        warnings: state.warnings)
    }
  }

  func send(_ event: HostEvent) {
    state.withLock { state in
      state.revision += 1
      switch event {
      case .engine(.deviceLost(let error)): state.device = .lost("\(error.kind)")
      case .engine(.deviceRecovered): state.device = .working
      case .engine(.volumeChanged(let gain)): state.volume = gain
      case .warning(let line):
        state.warnings = (state.warnings + [line]).suffix(Self.maximumWarnings)
      case .added, .engine, .leftOut: break
      }
    }
    subscribers.send(event)
  }
}
