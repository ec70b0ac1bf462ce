import Instants
import Targets
import Testing

@testable import SensorFormats

/// Two sensors of one kind.
struct SensorChoiceTests {
  private func counts(_ readings: [(TargetKind, sensor: Int, second: Double)]) -> [Bool] {
    var choice = SensorChoice()
    return readings.map { choice.take($0.0, from: $0.sensor, at: at($0.second)) }
  }

  @Test func theFirstInTheListCountsWhileItIsAlive() {
    let counts = counts([
      (.heartRate, 1, 0), (.heartRate, 0, 1), (.heartRate, 1, 2), (.heartRate, 1, 5.9),
      (.heartRate, 1, 6), (.heartRate, 0, 7), (.heartRate, 1, 8),
    ])
    #expect(counts == [true, true, false, false, true, true, false])
  }

  @Test func eachKindIsChosenByItself() {
    #expect(
      counts([(.heartRate, 0, 0), (.watts, 1, 0), (.heartRate, 1, 0)]) == [true, true, false])
  }
}
