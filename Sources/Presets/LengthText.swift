import IntervalTimeline

/// Why a text is not a length.
package enum LengthFault: Error, Hashable {
  case notALength
  case unit(String)
  /// `30s1m`, `1m2m`, or `1.5h30m`.
  case order
  /// A number without a unit next to others: `1m30`.
  case missingUnit
  /// `1:5`, `1:75` or `1:2:3:4`.
  case clock
  case zero, negative, tooFine, tooLong

  /// Goes after the offending text in a message.
  package var problem: Sentence {
    switch self {
    case .notALength: "is not a length"
    case .unit(let unit): "has the unknown unit \(quoted(unit))"
    case .order: "has its units out of order"
    case .missingUnit: "has a number without a unit"
    case .clock: "is not a clock length"
    case .zero: "is zero"
    case .negative: "is negative"
    case .tooFine: "is finer than a millisecond"
    case .tooLong: "is over 24 h"
    }
  }

  package var expected: Sentence {
    switch self {
    case .notALength: LengthText.examples
    case .unit, .missingUnit: "h, m, s or ms after each number, such as 1m30s"
    case .order: "h, then m, s and ms, each at most once, a fraction only in the last"
    case .clock: "two digits from 00 to 59 after each colon, such as 1:30 or 1:02:30"
    case .zero, .negative: "more than zero, such as 30s or 0.5s"
    case .tooFine: "whole milliseconds, such as 0.5s or 250ms"
    case .tooLong: "at most 24h"
    }
  }
}

/// A length as a user writes it: `90`, `90s`, `1m30s`, `1:30`, `1:02:03`, `2h`, `0.5s`, `500ms`.
///
/// A number alone means seconds. Arithmetic is in whole milliseconds and saturates far above 24 h,
/// so no number of digits can overflow.
package struct LengthText {
  static let examples: Sentence = "a length such as 90, 90s, 1m30s, 1:30, 2h or 0.5s"
  static let max = 24 * 3_600_000 as Int64

  private var rest: Substring.UTF8View

  /// Above zero, at most 24 h, in whole milliseconds.
  package static func duration(of text: String) throws(LengthFault) -> Duration {
    let text = text.trimmed
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    var parser = LengthText(rest: isNegative ? text.utf8.dropFirst() : text.utf8)
    let milliseconds = try parser.readMilliseconds()
    guard !isNegative else { throw .negative }
    guard milliseconds > 0 else { throw .zero }
    guard milliseconds <= max else { throw .tooLong }
    return .milliseconds(milliseconds)
  }

  /// A length as a user would write it: `90s` is `1m30s`. Zero is `0s`.
  package static func text(of length: Duration) -> String {
    let milliseconds = length.wholeMilliseconds
    guard milliseconds > 0 else { return "0s" }
    let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
    var text = (hours > 0 ? "\(hours)h" : "") + (minutes > 0 ? "\(minutes)m" : "")
    let rest = Duration.milliseconds(milliseconds % 60_000)
    if rest > .zero { text += "\(rest.secondsText())s" }
    return text
  }

  private mutating func readMilliseconds() throws(LengthFault) -> Int64 {
    rest.contains(UInt8(ascii: ":")) ? try readClock() : try readUnits()
  }

  private mutating func readClock() throws(LengthFault) -> Int64 {
    var seconds = saturated(try readDigits())
    var colons = 0
    while rest.first == UInt8(ascii: ":") {
      rest.removeFirst()
      let field = try readDigits()
      guard field.count == 2, saturated(field) < 60 else { throw .clock }
      seconds = min(seconds * 60 + saturated(field), Self.max)
      colons += 1
    }
    let fraction = try readFraction()
    guard rest.isEmpty else { throw .notALength }
    guard (1...2).contains(colons) else { throw .clock }
    return seconds * 1000 + (try milliseconds(ofFraction: fraction, unit: 1000))
  }

  private mutating func readUnits() throws(LengthFault) -> Int64 {
    var total: Int64 = 0
    var smallest = Int64.max
    repeat {
      let whole = try readDigits()
      let fraction = try readFraction()
      let unit = try readUnit(isFirst: smallest == .max)
      guard unit < smallest, fraction.isEmpty || rest.isEmpty else { throw .order }
      smallest = unit
      total += saturated(whole) * unit
      total += try milliseconds(ofFraction: fraction, unit: unit)
    } while !rest.isEmpty
    return total
  }

  /// The milliseconds of the next unit; a number alone means seconds.
  private mutating func readUnit(isFirst: Bool) throws(LengthFault) -> Int64 {
    let name = rest.prefix { !$0.isDigit && $0 != UInt8(ascii: ".") }
    rest = rest[name.endIndex...]
    switch Substring(name) {
    case "h": return 3_600_000
    case "m": return 60_000
    case "s": return 1000
    case "ms": return 1
    case "" where rest.isEmpty: if isFirst { return 1000 } else { throw .missingUnit }
    default:
      guard !name.isEmpty, name.allSatisfy(\.isLetter) else { throw .notALength }
      throw .unit(String(Substring(name)))
    }
  }

  private mutating func readDigits() throws(LengthFault) -> Substring.UTF8View {
    let digits = rest.prefix(while: \.isDigit)
    guard !digits.isEmpty else { throw .notALength }
    rest = rest[digits.endIndex...]
    return digits
  }

  /// The digits after the point; empty without a point.
  private mutating func readFraction() throws(LengthFault) -> Substring.UTF8View {
    guard rest.first == UInt8(ascii: ".") else { return rest.prefix(0) }
    rest.removeFirst()
    return try readDigits()
  }

  /// The milliseconds of 0.`digits` of a unit of `unit` milliseconds.
  private func milliseconds(
    ofFraction digits: Substring.UTF8View, unit: Int64
  ) throws(LengthFault) -> Int64 {
    var digits = digits
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    // An hour is 2^7 · 3^2 · 5^5 ms, so a longer fraction cannot give whole milliseconds.
    guard digits.count <= 7 else { throw .tooFine }
    let scale = digits.reduce(1 as Int64) { scale, _ in scale * 10 }
    let scaled = saturated(digits) * unit
    guard scaled % scale == 0 else { throw .tooFine }
    return scaled / scale
  }

  /// The number, saturated at more than 24 h in any unit.
  private func saturated(_ digits: Substring.UTF8View) -> Int64 {
    digits.reduce(0) { min($0 * 10 + Int64($1 - UInt8(ascii: "0")), Self.max + 1) }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Without white space at either end.
  package var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...end]
  }
}
