import IntervalTimeline
import SensorFormats
import SystemIO
import Testing

@testable import cuecoach_sense

/// What is sent of what sensors say.
@Suite struct ValueSenderTests {
  private let listener: Listener
  private let sender: ValueSender

  init() throws {
    listener = try Listener(lanes: ["anna", "ben"])
    sender = ValueSender([listener.path])
  }

  private func turn(_ what: String, until isTrue: () -> Bool) async throws {
    try await until(what) {
      _ = sender.turn(at: BootInstant(nanoseconds: MachineTime.boot))
      return isTrue()
    }
  }

  private func send(
    _ packets: [[UInt8]], of characteristic: SensorCharacteristic, sensor: Int = 0,
    to workout: String = "anna"
  ) {
    var decoder = SensorDecoder()
    let now = BootInstant(nanoseconds: MachineTime.boot)
    for packet in packets {
      let report = decoder.take(packet, of: characteristic, at: now)
      sender.send(report, of: sensor, to: workout, at: now)
    }
  }

  /// A pace is a time, and of strokes that came at once no more than three are counted.
  @Test func whatARowerSays() async throws {
    try await turn("the workouts are known") { sender.lanes == ["anna", "ben"] }
    // Stroke rate 24, 10 strokes, 120 s; then 20 strokes.
    send([[8, 0, 48, 10, 0, 120, 0], [8, 0, 48, 20, 0, 120, 0]], of: .rower)
    try await turn("all has come") { listener.values.count == 7 }
    let packet: [Listener.Heard] = [
      .init(lane: "anna", name: "stroke-rate", number: 24),
      .init(lane: "anna", name: "pace", seconds: 120),
    ]
    let stroke = Listener.Heard(lane: "anna", name: "rep")
    #expect(listener.values == packet + packet + [stroke, stroke, stroke])
  }

  @Test func twoDecimalsAreSent() async throws {
    try await turn("the workouts are known") { !sender.lanes.isEmpty }
    // 1000/256 m/s.
    send([[0, 232, 3, 90]], of: .running)
    try await turn("it has come") { listener.values.count == 2 }
    #expect(listener.values.map(\.number) == [14.06, 90])
  }

  @Test func ofTwoSensorsTheFirstOfTheListCountsForItsWorkout() async throws {
    try await turn("the workouts are known") { !sender.lanes.isEmpty }
    send([[0, 120]], of: .heartRate, sensor: 0)
    send([[0, 130]], of: .heartRate, sensor: 1)
    send([[0, 140]], of: .heartRate, sensor: 2, to: "ben")
    try await turn("they have come") { listener.values.count >= 2 }
    #expect(listener.values.map(\.number) == [120, 140])
    #expect(listener.values.map(\.lane) == ["anna", "ben"])
  }

  @Test func aWorkoutThatHasEndedGetsNothing() async throws {
    try await turn("the workouts are known") { !sender.lanes.isEmpty }
    listener.tell(.ended, "anna")
    try await turn("it has ended") { sender.lanes == ["ben"] }
    send([[0, 120]], of: .heartRate)
    send([[0, 130]], of: .heartRate, sensor: 1, to: "ben")
    try await turn("the other's has come") { !listener.values.isEmpty }
    #expect(listener.values == [.init(lane: "ben", name: "heart-rate", number: 130)])
  }

  @Test func withoutACoachThereAreNoWorkouts() async throws {
    try await turn("the workouts are known") { !sender.lanes.isEmpty }
    listener.stop()
    try await turn("the coach is gone") { sender.lanes.isEmpty }
  }
}
