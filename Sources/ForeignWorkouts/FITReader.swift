import Presets

/// Reads the messages of a FIT file, by Garmin's protocol: a header, records that define or hold messages, and a
/// checksum.
struct FITReader {
  private struct Definition {
    let global: UInt16
    let isBigEndian: Bool
    let fields: [(number: UInt8, size: Int, type: UInt8)]
    /// The fields of developers, such as the power of a foot pod that the device itself does not know.
    let developerFields: [(key: DeveloperKey, size: Int)]
  }

  /// Identifies a developer's field in a message.
  private struct DeveloperKey: Hashable {
    let developer: UInt8
    let number: UInt8
  }

  /// The field of the profile in whose place a developer's field stands.
  private struct NativeField {
    let global: UInt16
    let number: UInt8
    let type: UInt8
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
  /// Of the developers' fields those that have a counterpart in the profile.
  private var nativeFields: [DeveloperKey: NativeField] = [:]
  /// The newest time of a message so far.
  private var timestamp: UInt32?

  private static let mark = Array(".FIT".utf8)
  private static let fieldDescription: UInt16 = 206

  /// True if the header's mark is there, or what the file has of it: no text begins with these bytes. Of a mark that is
  /// damaged three other signs tell: the sizes of the header and of the data, the protocol, the file's name.
  ///
  /// - Parameters:
  ///   - name: the file's; without one it is no sign.
  ///   - start: where the file begins in `bytes`.
  static func isLike(_ bytes: [UInt8], named name: String = "", from start: Int = 0) -> Bool {
    let bytes = bytes.dropFirst(start)
    let header = Array(bytes.prefix(12))
    let hasSize = [12, 14].contains(header.first)
    guard header.count == 12 else { return hasSize && mark.starts(with: header.dropFirst(8)) }
    let size = (0..<4).reduce(0) { $0 | Int(header[4 + $1]) << (8 * $1) }
    let signs = [
      hasSize, (1...2).contains(header[1] >> 4), name.lowercased().hasSuffix(".fit"),
      [12, 14].contains { $0 + size + 2 == bytes.count },
    ]
    return header[8...].elementsEqual(mark) || signs.count { $0 } >= 3
  }

  /// Checks the header and both checksums.
  ///
  /// - Parameters:
  ///   - start: where the file begins in `bytes`: several may follow each other.
  ///   - salvages: true to read what is whole of a damaged file, such as that of a device whose battery ran out: up to a
  ///     record that cannot be one. Only a header that cannot be read is an error then.
  init(_ bytes: [UInt8], from start: Int = 0, salvages: Bool = false) throws(FileFault) {
    let headerSize = bytes.count > start ? Int(bytes[start]) : 0
    guard headerSize == 12 || headerSize == 14 else {
      throw FITMessage.fault(start, "a header of \(headerSize) bytes", expected: "12 or 14")
    }
    guard bytes.count >= start + headerSize else {
      throw FITMessage.fault(
        bytes.count, "the end of the FIT file", expected: "a header of \(headerSize) bytes")
    }
    guard bytes[start + 1] >> 4 <= 2 else {
      throw FITMessage.fault(
        start + 1, "version \(bytes[start + 1] >> 4) of the protocol", expected: "version 1 or 2")
    }
    let size = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
    self.bytes = bytes
    self.salvages = salvages
    position = start + headerSize
    end = position + size
    guard let fault = checked(from: start) else { return }
    guard salvages else { throw fault }
    damage = fault
    // A device writes the length last: without one the data goes on to the file's end. The checksum is no record.
    let isLength = size > 0 && (end == bytes.count - 2 || Self.isLike(bytes, from: end + 2))
    if !isLength { end = bytes.count }
  }

  /// What is wrong with the header, the length or a checksum; nil where nothing is.
  private func checked(from start: Int) -> FileFault? {
    let header = bytes[start..<start + 12]
    guard header.suffix(4).elementsEqual(Self.mark) else {
      return FITMessage.fault(
        start + 8, "a damaged mark of a FIT file", expected: "the letters .FIT")
    }
    guard end <= bytes.count - 2 else {
      return FITMessage.fault(
        bytes.count, "the end of the FIT file",
        expected: "\(end - position) bytes of data and 2 of checksum")
    }
    if position - start == 14 {
      let stored = UInt16(bytes[start + 12]) | UInt16(bytes[start + 13]) << 8
      // Zero: the program has not computed it.
      guard stored == 0 || stored == FITChecksum.of(header) else {
        return FITMessage.fault(
          start + 12, "a wrong checksum of the header",
          expected: "0x\(String(FITChecksum.of(header), radix: 16))")
      }
    }
    let stored = UInt16(bytes[end]) | UInt16(bytes[end + 1]) << 8
    let computed = FITChecksum.of(bytes[start..<end])
    guard stored == computed else {
      return FITMessage.fault(
        end, "the checksum 0x\(String(stored, radix: 16))",
        expected: "0x\(String(computed, radix: 16)); the file is damaged")
    }
    return nil
  }

  /// Where what follows the file begins, such as another one.
  var following: Int { end + 2 }

  /// True if more follows the file.
  var hasMore: Bool { bytes.count > end + 2 }

  /// The next data message; nil at the end.
  mutating func next() throws(FileFault) -> FITMessage? {
    do throws(FileFault) {
      return try nextMessage()
    } catch {
      guard salvages else { throw error }
      damage = damage ?? error
      position = end
      return nil
    }
  }

  private mutating func nextMessage() throws(FileFault) -> FITMessage? {
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
    let extra = hasExtra ? try take(Int(try take(1)[0]) * 3) : []
    let developerFields = stride(from: 0, to: extra.count, by: 3).map { index in
      (DeveloperKey(developer: extra[index + 2], number: extra[index]), Int(extra[index + 1]))
    }
    return Definition(
      global: isBig ? first << 8 | second : second << 8 | first, isBigEndian: isBig,
      fields: fields, developerFields: developerFields)
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
      let value = try take(field.size)[...]
      fields.append(FITMessage.Field(number: field.number, type: field.type, bytes: value))
    }
    for field in definition.developerFields {
      let value = try take(field.size)[...]
      if let native = nativeFields[field.key], native.global == definition.global {
        fields.append(FITMessage.Field(number: native.number, type: native.type, bytes: value))
      }
    }
    var message = FITMessage(
      global: definition.global, offset: offset, isBigEndian: definition.isBigEndian,
      fields: fields)
    keepNative(message)
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

  /// Keeps what the description of a developer's field says of its counterpart in the profile.
  private mutating func keepNative(_ message: FITMessage) {
    guard message.global == Self.fieldDescription, let developer = message.readable(0),
      let number = message.readable(1), let type = message.readable(2),
      let global = message.readable(14), let native = message.readable(15)
    else { return }
    let key = DeveloperKey(
      developer: UInt8(truncatingIfNeeded: developer), number: UInt8(truncatingIfNeeded: number))
    nativeFields[key] = NativeField(
      global: UInt16(truncatingIfNeeded: global), number: UInt8(truncatingIfNeeded: native),
      type: UInt8(truncatingIfNeeded: type) & 0x1F)
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
