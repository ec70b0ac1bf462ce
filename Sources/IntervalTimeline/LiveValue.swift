/// A value that a trainer provides while a workout runs, such as a sensor's: watts, a pace, a heart rate.
///
/// Texts use it by its name in braces, "{watts}", and say it as it is when they are heard.
public struct LiveValue: Hashable, Sendable {
  /// What is said, before its words are looked up in the lane's catalogue.
  public enum Content: Hashable, Sendable {
    /// A number with one decimal at most, said with its unit in the form that the language wants: "1 watt",
    /// "187 watts", "3.2 kilometres". Nil: the number alone.
    case number(Double, CountUnit? = nil)
    /// Said in hours, minutes and seconds, these to a tenth: "2 minutes 5 seconds", "1 minute 58.5 seconds". Zero or
    /// more.
    case duration(Duration)
    /// Said as it is, on one line. At most `maximumText` characters: `CueEngine.setValue` refuses more.
    case text(String)

    /// The same for an `Int`, such as a count.
    public static func number(_ number: Int, _ unit: CountUnit? = nil) -> Content {
      .number(Double(number), unit)
    }
  }

  /// What is said.
  public var content: Content
  /// The instant from which on it is too old: a wording that uses it is passed over for the next one. Nil:
  /// never.
  public var validUntil: BootInstant?

  /// A value from now on, until `validUntil` or without end. The arguments are taken as they are.
  public init(_ content: Content, validUntil: BootInstant? = nil) {
    self.content = content
    self.validUntil = validUntil
  }

  /// True if `name` can be a live value's: 1 to 40 of a–z, 0–9 and hyphens, from a letter; no variable of
  /// the coach (`Variable`).
  package static func isName(_ name: String) -> Bool {
    // "next" is no signal, and is a variable.
    OpenEnd.isSignal(name) && Variable(rawValue: name) == nil
  }

  /// The most characters of a text: 200.
  package static let maximumText = 200

  private static let maximumNumber = 1e9

  /// What is wrong with it, as one line; nil where nothing is.
  package var misuse: String? {
    switch content {
    case .text(let text) where text.count > Self.maximumText:
      "a text of \(text.count) characters, expected at most \(Self.maximumText)"
    case .number(let number, _) where !(number.magnitude <= Self.maximumNumber):
      "the number \(number), expected at most 1000000000"
    case .text, .number, .duration: nil
    }
  }
}

/// The live values of one lane, by their names.
package struct LiveValues: Hashable, Sendable {
  /// The most values of a lane.
  package static let maximumCount = 100

  private var values: [String: LiveValue] = [:]

  package init() {}

  package subscript(name: String) -> LiveValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  package var count: Int { values.count }
}

extension Workout {
  /// The names of the live values that its own texts say.
  package var values: Set<String> {
    var found: Set<String> = []
    for block in blocks {
      for phase in block.steps.map(\.phase) + [block.between].compactMap({ $0 }) {
        for remark in phase.remarks { found.formUnion(remark.wordings.flatMap(\.values)) }
        if let total = phase.total { found.formUnion(total.values) }
      }
    }
    return found
  }
}
