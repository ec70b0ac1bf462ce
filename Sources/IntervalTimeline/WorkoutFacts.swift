/// What a workout is and for whom: to be shown and searched for, never said.
public struct WorkoutFacts: Hashable, Codable, Sendable {
  /// What is done in it, and how hard it is.
  public var description: String?
  /// For whom it is.
  public var audience: String?
  /// Who has written it.
  public var author: String?
  /// Where its protocol comes from.
  public var source: String?
  /// Words to find it by, at most 12: each is 1 to 30 of a–z, 0–9 and hyphens.
  public var tags: [String]

  /// The most characters of each text, counted in Unicode scalars.
  package static let maximumText = 500
  package static let maximumTags = 12

  /// Nothing is known unless it is given. Takes the arguments as they are; a preset's file is checked where it is
  /// read.
  public init(
    description: String? = nil, audience: String? = nil, author: String? = nil,
    source: String? = nil, tags: [String] = []
  ) {
    self.description = description
    self.audience = audience
    self.author = author
    self.source = source
    self.tags = tags
  }

  /// True where nothing is known.
  package var isEmpty: Bool { self == WorkoutFacts() }

  /// True if `word` can be a tag.
  package static func isTag(_ word: String) -> Bool {
    (1...30).contains(word.utf8.count)
      && word.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }
}
