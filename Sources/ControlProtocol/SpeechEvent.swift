/// What a subscriber that has asked for it reads of the words that are said: a line when they are placed, and the same
/// again where they are withdrawn. It is no change of the coach, and no snapshot has it.
package struct SpeechEvent: Hashable, Codable, Sendable {
  /// As lines of other events have it.
  package private(set) var event = Self.name
  /// Of the coach when it was made; a line of speech does not raise it.
  package var revision: UInt64
  /// When it was made, nanoseconds of CLOCK_BOOTTIME, as the other instants.
  package var at: Int64
  /// The workouts for which it is said; empty where it is only tried.
  package var lanes: [String]
  /// What is said, the numbers of a count among it.
  package var text: String
  /// When it begins to be heard.
  package var from: Int64
  /// When it has been heard.
  package var until: Int64
  /// True where it will not be heard, or not to its end; nil otherwise.
  package var withdrawn: Bool?

  package static let name = "speech"

  package init(
    revision: UInt64, at: Int64, lanes: [String], text: String, from: Int64, until: Int64,
    isWithdrawn: Bool = false
  ) {
    (self.revision, self.at, self.lanes, self.text) = (revision, at, lanes, text)
    (self.from, self.until, withdrawn) = (from, until, isWithdrawn ? true : nil)
  }
}
