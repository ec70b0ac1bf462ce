/// The characteristics 2AD1, 2AD2 and 2ACD: what a fitness machine sends.
///
/// A field is nil where the packet does not have it whole, or says that it is not available. A machine may divide a
/// record into packets. All but one have bit 0 set, and lack the first field. Each is read by itself: the order does
/// not matter, and a lost one takes only its own fields along.
///
/// Source: Bluetooth Fitness Machine Service 1.0 and GATT Specification Supplement, Rower Data, Indoor Bike Data,
/// Treadmill Data.
struct MachineData: Hashable {
  /// Strokes a minute.
  var strokeRate: Double?
  /// Since the machine's workout began; wraps at 65 536.
  var strokes: Int?
  /// Kilometres an hour.
  var speed: Double?
  /// Revolutions a minute.
  var cadence: Double?
  /// Metres.
  var distance: Int?
  /// Seconds for 500 metres; 0 while nobody rows.
  var pace: Int?
  /// As `pace`, since the beginning.
  var meanPace: Int?
  /// Watts; may be negative.
  var power: Int?
  /// As `power`, since the beginning.
  var meanPower: Int?
  /// Kilocalories.
  var energy: Int?
  /// Beats a minute, of a strap that the machine hears; 0 without one.
  var heartRate: Int?
  /// Seconds.
  var elapsed: Int?
  /// Bytes after the last known field.
  var rest = 0

  static func rower(_ bytes: [UInt8]) -> MachineData {
    read(bytes) { data, packet, flags in
      if !flags[0] {
        data.strokeRate = packet.available(1).map { Double($0) / 2 }
        data.strokes = packet.unsigned(2)
      }
      if flags[1] { packet.skip(1) }
      if flags[2] { data.distance = packet.unsigned(3) }
      if flags[3] { data.pace = packet.available(2) }
      if flags[4] { data.meanPace = packet.available(2) }
      if flags[5] { data.power = packet.availableSigned() }
      if flags[6] { data.meanPower = packet.availableSigned() }
      if flags[7] { packet.skip(2) }
      data.readEnd(&packet, flags, from: 8)
    }
  }

  static func bike(_ bytes: [UInt8]) -> MachineData {
    read(bytes) { data, packet, flags in
      if !flags[0] { data.speed = packet.available(2).map { Double($0) / 100 } }
      if flags[1] { packet.skip(2) }
      if flags[2] { data.cadence = packet.available(2).map { Double($0) / 2 } }
      if flags[3] { packet.skip(2) }
      if flags[4] { data.distance = packet.unsigned(3) }
      if flags[5] { packet.skip(2) }
      if flags[6] { data.power = packet.availableSigned() }
      if flags[7] { data.meanPower = packet.availableSigned() }
      data.readEnd(&packet, flags, from: 8)
    }
  }

  /// A pace has another length in another version of the service: what follows one is not read.
  static func treadmill(_ bytes: [UInt8]) -> MachineData {
    read(bytes) { data, packet, flags in
      if !flags[0] { data.speed = packet.available(2).map { Double($0) / 100 } }
      if flags[1] { packet.skip(2) }
      if flags[2] { data.distance = packet.unsigned(3) }
      // The incline with its angle, and the climb.
      packet.skip((flags[3] ? 4 : 0) + (flags[4] ? 4 : 0))
      guard !flags[5], !flags[6] else { return }
      data.readEnd(&packet, flags, from: 7)
    }
  }

  private static func read(
    _ bytes: [UInt8], _ fields: (inout MachineData, inout PacketReader, PacketFlags) -> Void
  ) -> MachineData {
    var packet = PacketReader(bytes)
    var data = MachineData()
    guard let bits = packet.unsigned(2) else { return data }
    fields(&data, &packet, PacketFlags(bits: bits))
    data.rest = packet.count
    return data
  }

  /// The energy, the heart rate, the metabolic equivalent, the elapsed and the remaining time: all machines have them.
  private mutating func readEnd(
    _ packet: inout PacketReader, _ flags: PacketFlags, from bit: Int
  ) {
    if flags[bit] {
      energy = packet.available(2)
      packet.skip(3)
    }
    if flags[bit + 1] { heartRate = packet.available(1) }
    if flags[bit + 2] { packet.skip(1) }
    if flags[bit + 3] { elapsed = packet.unsigned(2) }
    if flags[bit + 4] { packet.skip(2) }
  }
}

extension PacketReader {
  /// Nil also where all bits are set: not available.
  fileprivate mutating func available(_ width: Int) -> Int? {
    unsigned(width).flatMap { $0 == 1 << (8 * width) - 1 ? nil : $0 }
  }

  /// Nil also for the greatest value: not available.
  fileprivate mutating func availableSigned() -> Int? {
    signed().flatMap { $0 == 0x7FFF ? nil : $0 }
  }
}
