import Presets

/// A data message of a FIT file: the values of some fields.
struct FITMessage {
  struct Field {
    let number: UInt8
    /// The type without its mark of byte order.
    let type: UInt8
    let bytes: ArraySlice<UInt8>
  }

  /// Which kind of message it is, for the whole profile.
  let global: UInt16
  /// Of its first byte in the file.
  let offset: Int
  let isBigEndian: Bool
  let fields: [Field]

  private func field(_ number: UInt8) -> Field? { fields.first { $0.number == number } }

  /// The first value of a field of whole numbers without a sign; nil where the message has none, or the value
  /// that stands for none.
  func number(_ field: UInt8) throws(FileFault) -> UInt32? {
    guard let field = self.field(field) else { return nil }
    guard let size = Self.sizes[field.type] else {
      throw Self.fault(
        offset, "the field \(field.number) of the type \(field.type)",
        expected: "a whole number without a sign")
    }
    let bytes = field.bytes.prefix(size)
    let value = (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0 as UInt32) {
      $0 << 8 | UInt32($1)
    }
    let isAbsent = bytes.allSatisfy { $0 == (Self.zeroIsAbsent.contains(field.type) ? 0 : 0xFF) }
    return isAbsent ? nil : value
  }

  /// A text up to its NUL; nil where there is none.
  func text(_ field: UInt8) throws(FileFault) -> String? {
    guard let field = self.field(field) else { return nil }
    guard field.type == Self.text else {
      throw Self.fault(
        offset, "the field \(field.number) of the type \(field.type)", expected: "a text")
    }
    let bytes = field.bytes.prefix { $0 != 0 }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  static let text: UInt8 = 7

  /// The sizes of the types without a sign: enum, uint8, uint16, uint32, uint8z, uint16z, uint32z, byte.
  private static let sizes: [UInt8: Int] = [0: 1, 2: 1, 4: 2, 6: 4, 10: 1, 11: 2, 12: 4, 13: 1]
  private static let zeroIsAbsent: Set<UInt8> = [10, 11, 12]

  /// The sizes of all types, by their number.
  static let allSizes: [UInt8: Int] = [
    0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 1, 8: 4, 9: 8, 10: 1, 11: 2, 12: 4, 13: 1, 14: 8,
    15: 8, 16: 8,
  ]

  static func fault(_ offset: Int, _ problem: String, expected: String) -> FileFault {
    FileFault(line: nil, "byte \(offset): \(problem)", expected: expected)
  }
}
