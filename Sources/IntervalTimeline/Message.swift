/// A text that a trainer or a person sends while a workout runs, to be said in a lane's voice.
public struct Message: Hashable, Sendable {
  /// Which other words it makes room for. The numbers of a count always come first.
  public enum Priority: String, CaseIterable, Hashable, Codable, Sendable {
    /// It comes after everything that the workout has to say.
    case low
    /// As a text of the workout itself: it comes before "next", "halfway" and times.
    case normal
    /// As the answer to a command: other words make room, unless they have begun or begin within 0.3 s.
    case high
  }

  /// A text begins so long after it was sent at the earliest, and the output's latency.
  package static let minimumDelay = Duration.milliseconds(100)

  /// From the fullest to the shortest, one at least: a message without any is `refused`. One is passed over while
  /// a live value of it is missing or too old (`LiveValue`), or while there is no room for it.
  public var wordings: [Template]
  /// Decides which words are left out where there is no room for all.
  public var priority: Priority
  /// How long after its instant it may begin; left out after that. Zero to 24 h, else it is `refused`.
  public var patience: Duration
  /// What is said of a reading, where it is that: its wordings have the reading's name in place of the number. Not
  /// stored.
  package var coaching: CoachingText?

  /// A text as it is: braces are plain characters. At most 500 characters, else it is `refused`.
  public init(
    _ text: String, priority: Priority = .low, patience: Duration = .seconds(60)
  ) {
    self.init([Template(plain: text)], priority: priority, patience: patience)
  }

  /// Texts with variables and live values.
  ///
  /// - Precondition: `wordings` is not empty. Anything else ends the program with a sentence.
  public init(
    _ wordings: [Template], priority: Priority = .low, patience: Duration = .seconds(60)
  ) {
    // Not a precondition, which says nothing in a release build.
    guard !wordings.isEmpty else { fatalError("a message without a wording") }
    self.wordings = wordings
    self.priority = priority
    self.patience = patience
  }
}

extension Message {
  /// What is said of a reading: at once or not at all, and an alarm with a little patience.
  ///
  /// - Parameter templates: the words of each of its wordings, with the name of the value in braces: this is what a
  ///   ledger keeps.
  package init(coaching text: CoachingText, templates: [String]) {
    self.init(
      templates.map { (try? Template(stored: $0)) ?? Template(plain: $0) },
      priority: text.isAlarm ? .high : .low,
      patience: text.isAlarm ? .seconds(2) : .milliseconds(800))
    coaching = text
  }
}

extension Message: Codable {
  private struct Wording: Codable {
    var text: String
    var isPlain: Bool
  }

  private enum CodingKeys: CodingKey { case wordings, priority, patience }

  /// A plain text is stored as one, as by the versions that knew no other messages.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(text)
      return
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let wordings = try values.decode([Wording].self, forKey: .wordings)
    guard !wordings.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .wordings, in: values, debugDescription: "a message without a wording")
    }
    self.init(
      try wordings.map { $0.isPlain ? Template(plain: $0.text) : try Template(stored: $0.text) },
      priority: try values.decode(Priority.self, forKey: .priority),
      patience: try values.decode(Duration.self, forKey: .patience))
  }

  public func encode(to encoder: any Encoder) throws {
    guard !wordings.isEmpty else {
      throw EncodingError.invalidValue(
        self,
        .init(codingPath: encoder.codingPath, debugDescription: "a message without a wording"))
    }
    if self == Message(text) {
      var value = encoder.singleValueContainer()
      try value.encode(text)
      return
    }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(
      wordings.map { Wording(text: $0.source, isPlain: $0 == Template(plain: $0.source)) },
      forKey: .wordings)
    try values.encode(priority, forKey: .priority)
    try values.encode(patience, forKey: .patience)
  }

  /// Its fullest wording as it is written.
  package var text: String { wordings.first?.source ?? "" }
}
