import IntervalTimeline
import Presets

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
      (1...UInt32(PresetLimits.count)).contains(count)
    else {
      throw FITMessage.fault(
        offset,
        targetValue.map { "a repetition of \($0) times" } ?? "a repetition without a number",
        expected: "1 to \(PresetLimits.count) times, from a step before it")
    }
    return (Int(first), Int(count))
  }

  /// A length, a distance that stands for it, and what the length does not say.
  typealias Length = (length: PhaseLength, metres: Double?, label: String?)

  /// Nil for a step that is not done, such as a repetition that the coach does not know.
  func length(report: (Sentence) -> Void) throws(FileFault) -> Length? {
    guard let durationType else {
      throw FITMessage.fault(offset, "a step without duration_type", expected: "how it ends")
    }
    switch durationType {
    // Time, the time of a repetition, and time alone: in milliseconds.
    case 0, 28, 31:
      let seconds = Double(try value("duration")) / 1000
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
      guard (1...UInt32(PresetLimits.count)).contains(reps) else {
        throw FITMessage.fault(
          offset, "\(reps) repetitions", expected: "1 to \(PresetLimits.count)")
      }
      return (.open(.reps(Int(reps))), nil, nil)
    case 2, 3:
      let side = durationType == 2 ? "below" : "above"
      report("a step that ends by a heart rate lasts until next")
      let end = Self.heartRate(try value("heart rate"))
      return (.open(.untilNext), nil, "until \(side) \(end.text)")
    case 4:
      report("a step that ends by calories lasts until next")
      return (.open(.untilNext), nil, "\(try value("calories")) calories")
    case 14, 15:
      let side = durationType == 14 ? "below" : "above"
      report("a step that ends by a power lasts until next")
      return (.open(.untilNext), nil, "until \(side) \(Self.power(try value("power")).text)")
    case 7...13:
      report("a repetition that ends by time, distance, calories, heart rate or power is done once")
      return nil
    default:
      report("a step that ends in a way which the coach does not know lasts until next")
      return (.open(.untilNext), nil, nil)
    }
  }

  private func value(_ what: Sentence) throws(FileFault) -> UInt32 {
    guard let durationValue else {
      throw FITMessage.fault(offset, "a step without its \(what)", expected: "duration_value")
    }
    return durationValue
  }

  /// What to aim at, as a label.
  func target(report: (Sentence) -> Void) throws(FileFault) -> String? {
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
      return Self.label(range) { Intensity(.kilometresPerHour, .one(Double($0) * 0.0036)) }
    case 1:
      if hasZone { return "heart-rate zone \(targetValue ?? 0)" }
      return Self.label(range, Self.heartRate)
    case 3:
      if hasZone { return "cadence zone \(targetValue ?? 0)" }
      return Self.label(range) { Intensity(.revolutionsPerMinute, .one(Double($0))) }
    case 4:
      if hasZone { return "power zone \(targetValue ?? 0)" }
      return Self.label(range, Self.power)
    default:
      report("a target other than speed, heart rate, cadence or power is not kept")
      return nil
    }
  }

  /// "190 to 210 W": the unit once where it is the same.
  private static func label(
    _ range: (UInt32, UInt32)?, _ target: (UInt32) -> Intensity
  ) -> String? {
    guard let range else { return nil }
    let (low, high) = (target(min(range.0, range.1)), target(max(range.0, range.1)))
    guard case .target(let measure, let first)? = low.parts.first, let last = high[measure] else {
      return "\(low.text) to \(high.text)"
    }
    let isOne = first == last
    return Intensity(measure, isOne ? first : .range(first.first, last.first)).text
  }

  /// Up to 100 it is a share of the greatest one.
  private static func heartRate(_ value: UInt32) -> Intensity {
    value <= 100
      ? Intensity(.maximumHeartRate, .one(Double(value)))
      : Intensity(.beatsPerMinute, .one(Double(value - 100)))
  }

  /// Up to 1000 it is a share of the threshold power.
  private static func power(_ value: UInt32) -> Intensity {
    value <= 1000
      ? Intensity(.thresholdPower, .one(Double(value)))
      : Intensity(.watts, .one(Double(value - 1000)))
  }
}
