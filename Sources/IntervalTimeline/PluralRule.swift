/// Selects the form of a word for a number, by the Unicode CLDR rules for whole numbers.
public enum PluralRule: String, CaseIterable, Hashable, Sendable {
  /// A form of a word. Which numbers take it depends on the rule.
  public enum Form: String, CaseIterable, Hashable, Sendable {
    /// A category of the Unicode CLDR, by its name there.
    case one, few, many, other
  }

  /// English, German, Dutch, Italian, Spanish, European Portuguese: "one" is 1.
  case oneOther = "one-other"
  /// French, Brazilian Portuguese: "one" is 0 and 1.
  case zeroOneOther = "zero-one-other"
  /// Polish: "few" is 2 to 4, 22 to 24 and so on; the rest is "many".
  case polish = "one-few-many"
  /// Languages without plurals.
  case other

  /// The forms that a catalogue must contain.
  package var forms: [Form] {
    switch self {
    case .oneOther, .zeroOneOther: [.one, .other]
    case .polish: [.one, .few, .many]
    case .other: [.other]
    }
  }

  /// True for a form that only one number takes, which may therefore omit the number ("eine
  /// Minute").
  package func isOfOneNumber(_ form: Form) -> Bool {
    form == .one && (self == .oneOther || self == .polish)
  }

  package func form(of number: Int64) -> Form {
    switch self {
    case .oneOther: return number == 1 ? .one : .other
    case .zeroOneOther: return number == 0 || number == 1 ? .one : .other
    case .polish:
      if number == 1 { return .one }
      let isFew = (2...4).contains(number % 10) && !(12...14).contains(number % 100)
      return isFew ? .few : .many
    case .other: return .other
    }
  }
}
