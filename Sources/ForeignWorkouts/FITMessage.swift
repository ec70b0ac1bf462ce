import IntervalTimeline
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
  /// Seconds since the last of 1989; nil: it has no time of its own.
  var timestamp: UInt32?

  static let timestampField: UInt8 = 253

  private func field(_ number: UInt8) -> Field? { fields.first { $0.number == number } }

  /// The first value of a field of whole numbers without a sign; nil where the message has none, or the value
  /// that stands for none.
  func number(_ field: UInt8) throws(FileFault) -> UInt32? {
    guard let field = self.field(field) else { return nil }
    guard let size = Self.sizes[field.type], field.bytes.count.isMultiple(of: size) else {
      throw Self.fault(
        offset,
        "the field \(field.number) of \(field.bytes.count) bytes of the type \(field.type)",
        expected: "whole numbers without a sign")
    }
    let bytes = field.bytes.prefix(size)
    let value = (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0 as UInt32) {
      $0 << 8 | UInt32($1)
    }
    let isAbsent = bytes.allSatisfy { $0 == (Self.zeroIsAbsent.contains(field.type) ? 0 : 0xFF) }
    return isAbsent ? nil : value
  }

  /// As `number`; nil also for a field of another type.
  func readable(_ field: UInt8) -> UInt32? { try? number(field) }

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

  static func fault(_ offset: Int, _ problem: Sentence, expected: Sentence) -> FileFault {
    FileFault(line: nil, "byte \(offset): \(problem)", expected: expected)
  }
}
