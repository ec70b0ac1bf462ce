import ArgumentParser
import ControlProtocol
import IntervalTimeline

struct CtlValueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "value",
    abstract: "Set a value that texts say, such as {watts}, or that targets refer to.",
    discussion: """
      For example:
        cuecoach ctl value watts 187 --unit watt --for 5
        cuecoach ctl value pace 118.5 --unit seconds
        cuecoach ctl value terrain "a long climb"
        cuecoach ctl value watts
      """)

  @Argument(help: "Its name, as in a text of the preset: \"Hold {watts}\".") var name: String
  @Argument(help: "A number, or a text; without it the value is removed.") var value: String?
  @Option(help: "The number's unit: seconds, or one of \(Self.units).")
  var unit: String?
  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: "Seconds after which it is too old to be said.")
  var seconds: Double?
  @OptionGroup var target: LaneTarget

  private static let units = CountUnit.allCases.map(\.rawValue)
    .joined(separator: ", ")

  func validate() throws { _ = try request() }

  private func request() throws -> ValueRequest {
    var request = ValueRequest(name)
    guard LiveValue.isName(name) else {
      throw ValidationError(
        "the name \"\(name.shownName)\": expected 1 to 40 letters a to z, digits and hyphens, from a "
          + "letter, and no variable of the coach")
    }
    let number = value.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    switch unit {
    case "seconds"?:
      guard let number, (0...86_400).contains(number) else {
        throw ValidationError("seconds: expected a number from 0 to 86400")
      }
      request.seconds = number
    case let name?:
      guard let unit = CountUnit(rawValue: name) else {
        throw ValidationError(
          "the unit \"\(name.shownName)\": expected seconds, or one of \(Self.units)")
      }
      guard let number else { throw ValidationError("a unit: expected a number beside it") }
      (request.number, request.unit) = (number, unit)
    case nil:
      if let number { request.number = number } else { request.text = value }
    }
    if let text = request.text, text.unicodeScalars.count > ControlLimits.text {
      throw ValidationError("a text: expected at most \(ControlLimits.text) characters")
    }
    if let seconds {
      guard seconds >= 0.001, seconds <= 86_400 else {
        throw ValidationError("--for \(seconds): expected 0.001 to 86400 seconds")
      }
      request.validFor = Int64((seconds * 1000).rounded())
    }
    return request
  }

  func run() throws {
    _ = try target.coach.connect().request(.value(try request(), lane: target.lane))
  }
}
