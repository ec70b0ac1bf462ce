import IntervalTimeline
import Presets

/// A file that holds a workout: a preset, or a workout of another program.
///
/// What it is, its contents say, and its name where it ends in `.yaml` or `.yml`: that is always a preset.
/// `Documentation/workout-files.md` says what is read of each format.
public struct WorkoutFile: Sendable {
  /// The formats that are read.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    /// A preset: `PresetFile`.
    case preset
    /// Zwift's `.zwo`.
    case zwift
    /// An ergometer's course: `.erg` or `.mrc`.
    case course
    /// The text in which intervals.icu writes workouts.
    case intervals
    /// JSON of Just Another Workout Timer.
    case jawt
    /// JSON of OpenHIIT.
    case openHIIT
    /// Garmin's FIT.
    case fit
  }

  /// What the file is.
  public let format: Format
  /// Its workout with the lines of its phases.
  package let document: PresetDocument

  /// Can be laid out as a `Timeline`.
  public var workout: Workout { document.workout }
  /// What the file has and the workout has not, or has otherwise, one sentence for each kind of it, without a full
  /// stop.
  public var reports: [String] { document.reports.map(\.text) }

  /// Reads the file at `path`, a regular file of at most 1 MB. Blocks only on the disk; a pipe or a device is
  /// refused.
  ///
  /// - Parameter variant: what the file leaves to the run.
  /// - Throws: `FileError` with the place of the first mistake.
  public static func read(
    path: String, variant: WorkoutVariant = WorkoutVariant()
  ) throws(FileError) -> WorkoutFile {
    try parse(
      FileBytes.contents(ofFile: path, expected: "a preset file"), file: path, variant: variant)
  }

  /// Reads a workout of at most 1 MB; `file` names it in errors, and the workout where the file has no name for
  /// it.
  ///
  /// - Parameter variant: what the file leaves to the run.
  /// - Throws: `FileError` with the place of the first mistake.
  public static func parse(
    _ bytes: [UInt8], file: String, variant: WorkoutVariant = WorkoutVariant()
  ) throws(FileError) -> WorkoutFile {
    guard let source = recognised(bytes, file: file) else {
      return WorkoutFile(
        format: .preset, document: try PresetFile.document(bytes, file: file, variant: variant))
    }
    return try FileError.naming(file) { () throws(FileFault) in
      if let group = variant.group { throw PresetForm.noStations(group, 1) }
      return try foreign(source, file: file, variant)
    }
  }

  /// Another program's file that has been recognised.
  private struct Source {
    let format: Format
    var isLatin1 = false
    let draft: () throws(FileFault) -> WorkoutDraft
  }

  private static func foreign(
    _ source: Source, file: String, _ variant: WorkoutVariant
  ) throws(FileFault) -> WorkoutFile {
    var draft = try source.draft()
    if source.isLatin1 { draft.report("the file is not UTF-8 and is read as Latin-1") }
    let blocks = try draft.blocks(flat: variant.isFlat)
    var workout = Workout(name: draft.shownName(orElse: file), blocks: blocks.map(\.block))
    workout.facts = draft.facts
    if let power = draft.threshold, Athlete.thresholdPowers.contains(Int(power)), workout.saysWatts
    {
      workout.thresholdPower = power.rounded()
    }
    return WorkoutFile(
      format: source.format,
      document: PresetDocument(
        workout: workout.inNumbers(of: variant.athlete), lines: PresetLines(blocks),
        reports: draft.reports + workout.reports(of: variant.athlete)))
  }

  /// Nil for a preset, and for what is no workout at all.
  private static func recognised(_ bytes: [UInt8], file: String) -> Source? {
    let name = file.lowercased()
    guard !name.hasSuffix(".yaml"), !name.hasSuffix(".yml") else { return nil }
    let isOddFIT = name.hasSuffix(".fit") && String(validating: bytes, as: UTF8.self) == nil
    if FITReader.isLike(bytes, named: name) || isOddFIT {
      return Source(format: .fit) { () throws(FileFault) in try FITFile.draft(of: bytes) }
    }
    guard let text = try? FileText(bytes) else { return nil }
    func source(
      _ format: Format, _ draft: @escaping () throws(FileFault) -> WorkoutDraft
    ) -> Source {
      Source(format: format, isLatin1: text.isLatin1, draft: draft)
    }
    let start = text.string.drop(while: \.isWhitespace)
    switch start.first {
    case "<": return source(.zwift) { () throws(FileFault) in try ZwiftFile.draft(of: text.string) }
    case "[" where start.prefix(7).uppercased() == "[COURSE":
      return source(.course) { () throws(FileFault) in try CourseFile.draft(of: text) }
    case "[":
      return source(.openHIIT) { () throws(FileFault) in try OpenHIITFile.draft(of: text.string) }
    case "{":
      // A preset may be a map of YAML in braces; its names need no quotes, and none of them is like these.
      if let jawt = JAWTFile(text.string) { return source(.jawt, jawt.draft) }
    default: break
    }
    guard IntervalsText.isLike(text) else { return nil }
    return source(.intervals) { () throws(FileFault) in try IntervalsText.draft(of: text) }
  }
}

extension WorkoutDraft {
  /// The workout's own name, or that of its file without folder and extension.
  fileprivate mutating func shownName(orElse file: String) -> String {
    if let own = name.flatMap({ fittedName($0) }) { return own }
    let last = file.split(separator: "/").last ?? "workout"
    let stem = last.lastIndex(of: ".").map { last[..<$0] } ?? last
    return fittedName(String(stem)) ?? "Workout"
  }
}
