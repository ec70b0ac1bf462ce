import CSQLite

/// Reads flat JSON objects from untrusted files.
///
/// It uses SQLite's JSON functions, because the decoder of Swift 6.0's Foundation crashes on
/// malformed keys and strings.
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

  /// The object's values; nil if the bytes are not an object, or a key is repeated.
  func object(_ bytes: ArraySlice<UInt8>) -> [String: Value]? {
    // SQLite ends a text at a NUL, which no name contains.
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
