import ArgumentParser
import CueEngine
import ForeignWorkouts
import IntervalTimeline
import Presets

/// Recorded readings in place of sensors: one file for everybody, or one for each.
struct ReadingsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Hear it against recorded readings: a FIT record, or a table of seconds,kind,value; once for everybody, or once \
      for each preset.
      """, valueName: "file"), completion: .file())
  var with: [String] = []

  /// Those of each workout; none without the option.
  ///
  /// - Parameters:
  ///   - count: how many workouts there are.
  ///   - warn: gets a line that says what of a file is damaged.
  func readings(
    of count: Int, warn: (String) -> Void
  ) throws(UserError) -> [RecordedReadings] {
    guard with.count <= 1 || with.count == count else {
      throw .usage("--with: \(with.count) files, expected one for all or \(count)")
    }
    var files: [RecordedReadings] = []
    for path in with { files.append(try RecordedReadings.ofOption(path, warn: warn)) }
    return files.count == 1 ? Array(repeating: files[0], count: count) : files
  }
}

extension ReadingsOptions {
  /// A line for each workout none of whose targets is of a kind that its readings have.
  func unused(_ readings: [RecordedReadings], in timelines: [Timeline]) -> [String] {
    zip(readings, timelines).enumerated().compactMap { index, pair in
      let (readings, timeline) = pair
      var kinds = timeline.workout.sensorUse.kinds
      if timeline.workout.sensorUse.hasHeartRateRests { kinds.insert(.heartRate) }
      let isUsed = readings.entries.contains {
        kinds.contains($0.reading.kind)
          || $0.reading.counterpart.map { kinds.contains($0.kind) } ?? false
      }
      guard !isUsed, !readings.entries.isEmpty else { return nil }
      let missing = timeline.entries.lazy.compactMap(\.phase.missingSetting).first
      return "\(with.count == 1 ? with[0] : with[index]): no reading is of a target of "
        + "\"\(timeline.workout.name)\"".singleLine
        + (missing.map { "; the athlete's \($0) is not known, expected as --\($0)" } ?? "")
    }
  }
}

extension RecordedReadings {
  /// As it comes into a workout of a run, from its start.
  ///
  /// - Parameter lane: nil: all.
  func script(lane: String? = nil) -> [ScriptStep] {
    entries.map {
      .value($0.reading.kind.rawValue, LiveValue($0.reading), at: $0.time, lane: lane)
    }
  }

  /// The file of an option.
  static func ofOption(
    _ path: String, warn: (String) -> Void
  ) throws(UserError) -> RecordedReadings {
    do throws(FileError) {
      let readings = try read(path: path)
      if let damage = readings.damage { warn(damage) }
      return readings
    } catch {
      throw .file(error.description)
    }
  }
}

extension LiveValue {
  /// As it is said by its name: a pace is a time.
  init(_ reading: Reading) {
    self.init(reading.kind == .pace ? .duration(.seconds(reading.value)) : .number(reading.value))
  }
}
