/// What became of a cue. The raw value is the word in the ledger's line.
public enum CueOutcome: String, Hashable, Sendable {
  /// All of it was played. Where no device was requested, nobody heard it: there is no onset then.
  case played
  /// Nothing of it was heard: its time had passed, or the device did not play it.
  case missed
  /// A command, the workout's end or the engine's took it back, or cut it off while it sounded.
  case withdrawn
  /// It was not said, because its set had been announced, the same announcement was made within
  /// `CueEngine.Settings.duplicateWindow`, or the same question is being answered.
  case duplicate
  /// A shorter wording was heard, or some parts of it were not heard.
  case shortened
  /// There was no room for its words, or they could not be spoken or rendered in time.
  case dropped
  /// Its words are those of another lane at the same instant, said once for both: the other lane's line has their
  /// parts, and the reason names that lane.
  case merged
}
