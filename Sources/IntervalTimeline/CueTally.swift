/// What became of a session's cues.
package struct CueTally: Hashable, Codable, Sendable {
  /// Shortened ones included.
  package var played: Int
  /// Not heard, because their time had passed or the device did not play them.
  package var missed: Int

  /// A tally of these counts, both 0 or more.
  package init(played: Int = 0, missed: Int = 0) {
    self.played = played
    self.missed = missed
  }
}
