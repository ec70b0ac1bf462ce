/// How the readings of a phase stood to its target: what is kept of them where the athlete wants it.
public struct PhaseReadings: Hashable, Codable, Sendable {
  /// The index of the phase, from 0.
  public var phase: Int
  /// What was measured.
  public var kind: TargetKind
  /// For how long the value was known, in whole milliseconds.
  public private(set) var milliseconds: Int64 = 0
  /// For how much of that time it was on target, in whole milliseconds.
  public private(set) var onTarget: Int64 = 0
  /// The sum of value times milliseconds.
  private var sum = 0.0

  /// Nothing has been measured.
  package init(phase: Int, kind: TargetKind) {
    self.phase = phase
    self.kind = kind
  }

  /// The mean value while it was known, in the kind's unit; 0 where it never was.
  public var mean: Double { milliseconds > 0 ? sum / Double(milliseconds) : 0 }

  /// Which part of the time in which the value was known it was on target, 0…1.
  public var share: Double { milliseconds > 0 ? Double(onTarget) / Double(milliseconds) : 0 }

  /// True for figures that readings can have.
  package var isSane: Bool {
    (0..<Timeline.maximumPhaseCount).contains(phase) && (0...Self.longest).contains(milliseconds)
      && (0...milliseconds).contains(onTarget)
      && sum.magnitude <= Self.maxMean * Double(milliseconds)
  }
  /// A hundred days.
  private static let longest: Int64 = 8_640_000_000
  private static let maxMean = 1_000_000.0
  /// As many phases as are kept of a session; those after them are not.
  package static let maxCount = 500

  /// The value was `value` for so long.
  package mutating func add(_ value: Double, for time: Duration, isOnTarget: Bool) {
    let milliseconds = (time.wholeNanoseconds + 500_000) / 1_000_000
    self.milliseconds += milliseconds
    onTarget += isOnTarget ? milliseconds : 0
    sum += value * Double(milliseconds)
  }
}

/// As a text for a database and for exports.
extension PhaseReadings {
  /// "2 watts 240000 220800 203.4; 4 watts …": phase, kind, milliseconds, of them on target, and the mean.
  package static func text(of list: [PhaseReadings]) -> String {
    list.map { readings in
      let mean = (readings.mean * 10).rounded() / 10
      return
        "\(readings.phase) \(readings.kind.rawValue) \(readings.milliseconds) \(readings.onTarget) \(mean)"
    }.joined(separator: "; ")
  }

  /// Nil for a text that is none of `text(of:)`.
  package static func list(_ text: String) -> [PhaseReadings]? {
    var list: [PhaseReadings] = []
    for part in text.split(separator: ";") {
      let fields = part.split(separator: " ")
      guard list.count < maxCount, fields.count == 5, let phase = Int(fields[0]),
        let kind = TargetKind(rawValue: String(fields[1])), let milliseconds = Int64(fields[2]),
        let onTarget = Int64(fields[3]), let mean = Double(fields[4]), mean.isFinite,
        mean.magnitude <= maxMean
      else { return nil }
      var readings = PhaseReadings(phase: phase, kind: kind)
      (readings.milliseconds, readings.onTarget) = (milliseconds, onTarget)
      readings.sum = mean * Double(milliseconds)
      guard readings.isSane else { return nil }
      list.append(readings)
    }
    return list
  }
}
