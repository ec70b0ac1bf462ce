import CSQLite

/// Reads flat objects of JSON that anybody may have written.
///
/// By SQLite's functions: the decoder of Swift 6.0's Foundation ends the program where a key or a
/// string is not as it should be.
final class FlatJSON {
  enum Value: Hashable {
    case text(String)
    case int(Int64)
    case other
  }

  private let rows: Database.Statement

  init() throws(StoreError) {
    rows = try Database(path: ":memory:").prepare(
      """
      SELECT key, CASE WHEN type = typeof(atom) THEN type ELSE 'other' END, atom
      FROM json_each(?1) WHERE json_type(?1) = 'object'
      """)
  }

  /// What the object holds; nil where the bytes are none, or a key is there twice.
  func object(_ bytes: ArraySlice<UInt8>) -> [String: Value]? {
    // SQLite cuts a text off at a zero, which no name has.
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\\u0000") else {
      return nil
    }
    rows.reset()
    rows.bind([.text(text)])
    var object: [String: Value] = [:]
    do throws(StoreError) {
      while try rows.step() {
        let value: Value =
          switch rows.text(1) {
          case "text": .text(rows.text(2) ?? "")
          case "integer": .int(rows.int(2))
          default: .other
          }
        guard let key = rows.text(0), object.updateValue(value, forKey: key) == nil else {
          return nil
        }
      }
    } catch {
      return nil
    }
    return object.isEmpty ? nil : object
  }
}
