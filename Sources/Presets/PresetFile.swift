import IntervalTimeline

/// A workout as a user writes it, in YAML.
///
/// There are two forms. The flat form is a number of sets of a low and a high phase:
///
///     name: PeakRush 12 x 30/30
///     sets: 12
///     first: low          # low | high; low when absent
///     low: 30s
///     high: 30s
///     prepare: 10s        # optional; so are warmup, rest (between sets), cooldown
///
/// The general form lists blocks of phases, each done once or in `sets`:
///
///     name: Norwegian 4 x 4
///     voice: en-gb        # optional, in both forms, as are language, variant, rate, pitch,
///                         # speech-volume, sounds, density and phrases
///     blocks:
///       - sets: 4
///         phases:
///           - high: 4m
///             name: Hard
///           - recovery: 3m
///             last: skip  # not after the last set
///             say: Breathe
///             at: 30s     # or -10s: before the end; a second after the start when absent
///
/// A block with `count: each` is done once, and each of its high and work phases is a set.
///
/// A length is `90`, `90s`, `1m30s`, `1:30`, `2h` or `0.5s`, or open: `{reps: 12}` or
/// `{until: next}`.
public enum PresetFile {
  /// Reads the preset at `path`, a regular file of at most 1 MB. Blocks only on the disk; a pipe or
  /// a device is refused. The result can be laid out as a `Timeline`.
  public static func read(path: String) throws(FileError) -> Workout {
    try parse(FileBytes.contents(ofFile: path, expected: "a preset file"), file: path)
  }

  /// Parses a preset of at most 1 MB of UTF-8; `file` names it in errors. The result can be laid
  /// out as a `Timeline`.
  public static func parse(
    _ bytes: [UInt8], file: String, variant: WorkoutVariant = WorkoutVariant()
  ) throws(FileError) -> Workout {
    try document(bytes, file: file, variant: variant).workout
  }

  /// The name of a preset, which may have mistakes elsewhere; nil where it has none that can be read.
  package static func name(_ bytes: [UInt8]) -> String? {
    guard let root = try? YamlTree.root(of: bytes), let map = YamlMap(root) else { return nil }
    return try? map["name"]?.name()
  }

  /// Like `parse`, with the line of every phase.
  package static func document(
    _ bytes: [UInt8], file: String, variant: WorkoutVariant = WorkoutVariant()
  ) throws(FileError) -> PresetDocument {
    try FileError.naming(file) { () throws(FileFault) in
      guard let root = try YamlTree.root(of: bytes) else {
        throw FileFault(line: 1, "an empty preset", expected: PresetForm.expected)
      }
      return try PresetForm.document(root, variant)
    }
  }
}
