import ControlProtocol
import IntervalTimeline
import Synchronization

@testable import CoachService

/// Starts that repeat, kept on a test's disk; a history that says what it was asked.
struct KeptSchedules: CoachRecords {
  let disk: StartDisk

  func obey(
    _ action: DeskRequest.Action, _ reply: inout ControlAnswer
  ) throws(ControlError) {
    reply.notes = ["\(action)"]
  }

  func schedules() throws(ControlError) -> [RepeatedStart] {
    try disk.write { _ in }
    return disk.state.withLock { $0.schedules }
  }

  func keep(_ schedules: [RepeatedStart]) throws(ControlError) {
    try disk.write { $0.schedules = schedules }
  }

  func rename(_ preset: String, to name: String) throws(ControlError) {
    try disk.write { $0.renamed.append("\(preset) \(name)") }
  }

  func miss(_ order: ScheduleOrder, at instant: Int64) throws(ControlError) {
    try disk.write { $0.missedAt.append(instant) }
  }
}

/// Two outputs, of which one can be chosen.
final class ListedOutputs: OutputSelection {
  /// Protects the one in use.
  private let device = Mutex<String?>("default")

  let names = ["default", "hw:1,0"]
  var current: String? { device.withLock { $0 } }
  func select(_ name: String) throws(ControlError) { device.withLock { $0 = name } }
}
