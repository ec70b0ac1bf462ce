import CoachHost
import CueEngine
import Dispatch
import ForeignWorkouts
import IntervalTimeline

/// Recorded readings, handed to a run when they are due, as a sensor would: a pause does not stop them.
///
/// Everything of it happens on its queue.
final class RecordedSensor: @unchecked Sendable {
  private let readings: RecordedReadings
  private let host: CoachHost
  private let queue = DispatchQueue(label: "cuecoach.readings")
  private let timer: any DispatchSourceTimer
  /// When the record began and for whom; nil until the workout has.
  private var beginning: (origin: BootInstant, lane: LaneID)?
  private var sent = 0

  init(_ readings: RecordedReadings, for host: CoachHost) {
    (self.readings, self.host) = (readings, host)
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.send() }
    timer.activate()
  }

  deinit { timer.cancel() }

  /// The workout's time was zero at `origin`; a later call changes nothing.
  func begin(at origin: BootInstant, in lane: LaneID) {
    queue.async { [self] in
      guard beginning == nil else { return }
      beginning = (origin, lane)
      send()
    }
  }

  /// Sends what is due, and wakes for the next.
  private func send() {
    guard let (origin, lane) = beginning else { return }
    let now = BootClock.now()
    while sent < readings.entries.count {
      let entry = readings.entries[sent]
      let due = origin + entry.time
      guard due <= now else {
        return timer.schedule(deadline: .now() + .nanoseconds(Int((due - now) / .nanoseconds(1))))
      }
      sent += 1
      host.setValue(entry.reading.kind.rawValue, to: LiveValue(entry.reading), in: lane)
    }
  }
}
