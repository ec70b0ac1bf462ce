import TestSupport

/// The presets of these tests: as short as they can be, or so long that only the test ends them.
enum Preset {
  /// Half a second.
  static let tiny = """
    name: Tiny
    blocks:
      - phases:
          - work: 0.5s

    """

  /// The same without a word: its end is not waited for.
  static let quiet = "density: quiet\n" + tiny

  /// The same at two stations, for groups.
  static let quietStations = """
    density: quiet
    name: Class
    blocks:
      - stations: [Rowing, Squats]
        phases: [{work: 0.3s}]

    """

  /// Three seconds, two phases.
  static let short = """
    name: Short
    blocks:
      - phases:
          - prepare: 2s
          - work: 1s

    """

  /// Each of its countdown beeps stands alone.
  static let counted = """
    name: Counted
    density: quiet
    blocks:
      - phases:
          - prepare: 9s

    """

  /// One set, long enough for every word of its completion.
  static let oneSet = """
    name: One set
    sets: 1
    low: 1s
    high: 5s

    """

  /// Never ends by itself.
  static let open = """
    name: Open
    blocks:
      - phases:
          - work: {reps: 5}
            name: Lift
          - rest: {until: next}
            name: Walk
          - work: {reps: 3}
            name: Jump

    """

  /// Two hours, two phases.
  static let long = """
    name: Long
    blocks:
      - phases:
          - work: 1h
            name: Row
          - work: 1h
            name: Run

    """

  /// The shipped presets' names and their paths.
  private static let shippedFiles = Dictionary(
    ((try? ShippedPresets.files()) ?? []).map { file in
      (String((file.split(separator: "/").last ?? "").dropLast(5)), ShippedPresets.path(file))
    }
  ) { first, _ in first }

  /// The names of the shipped presets.
  static let shipped = shippedFiles.keys.sorted()

  static func shippedPath(_ name: String) -> String { shippedFiles[name] ?? name }
}
