/// A dictionary of bounded size that forgets what has not been used for longest.
///
/// Two generations: a value that is used moves to the young one; when that holds half of the limit, it
/// becomes the old one, and the former old one is forgotten. So the `limit / 2` values used last are always
/// there, and every call takes the same time.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]
  private let half: Int

  /// - Parameter limit: the most values held; 2 at least.
  package init(limit: Int) {
    half = max(1, limit / 2)
  }

  package var count: Int { young.count + old.count }

  /// The value, which counts as used.
  package mutating func value(for key: Key) -> Value? {
    if let value = young[key] { return value }
    guard let value = old[key] else { return nil }
    set(value, for: key)
    return value
  }

  package mutating func set(_ value: Value, for key: Key) {
    old.removeValue(forKey: key)
    if young.updateValue(value, forKey: key) == nil, young.count > half {
      young.removeValue(forKey: key)
      old = young
      young = [key: value]
    }
  }

  package mutating func remove(_ key: Key) {
    young.removeValue(forKey: key)
    old.removeValue(forKey: key)
  }
}
