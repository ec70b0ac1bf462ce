/// The characteristic 2A37. Source: Bluetooth GATT Specification Supplement, Heart Rate Measurement.
struct HeartRateMeasurement: Hashable {
  /// Beats a minute; some straps send 0 without contact (polar-ble-sdk #131, #834).
  let rate: Int
  /// Nil where the strap does not say.
  let hasContact: Bool?
  /// The times between beats since the last packet, the oldest first.
  let intervals: [Duration]

  /// Nil where the rate is not whole.
  init?(_ bytes: [UInt8]) {
    var packet = PacketReader(bytes)
    guard let bits = packet.unsigned(1) else { return nil }
    let flags = PacketFlags(bits: bits)
    guard let rate = packet.unsigned(flags[0] ? 2 : 1) else { return nil }
    self.rate = rate
    hasContact = flags[2] ? flags[1] : nil
    if flags[3] { packet.skip(2) }
    var intervals: [Duration] = []
    while flags[4], let interval = packet.unsigned(2) {
      intervals.append(.seconds(interval) / 1024)
    }
    self.intervals = intervals
  }
}
