import Instants
import Targets

/// Reads the packets of one sensor, and keeps what its counters said.
///
/// It outlives a lost connection: counters start over by themselves after a gap. Any bytes may be handed in. Of a
/// packet that is cut, the whole fields are read.
package struct SensorDecoder: Sendable {
  private var powerCrank = CrankCounter()
  private var cyclingCrank = CrankCounter()
  private var strokes = StrokeCounter()

  package init() {}

  /// - Parameter now: when the packet arrived.
  package mutating func take(
    _ bytes: [UInt8], of characteristic: SensorCharacteristic, at now: BootInstant
  ) -> SensorReport {
    var report = SensorReport(at: now)
    switch characteristic {
    case .battery:
      report.battery = bytes.first.flatMap { $0 <= 100 ? Int($0) : nil }
    case .heartRate:
      guard let heart = HeartRateMeasurement(bytes) else { break }
      report.isWithoutContact = heart.rate == 0 || heart.hasContact == false
      if !report.isWithoutContact { report.add(.heartRate, Double(heart.rate)) }
    case .running:
      let running = RunningMeasurement(bytes)
      report.add(.speed, running.speed)
      report.add(.cadence, running.cadence.map { Double($0) })
    case .cyclingPower:
      let cycling = CyclingMeasurement.power(bytes)
      report.add(.watts, cycling.power.map { Double($0) })
      report.add(.cadence, cycling.crank.flatMap { powerCrank.take($0, at: now) })
    case .cycling:
      let cycling = CyclingMeasurement.speedAndCadence(bytes)
      report.add(.cadence, cycling.crank.flatMap { cyclingCrank.take($0, at: now) })
    case .rower: add(MachineData.rower(bytes), to: &report)
    case .bike: add(MachineData.bike(bytes), to: &report)
    case .treadmill: add(MachineData.treadmill(bytes), to: &report)
    }
    return report
  }

  private mutating func add(_ data: MachineData, to report: inout SensorReport) {
    report.add(.strokeRate, data.strokeRate)
    report.add(.pace, data.pace.map { Double($0) })
    report.add(.speed, data.speed)
    report.add(.cadence, data.cadence)
    report.add(.watts, data.power.map { Double($0) })
    report.add(.heartRate, data.heartRate.map { Double($0) })
    report.repetitions = data.strokes.map { strokes.take($0, at: report.instant) } ?? 0
  }
}
