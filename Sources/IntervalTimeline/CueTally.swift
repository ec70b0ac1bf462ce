/// What became of a session's cues.
public struct CueTally: Hashable, Codable, Sendable {
  /// Shortened ones included.
  public var played: Int
  public var missed: Int

  public init(played: Int = 0, missed: Int = 0) {
    self.played = played
    self.missed = missed
  }
}
