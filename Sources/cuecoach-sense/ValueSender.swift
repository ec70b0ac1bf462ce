import ControlProtocol
import ControlSocket
import IntervalTimeline
import SensorFormats
import Targets

/// Sends values to the coach, to those workouts alone that run: without one nothing is sent and nothing logged.
final class ValueSender {
  let peer: CoachPeer
  /// The workouts that run.
  private(set) var lanes: Set<String> = []
  /// By workout: which of several sensors counts.
  private var choices: [String: SensorChoice] = [:]
  /// Why the coach is not there, as the log has it already; nil while it is.
  private var absence: String?
  /// The log has that it went; the reason why it cannot be reached then says no more.
  private var isGone = false

  /// A value is said no later than that after its reading.
  private static let validity: Int64 = 5_000

  init(_ paths: [String]) { peer = CoachPeer(paths, subscribes: true) }

  /// Connects where it is time to, reads and writes what can be. Returns a line for the log.
  func turn(at now: BootInstant) -> String? {
    if let reason = peer.connectIfDue(at: now.nanoseconds) {
      defer { (absence, isGone) = (reason, false) }
      return reason == absence || isGone ? nil : "the coach is not there: \(reason); trying again"
    }
    for event in peer.turn(at: now.nanoseconds) {
      switch event {
      case .ended(let reason):
        lanes = []
        isGone = true
        return "the coach is gone: \(reason); trying again"
      case .message(.answer(let answer)):
        if let snapshot = answer.snapshot { lanes = Set(snapshot.lanes.map(\.name)) }
      case .message(.event(let event)):
        guard let lane = event.lane else { break }
        if event.event == .ended { lanes.remove(lane.name) } else { lanes.insert(lane.name) }
      case .message(.greeting): absence = nil
      case .speech: break
      }
    }
    return nil
  }

  /// - Parameter sensor: its place in the list.
  func send(_ report: SensorReport, of sensor: Int, to workout: String, at now: BootInstant) {
    guard lanes.contains(workout) else { return }
    for reading in report.readings {
      guard choices[workout, default: SensorChoice()].take(reading.kind, from: sensor, at: now)
      else {
        continue
      }
      send(reading, to: workout)
    }
    for _ in 0..<min(report.repetitions, 3) {
      peer.request(.command(.rep, lane: workout), sentAt: now.nanoseconds)
    }
  }

  func send(_ reading: Reading, to workout: String?) {
    var value = ValueRequest(reading.kind.rawValue, validFor: Self.validity)
    // A tenth of a kilometre an hour is two seconds a kilometre.
    let number = (reading.value * 100).rounded() / 100
    if reading.kind == .pace { value.seconds = number } else { value.number = number }
    peer.request(.value(value, lane: workout))
  }
}
