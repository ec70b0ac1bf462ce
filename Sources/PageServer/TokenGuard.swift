/// Compares tokens, and slows down an address that shows wrong ones. The right one always opens: behind a proxy or in
/// one household others may have the same address.
package struct TokenGuard: Sendable {
  package enum Verdict: Hashable, Sendable {
    case open
    /// The token of those who only look on.
    case viewing
    /// No token, or a wrong one.
    case closed
    /// Wrong, and too many of the address were before it: the next one is answered as such in so many seconds.
    case wait(Int)
  }

  /// Wrong tokens of one address in a row.
  static let patience = 5
  /// One of them is forgotten in so many nanoseconds.
  static let forgetting: Int64 = 10_000_000_000
  /// Addresses remembered.
  static let addresses = 256

  /// When the last wrong token of an address will be forgotten.
  private var clearAt: [PeerAddress: Int64] = [:]

  package init() {}

  /// - Parameters:
  ///   - shown: what the request had; nil for nothing.
  ///   - token: the right one; nil where there is none, and nothing opens.
  ///   - view: that of those who only look on; nil: there is none.
  ///   - now: nanoseconds of any clock that only grows.
  package mutating func check(
    _ shown: String?, against token: String?, view: String? = nil, from peer: PeerAddress,
    at now: Int64
  ) -> Verdict {
    guard let shown else { return .closed }
    if let token, Self.isEqual(shown, token) { return .open }
    if let view, Self.isEqual(shown, view) { return .viewing }
    let peer = peer.household
    let clear = max(clearAt[peer] ?? now, now)
    let most = Int64(Self.patience - 1) * Self.forgetting
    if clear - now > most {
      return .wait(Int((clear - now - most) / 1_000_000_000) + 1)
    }
    if clearAt[peer] == nil, clearAt.count >= Self.addresses {
      clearAt = clearAt.filter { $0.value > now }
      if clearAt.count >= Self.addresses, let mildest = clearAt.min(by: { $0.value < $1.value }) {
        clearAt[mildest.key] = nil
      }
    }
    clearAt[peer] = clear + Self.forgetting
    return .closed
  }

  /// In a time that does not depend on where the two differ.
  static func isEqual(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
