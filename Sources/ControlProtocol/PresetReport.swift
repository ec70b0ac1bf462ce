import IntervalTimeline

/// What there is to say of the text of a preset, whether it is one or not.
package struct PresetReport: Hashable, Codable, Sendable {
  /// A mistake, because of which it cannot be started.
  package struct Fault: Hashable, Codable, Sendable {
    /// From 1; nil where it has none.
    package var line: Int?
    /// What is wrong, and what was expected.
    package var message: Sentence

    package init(line: Int?, _ message: Sentence) {
      (self.line, self.message) = (line, message)
    }
  }

  /// A remark; it can be started all the same.
  package struct Note: Hashable, Codable, Sendable {
    /// The index in `outline` of the first phase that it concerns; nil where there is none.
    package var phase: Int?
    /// The line of that phase, or of its text, from 1; nil where there is none.
    package var line: Int?
    package var message: String
    /// Why it is there: a word for surfaces in other languages.
    package var because: String?
    /// What `because` speaks of; nil where it says all.
    package var about: [String]?
    /// How many announcements or phases it concerns; nil where that is unknown.
    package var count: Int?
    /// The workout time of the first of these announcements, in seconds; nil where there is none.
    package var at: Double?

    package init(phase: Int? = nil, line: Int? = nil, _ message: String) {
      (self.phase, self.line, self.message) = (phase, line, message)
    }
  }

  /// Its length, at most; nil where a phase has no longest length.
  package var seconds: Double?
  /// True where something may end it before that.
  package var mayEndEarly: Bool?
  /// The most sets that a block has; nil where no block has any.
  package var sets: Int?
  /// The language in which it is announced, a BCP 47 tag; nil where the text has a mistake.
  package var language: String?
  /// Its phases; nil where they are too many, or come by surprise.
  package var outline: [OutlineSegment]?
  /// The lines of these phases, from 1; nil where `outline` is, and where it has sets instead of phases.
  package var lines: [Int]?
  /// Empty: it can be started.
  package var faults: [Fault] = []
  package var notes: [Note] = []

  /// The most notes that an answer has.
  package static let mostNotes = 100

  package init() {}
}
