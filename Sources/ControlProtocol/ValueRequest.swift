import IntervalTimeline

/// A live value for the texts of a workout: one of `number`, `seconds` and `text`, or none of them to remove it.
public struct ValueRequest: Hashable, Sendable {
  /// By which texts say it: "watts" for "{watts}".
  public var name: String
  /// A number with one decimal at most, said with its unit or alone.
  public var number: Double?
  /// Of `number`: the name of a catalogue's unit, such as `watt`.
  public var unit: CountUnit?
  /// A length of time: seconds to a tenth, 0 or more.
  public var seconds: Double?
  /// Said as it is; at most 500 characters.
  public var text: String?
  /// Milliseconds after which it is too old to be said, 1 or more; never when nil.
  public var validFor: Int64?

  /// The arguments are taken as they are; what is decoded is checked.
  public init(
    _ name: String, number: Double? = nil, unit: CountUnit? = nil,
    seconds: Double? = nil,
    text: String? = nil, validFor: Int64? = nil
  ) {
    self.name = name
    self.number = number
    self.unit = unit
    self.seconds = seconds
    self.text = text
    self.validFor = validFor
  }

  /// The content; nil to remove the value.
  package var content: LiveValue.Content? {
    if let number { return .number(number, unit) }
    if let seconds { return .duration(.seconds(seconds)) }
    return text.map { .text($0) }
  }

  /// The longest time of a value, and for which one is valid: a day.
  private static let longest = Duration.seconds(86_400)

  /// - Throws: `ControlError` where a field is wrong.
  func checked() throws -> ValueRequest {
    guard LiveValue.isName(name) else {
      throw ControlError(
        .malformed,
        """
        name: expected 1 to 40 letters a to z, digits and hyphens, from a letter, and no variable of \
        the coach
        """)
    }
    guard [number != nil, seconds != nil, text != nil].count(where: { $0 }) <= 1 else {
      throw ControlError(.malformed, "value: expected one of number, seconds and text")
    }
    guard unit == nil || number != nil else {
      throw ControlError(.malformed, "unit: expected a number beside it")
    }
    if let seconds, !(0...86_400).contains(seconds) {
      throw ControlError(.malformed, "seconds: expected a number from 0 to 86400")
    }
    if let validFor, !(1...Self.longest.components.seconds * 1000).contains(validFor) {
      throw ControlError(
        .malformed, "validFor \(validFor): expected milliseconds, 1 to 86400000")
    }
    guard (text?.unicodeScalars.count ?? 0) <= LiveValue.maximumText else {
      throw ControlError(.malformed, "text: expected at most \(LiveValue.maximumText) characters")
    }
    return self
  }
}
