/// The characteristic 2A53. Source: Bluetooth GATT Specification Supplement, RSC Measurement.
struct RunningMeasurement: Hashable {
  /// Kilometres an hour.
  var speed: Double?
  /// Steps a minute.
  var cadence: Int?

  init(_ bytes: [UInt8]) {
    var packet = PacketReader(bytes)
    // All flags are of fields that are not needed.
    packet.skip(1)
    speed = packet.unsigned(2).map { Double($0) * 3.6 / 256 }
    cadence = packet.unsigned(1)
  }
}
