/// Selects the form of a word for a number, by the Unicode CLDR rules for whole numbers.
package enum PluralRule: String, CaseIterable, Hashable, Sendable {
  /// A form of a word. Which numbers take it depends on the rule.
  package enum Form: String, CaseIterable, Hashable, Sendable {
    /// The CLDR's category "one", such as 1 in English, and 0 and 1 in French.
    case one
    /// The CLDR's category "few", such as 2 to 4 in Polish.
    case few
    /// The CLDR's category "many", such as 5 in Polish.
    case many
    /// The CLDR's category "other": every number of no other form of the rule, such as those with decimals in Polish.
    case other
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

  /// The forms that a catalogue may contain.
  package var allForms: [Form] { self == .polish ? forms + [.other] : forms }

  /// The form after two numbers: "190 to 210 watts".
  var formOfMany: Form { self == .polish ? .many : .other }

  /// The form of a number with decimals, of the forms that there are.
  func formOfDecimals(from number: Double) -> Form {
    self == .zeroOneOther && number < 2 ? .one : .other
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
