import CSystemd
import DesktopStatus
import Glibc

/// Values into messages, and out of them. The first fault makes what follows do nothing, as libsystemd keeps messages
/// that are not whole from being sent.
enum BusMessage {
  /// - Returns: below zero where the message takes it not.
  static func append(_ value: BusValue, to message: OpaquePointer) -> Int32 {
    switch value {
    case .text(let text): return append(text, "s", to: message)
    case .path(let path): return append(path, "o", to: message)
    case .bool(let bool): return append(Int32(bool ? 1 : 0), "b", to: message)
    case .byte(let byte): return append(byte, "y", to: message)
    case .int32(let number): return append(number, "i", to: message)
    case .int64(let number): return append(number, "x", to: message)
    case .uint32(let number): return append(number, "u", to: message)
    case .double(let number): return append(number, "d", to: message)
    case .texts(let texts):
      return inside(message, "a", "s") {
        texts.reduce(0) { $0 < 0 ? $0 : append($1, "s", to: message) }
      }
    case .map(let fields):
      return inside(message, "a", "{sv}") {
        fields.sorted { $0.key < $1.key }.reduce(0) { result, field in
          guard result >= 0 else { return result }
          return inside(message, "e", "sv") {
            let result = append(field.key, "s", to: message)
            return result < 0 ? result : appendVariant(field.value, to: message)
          }
        }
      }
    }
  }

  static func appendVariant(_ value: BusValue, to message: OpaquePointer) -> Int32 {
    inside(message, "v", value.signature) { append(value, to: message) }
  }

  /// All of them, one after the other.
  static func append(_ values: [BusValue], to message: OpaquePointer) -> Int32 {
    values.reduce(0) { $0 < 0 ? $0 : append($1, to: message) }
  }

  private static func append(
    _ text: String, _ type: Unicode.Scalar, to message: OpaquePointer
  ) -> Int32 {
    text.withCString { cuecoach_message_append(message, CChar(type.value), $0) }
  }

  private static func append<Number: BitwiseCopyable>(
    _ number: Number, _ type: Unicode.Scalar, to message: OpaquePointer
  ) -> Int32 {
    withUnsafePointer(to: number) { cuecoach_message_append(message, CChar(type.value), $0) }
  }

  private static func inside(
    _ message: OpaquePointer, _ type: Unicode.Scalar, _ contents: String, _ body: () -> Int32
  ) -> Int32 {
    var result = cuecoach_message_open(message, CChar(type.value), contents)
    if result >= 0 { result = body() }
    return result < 0 ? result : cuecoach_message_close(message)
  }

  // MARK: Reading

  /// The next text of a message; nil where there is none.
  static func text(_ message: OpaquePointer) -> String? {
    var text: UnsafePointer<CChar>?
    guard cuecoach_message_read(message, CChar(Unicode.Scalar("s").value), &text) > 0, let text
    else { return nil }
    return String(cString: text)
  }

  static func uint32(_ message: OpaquePointer) -> UInt32? {
    var number: UInt32 = 0
    return cuecoach_message_read(message, CChar(Unicode.Scalar("u").value), &number) > 0
      ? number : nil
  }

  /// The next value of any type, where that is a number; nil otherwise.
  static func number(_ message: OpaquePointer) -> BusValue? {
    var number = 0.0
    guard cuecoach_message_enter(message, CChar(Unicode.Scalar("v").value), "d") > 0,
      cuecoach_message_read(message, CChar(Unicode.Scalar("d").value), &number) > 0
    else { return nil }
    return .double(number)
  }

  /// The texts of the next list.
  static func texts(_ message: OpaquePointer) -> [String] {
    guard cuecoach_message_enter(message, CChar(Unicode.Scalar("a").value), "s") > 0 else {
      return []
    }
    var texts: [String] = []
    while texts.count < 64, let text = text(message) { texts.append(text) }
    return texts
  }
}
