import IntervalTimeline

/// A `workout_step` of a FIT file.
struct FITStep {
  let offset: Int
  let name: String?
  let notes: String?
  let kind: PhaseKind

  private let message: FITMessage
  private let durationType: UInt32?
  private let durationValue: UInt32?
  private let targetValue: UInt32?

  init(_ message: FITMessage) throws(FileFault) {
    self.message = message
    offset = message.offset
    name = try message.text(0)
    notes = try message.text(8)
    durationType = try message.number(1)
    durationValue = try message.number(2)
    targetValue = try message.number(4)
    kind =
      switch try message.number(7) {
      case 1: .rest
      case 2: .warmup
      case 3: .cooldown
      case 4: .recovery
      case 5: .high
      default: .work
      }
  }

  /// Where the step repeats others: the number of the first one, and how often they are done.
  func repetition() throws(FileFault) -> (first: Int, count: Int)? {
    guard durationType == 6 else { return nil }
    guard let first = durationValue, let count = targetValue,
      (1...UInt32(YamlEntry.maximumCount)).contains(count)
    else {
      throw FITMessage.fault(
        offset, "a repetition of \(targetValue.map { "\($0)" } ?? "no") times",
        expected: "1 to \(YamlEntry.maximumCount) times, from a step before it")
    }
    return (Int(first), Int(count))
  }

  /// A length, a distance that stands for it, and what the length does not say.
  typealias Length = (length: PhaseLength, metres: Double?, label: String?)

  /// Nil for a step that is not done, such as a repetition that the coach does not know.
  func length(report: (String) -> Void) throws(FileFault) -> Length? {
    guard let durationType else {
      throw FITMessage.fault(offset, "a step without duration_type", expected: "how it ends")
    }
    switch durationType {
    // Time, the time of a repetition, and time alone: in milliseconds.
    case 0, 28, 31:
      let seconds = Double(try value("time")) / 1000
      guard seconds > 0, seconds <= 86_400 else {
        throw FITMessage.fault(
          offset, "a time of \(ForeignLength.shown(seconds)) s",
          expected: "above zero, at most 24 h")
      }
      return (.fixed(.milliseconds(Int64((seconds * 1000).rounded()))), nil, nil)
    case 1: return (.open(.untilNext), Double(try value("distance")) / 100, nil)
    case 5: return (.open(.untilNext), nil, nil)
    case 29:
      let reps = try value("repetitions")
      guard (1...UInt32(YamlEntry.maximumCount)).contains(reps) else {
        throw FITMessage.fault(
          offset, "\(reps) repetitions", expected: "1 to \(YamlEntry.maximumCount)")
      }
      return (.open(.reps(Int(reps))), nil, nil)
    case 2, 3:
      let side = durationType == 2 ? "below" : "above"
      report("a step that ends by a heart rate lasts until next")
      return (.open(.untilNext), nil, "until \(side) \(Self.heartRate(try value("heart rate")))")
    case 4:
      report("a step that ends by calories lasts until next")
      return (.open(.untilNext), nil, "\(try value("calories")) calories")
    case 14, 15:
      let side = durationType == 14 ? "below" : "above"
      report("a step that ends by a power lasts until next")
      return (.open(.untilNext), nil, "until \(side) \(Self.power(try value("power")))")
    case 7...13:
      report("a repetition that ends by time, distance, calories, heart rate or power is done once")
      return nil
    default:
      report("a step that ends in a way which the coach does not know lasts until next")
      return (.open(.untilNext), nil, nil)
    }
  }

  private func value(_ what: String) throws(FileFault) -> UInt32 {
    guard let durationValue else {
      throw FITMessage.fault(offset, "a step without its \(what)", expected: "duration_value")
    }
    return durationValue
  }

  /// What to aim at, as a label.
  func target(report: (String) -> Void) throws(FileFault) -> String? {
    let (low, high) = (try message.number(5), try message.number(6))
    let hasZone = targetValue.map { $0 > 0 } ?? false
    if try message.number(19) != nil { report("the second target of a step is not kept") }
    if try message.number(10) != nil { report("the kind of exercise of a step is not kept") }
    let range = low.flatMap { low in high.map { (low, $0) } }
    switch try message.number(3) {
    case nil, 2: return nil
    case 0:
      if hasZone { return "speed zone \(targetValue ?? 0)" }
      // In millimetres a second.
      return range.map { Effort.label(Double($0.0) * 0.0036, Double($0.1) * 0.0036, "km/h") }
    case 1:
      if hasZone { return "heart-rate zone \(targetValue ?? 0)" }
      return range.map { Self.span($0, Self.heartRate) }
    case 3:
      if hasZone { return "cadence zone \(targetValue ?? 0)" }
      return range.map { Effort.label(Double($0.0), Double($0.1), "rpm") }
    case 4:
      if hasZone { return "power zone \(targetValue ?? 0)" }
      return range.map { Self.span($0, Self.power) }
    default:
      report("a target other than speed, heart rate, cadence or power is not kept")
      return nil
    }
  }

  private static func span(_ range: (UInt32, UInt32), _ text: (UInt32) -> String) -> String {
    range.0 == range.1 ? text(range.0) : "\(text(range.0)) to \(text(range.1))"
  }

  /// Up to 100 it is a share of the greatest one.
  private static func heartRate(_ value: UInt32) -> String {
    value <= 100 ? "\(value) % of the greatest heart rate" : "\(value - 100) bpm"
  }

  /// Up to 1000 it is a share of the threshold power.
  private static func power(_ value: UInt32) -> String {
    value <= 1000 ? "\(value) % FTP" : "\(value - 1000) W"
  }
}
