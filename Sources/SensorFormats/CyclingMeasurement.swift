/// The characteristics 2A63 and 2A5B. Source: Bluetooth GATT Specification Supplement, Cycling Power Measurement and
/// CSC Measurement.
///
/// A speed is not read: the wheel's circumference is not known.
struct CyclingMeasurement: Hashable {
  /// Watts; may be negative. Nil of a sensor without power.
  var power: Int?
  /// The crank's counters.
  var crank: CrankCounter.Count?

  /// 2A63. What comes after the crank is not read.
  static func power(_ bytes: [UInt8]) -> CyclingMeasurement {
    var packet = PacketReader(bytes)
    var measurement = CyclingMeasurement()
    guard let bits = packet.unsigned(2) else { return measurement }
    let flags = PacketFlags(bits: bits)
    measurement.power = packet.signed()
    // The balance, the torque, the wheel.
    packet.skip((flags[0] ? 1 : 0) + (flags[2] ? 2 : 0) + (flags[4] ? 6 : 0))
    if flags[5] { measurement.crank = CrankCounter.Count(&packet) }
    return measurement
  }

  /// 2A5B.
  static func speedAndCadence(_ bytes: [UInt8]) -> CyclingMeasurement {
    var packet = PacketReader(bytes)
    var measurement = CyclingMeasurement()
    guard let bits = packet.unsigned(1) else { return measurement }
    let flags = PacketFlags(bits: bits)
    if flags[0] { packet.skip(6) }
    if flags[1] { measurement.crank = CrankCounter.Count(&packet) }
    return measurement
  }
}
