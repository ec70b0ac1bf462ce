/// A value as a message of D-Bus has it.
package indirect enum BusValue: Hashable, Sendable {
  case text(String)
  case path(String)
  case bool(Bool)
  case byte(UInt8)
  case int32(Int32)
  case int64(Int64)
  case uint32(UInt32)
  case double(Double)
  case texts([String])
  case map([String: BusValue])

  /// Its type, as D-Bus writes it.
  package var signature: String {
    switch self {
    case .text: "s"
    case .path: "o"
    case .bool: "b"
    case .byte: "y"
    case .int32: "i"
    case .int64: "x"
    case .uint32: "u"
    case .double: "d"
    case .texts: "as"
    case .map: "a{sv}"
    }
  }
}

extension String {
  /// On one line, without the characters that D-Bus takes in no text.
  package var forBus: String {
    let line = singleLine
    guard line.unicodeScalars.contains(where: \.isNoCharacter) else { return line }
    return String(String.UnicodeScalarView(line.unicodeScalars.filter { !$0.isNoCharacter }))
  }
}

extension Unicode.Scalar {
  fileprivate var isNoCharacter: Bool {
    value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains(value)
  }
}
