import IntervalTimeline
import Presets

/// Writes a workout as a preset or as another program's file.
public struct WorkoutWriter: Sendable {
  /// The formats that are written.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    /// A preset in the general form: `PresetWriter`.
    case yaml
    /// Zwift's `.zwo`.
    case zwo
    /// An ergometer's course in percent of the threshold power.
    case mrc
    /// The same in watts.
    case erg
    /// The text in which intervals.icu writes workouts.
    case intervals
    /// JSON of Just Another Workout Timer.
    case json
  }

  /// The file's text, in UTF-8.
  public let text: String
  /// What the workout has and the file has not, one sentence for each kind of it, without a full stop.
  public var reports: [String] { sentences.map(\.text) }
  package let sentences: [Sentence]

  /// Writes `workout`, which can be laid out as a `Timeline`. Each phase begins and ends when it did, unless
  /// `reports` say that times are rounded or that an open phase has got a length.
  public init(_ workout: Workout, as format: Format) {
    var losses = ConversionWarnings()
    let workout =
      format == .yaml
      ? workout : workout.withoutWhatOthersLack(keepsFacts: format == .zwo, &losses)
    switch format {
    case .yaml: text = PresetWriter.text(of: workout)
    case .zwo: text = ZwiftWriter.text(of: workout, &losses)
    case .mrc: text = CourseWriter.text(of: workout, inWatts: false, &losses)
    case .erg: text = CourseWriter.text(of: workout, inWatts: true, &losses)
    case .intervals: text = IntervalsWriter.text(of: workout, &losses)
    case .json: text = JAWTWriter.text(of: workout, &losses)
    }
    if text.utf8.count > FileBytes.maximumCount {
      losses.note("the file is over 1 MB, and a file that large is not read again")
    }
    if format != .yaml, Self.changesSets(workout, text) {
      losses.note("the sets are different when the file is read again")
    }
    sentences = losses.sentences
  }

  /// True if a reader of the text finds other sets: phases that repeat become sets, and other sets may be lost.
  private static func changesSets(_ workout: Workout, _ text: String) -> Bool {
    guard let read = try? WorkoutFile.parse(Array(text.utf8), file: "workout").workout,
      let (before, after) = try? (Timeline(workout), Timeline(read))
    else { return false }
    return before.entries.map(\.set) != after.entries.map(\.set)
  }
}
