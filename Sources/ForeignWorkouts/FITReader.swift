import Presets

/// Reads the messages of a FIT file, by Garmin's protocol: a header, records that define or hold messages, and a
/// checksum.
struct FITReader {
  private struct Definition {
    let global: UInt16
    let isBigEndian: Bool
    let fields: [(number: UInt8, size: Int, type: UInt8)]
    /// Of the fields of developers, which are skipped.
    let extraSize: Int
  }

  private let bytes: [UInt8]
  private var position: Int
  /// After the last record.
  private var end: Int
  /// Whether damage ends the reading; otherwise it is an error.
  private let salvages: Bool
  /// The first damage that was found; only where the reader salvages.
  private(set) var damage: FileFault?
  /// By the number that records use.
  private var definitions: [UInt8: Definition] = [:]
  /// The newest time of a message so far.
  private var timestamp: UInt32?

  /// True if the header's mark is there, or what the file has of it: no text begins with these bytes.
  static func isLike(_ bytes: [UInt8]) -> Bool {
    guard bytes.count < 12 else { return bytes[8..<12].elementsEqual(".FIT".utf8) }
    return [12, 14].contains(bytes.first) && ".FIT".utf8.starts(with: bytes.dropFirst(8))
  }

  /// Checks the header and both checksums.
  ///
  /// - Parameter salvages: true to read what is whole of a damaged file, such as that of a device whose battery ran out:
  ///   up to a record that cannot be one. Only a header that cannot be read is an error then.
  init(_ bytes: [UInt8], salvages: Bool = false) throws(FileFault) {
    let headerSize = Int(bytes.first ?? 0)
    guard headerSize == 12 || headerSize == 14 else {
      throw FITMessage.fault(0, "a header of \(headerSize) bytes", expected: "12 or 14")
    }
    guard bytes.count >= headerSize else {
      throw FITMessage.fault(
        bytes.count, "the end of the FIT file", expected: "a header of \(headerSize) bytes")
    }
    guard bytes[1] >> 4 <= 2 else {
      throw FITMessage.fault(
        1, "version \(bytes[1] >> 4) of the protocol", expected: "version 1 or 2")
    }
    let size = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
    self.bytes = bytes
    self.salvages = salvages
    position = headerSize
    end = headerSize + size
    guard let fault = checked(headerSize) else { return }
    guard salvages else { throw fault }
    damage = fault
    // A device writes the length last. The checksum is no record.
    end = bytes.count
  }

  /// What is wrong with the length or a checksum; nil where nothing is.
  private func checked(_ headerSize: Int) -> FileFault? {
    guard end <= bytes.count - 2 else {
      return FITMessage.fault(
        bytes.count, "the end of the FIT file",
        expected: "\(end - headerSize) bytes of data and 2 of checksum")
    }
    if headerSize == 14 {
      let stored = UInt16(bytes[12]) | UInt16(bytes[13]) << 8
      // Zero: the program has not computed it.
      guard stored == 0 || stored == FITChecksum.of(bytes[0..<12]) else {
        return FITMessage.fault(
          12, "a wrong checksum of the header",
          expected: "0x\(String(FITChecksum.of(bytes[0..<12]), radix: 16))")
      }
    }
    let stored = UInt16(bytes[end]) | UInt16(bytes[end + 1]) << 8
    let computed = FITChecksum.of(bytes[0..<end])
    guard stored == computed else {
      return FITMessage.fault(
        end, "the checksum 0x\(String(stored, radix: 16))",
        expected: "0x\(String(computed, radix: 16)); the file is damaged")
    }
    return nil
  }

  /// True if more follows the file, such as another one.
  var hasMore: Bool { bytes.count > end + 2 }

  /// The next data message; nil at the end.
  mutating func next() throws(FileFault) -> FITMessage? {
    do throws(FileFault) {
      return try following()
    } catch {
      guard salvages else { throw error }
      damage = damage ?? error
      position = end
      return nil
    }
  }

  private mutating func following() throws(FileFault) -> FITMessage? {
    while position < end {
      let offset = position
      let header = try take(1)[0]
      if header & 0x80 != 0 {
        return try message(of: header >> 5 & 3, at: offset, seconds: header & 0x1F)
      }
      guard header & 0x40 != 0 else { return try message(of: header & 0xF, at: offset) }
      definitions[header & 0xF] = try definition(hasExtra: header & 0x20 != 0, at: offset)
    }
    return nil
  }

  private mutating func definition(
    hasExtra: Bool, at offset: Int
  ) throws(FileFault) -> Definition {
    let head = try take(5)
    guard head[1] <= 1 else {
      throw FITMessage.fault(
        offset, "a definition with the byte order \(head[1])", expected: "0 or 1")
    }
    let isBig = head[1] == 1
    let (first, second) = (UInt16(head[2]), UInt16(head[3]))
    let list = try take(Int(head[4]) * 3)
    // A field that nobody reads may have any type and size.
    let fields = stride(from: 0, to: list.count, by: 3).map { index in
      (number: list[index], size: Int(list[index + 1]), type: list[index + 2] & 0x1F)
    }
    var extraSize = 0
    if hasExtra {
      let count = Int(try take(1)[0])
      let extra = try take(count * 3)
      for index in 0..<count { extraSize += Int(extra[index * 3 + 1]) }
    }
    return Definition(
      global: isBig ? first << 8 | second : second << 8 | first, isBigEndian: isBig,
      fields: fields, extraSize: extraSize)
  }

  /// - Parameter seconds: the last five bits of its time, where its header has them.
  private mutating func message(
    of local: UInt8, at offset: Int, seconds: UInt8? = nil
  ) throws(FileFault) -> FITMessage {
    guard let definition = definitions[local] else {
      throw FITMessage.fault(
        offset, "a message \(local) that is not defined", expected: "its definition before it")
    }
    var fields: [FITMessage.Field] = []
    for field in definition.fields {
      let start = position
      _ = try take(field.size)
      fields.append(
        FITMessage.Field(
          number: field.number, type: field.type, bytes: bytes[start..<position]))
    }
    _ = try take(definition.extraSize)
    var message = FITMessage(
      global: definition.global, offset: offset, isBigEndian: definition.isBigEndian,
      fields: fields)
    if let own = message.readable(FITMessage.timestampField) {
      timestamp = own
    } else if let seconds, let last = timestamp {
      timestamp = last &+ (UInt32(seconds) &- last) & 0x1F
    } else {
      return message
    }
    message.timestamp = timestamp
    return message
  }

  private mutating func take(_ count: Int) throws(FileFault) -> [UInt8] {
    guard count <= end - position else {
      throw FITMessage.fault(
        position, "the end of the data", expected: "\(count) bytes more of a record")
    }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }
}
