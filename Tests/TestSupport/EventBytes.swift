import ButtonMaps

/// The bytes of input events, as the kernel writes them.
package enum EventBytes {
  /// - Parameter stamp: nanoseconds.
  package static func event(type: UInt16, code: UInt16, value: Int32, at stamp: Int64 = 0)
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    func add<Value: FixedWidthInteger>(_ value: Value) {
      withUnsafeBytes(of: value) { bytes += Array($0) }
    }
    add(stamp / 1_000_000_000)
    add(stamp % 1_000_000_000 / 1000)
    add(type)
    add(code)
    add(value)
    return bytes
  }

  package static let report = event(type: 0, code: 0, value: 0)
  package static let dropped = event(type: 0, code: 3, value: 0)

  /// Of a key by its name: 1 down, 0 up, 2 held; and the report after it.
  package static func key(_ name: String, _ value: Int32, at stamp: Int64 = 0) -> [UInt8] {
    event(type: 1, code: KeyName.code(of: name)!, value: value, at: stamp) + report
  }
}
