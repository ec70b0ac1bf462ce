/// Natural logarithm and exponential: the standard library has none. Good to 1e-9, relative.
enum Logarithm {
  static let ofTwo = 0.693147180559945309
  static let ofTen = 2.302585092994045684

  /// Of a positive finite number.
  static func of(_ value: Double) -> Double {
    // ln m = 2 artanh((m - 1) / (m + 1)), with m near 1.
    var exponent = Double(value.exponent)
    var significand = value.significand
    if significand > 1.4142135623730951 {
      significand /= 2
      exponent += 1
    }
    let z = (significand - 1) / (significand + 1)
    let square = z * z
    var term = z
    var sum = 0.0
    for index in 0..<7 {
      sum += term / Double(2 * index + 1)
      term *= square
    }
    return 2 * sum + exponent * ofTwo
  }

  /// e to a power of at most 700.
  static func inverse(_ power: Double) -> Double {
    guard power > -700 else { return 0 }
    let whole = (power / ofTwo).rounded()
    let rest = power - whole * ofTwo
    var term = 1.0
    var sum = 1.0
    for divisor in 1..<11 {
      term *= rest / Double(divisor)
      sum += term
    }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
  }
}
