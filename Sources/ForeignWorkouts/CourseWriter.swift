import IntervalTimeline

/// Writes an ergometer's course: `.mrc` in percent, `.erg` in watts.
enum CourseWriter {
  /// The threshold power that the watts are of, where the workout has none.
  private static let usualThreshold = 200.0

  static func text(of workout: Workout, inWatts: Bool, _ losses: inout ConversionWarnings) -> String
  {
    let phases = WrittenPhase.all(of: workout, &losses)
    let threshold = workout.thresholdPower ?? usualThreshold
    if workout.blocks.contains(where: { $0.sets != nil || $0.numbering != nil }) {
      losses.note("sets are written out")
    }
    var header = ["[COURSE HEADER]", "VERSION = 2", "UNITS = ENGLISH"]
    header += ["DESCRIPTION = \(workout.name)", "FILE NAME = \(workout.name)"]
    if inWatts {
      header.append("FTP = \(Int(threshold))")
      if workout.thresholdPower == nil {
        losses.note("its watts are those of an FTP of \(Int(threshold)) W")
      }
    }
    var data: [String] = []
    var texts: [String] = []
    var at = Duration.zero
    for (index, phase) in phases.enumerated() {
      let end = at + phase.length
      if [at, end].contains(where: { $0.wholeMilliseconds % 1000 != 0 }) {
        losses.note("times are rounded to whole seconds")
      }
      let (first, last) = power(of: phase, wattsOf: inWatts ? threshold : nil, &losses)
      noteKind(phase, isFirst: index == 0, isLast: index == phases.count - 1, &losses)
      data += ["\(minutes(at))\t\(first)", "\(minutes(end))\t\(last)"]
      for text in phase.texts {
        texts.append("\((at + text.at).components.seconds)\t\(text.text)\t10")
      }
      if phase.cadence != nil { losses.note("a cadence is not kept") }
      at = end
    }
    header += ["MINUTES \(inWatts ? "WATTS" : "PERCENT")", "[END COURSE HEADER]"]
    var lines = header + ["[COURSE DATA]"] + data + ["[END COURSE DATA]"]
    if !texts.isEmpty { lines += ["[COURSE TEXT]"] + texts + ["[END COURSE TEXT]"] }
    return (lines + [""]).joined(separator: "\r\n")
  }

  private static func power(
    of phase: WrittenPhase, wattsOf threshold: Double?, _ losses: inout ConversionWarnings
  ) -> (String, String) {
    var power = phase.percent.map { $0 * (threshold ?? 100) / 100 }
    if let watts = phase.watts {
      if threshold != nil {
        power = watts
      } else if phase.losesWatts {
        losses.note("a power in watts becomes the usual one of its kind")
      }
    }
    if case .range = power {
      losses.note("a range of power becomes its middle")
      power = .one(power.middle)
    }
    return (Intensity.text(of: power.first), Intensity.text(of: power.last))
  }

  private static func noteKind(
    _ phase: WrittenPhase, isFirst: Bool, isLast: Bool, _ losses: inout ConversionWarnings
  ) {
    let percent = phase.percent
    let read: PhaseKind =
      isFirst && percent.isRamp && percent.first < percent.last
      ? .warmup
      : isLast && percent.isRamp && percent.first > percent.last
        ? .cooldown : PowerZone(percent: percent.middle).kind
    if read != phase.kind { losses.note("the kind of a phase becomes what its power says") }
  }

  /// To hundredths, from the nearest second: that is what such files have.
  private static func minutes(_ time: Duration) -> String {
    let seconds = (time.wholeMilliseconds + 500) / 1000
    let hundredths = (seconds * 100 + 30) / 60
    return "\(hundredths / 100)." + String("\(100 + hundredths % 100)".dropFirst())
  }
}
