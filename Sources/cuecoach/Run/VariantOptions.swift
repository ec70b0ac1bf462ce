import ArgumentParser
import InstalledFiles
import WorkoutFiles

/// What a file leaves to the run.
struct VariantOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw the surprises from this number instead of the preset's, or the day's.", valueName: "n"))
  var seed: UInt64?
  @Option(
    help: ArgumentHelp(
      "Begin at this station, from 1; with several presets once for each.", valueName: "n"))
  var group: [Int] = []

  @Flag(help: "Write out what is repeated in a file of another program, instead of as sets.")
  var flat = false

  static let groups = 1...1000

  func validate() throws {
    if let wrong = group.first(where: { !Self.groups.contains($0) }) {
      throw ValidationError(
        "--group \(wrong): expected a number from \(Self.groups.lowerBound) to \(Self.groups.upperBound)"
      )
    }
  }

  /// Of the file with this index, as of today.
  func variant(_ index: Int = 0) -> WorkoutVariant {
    var variant = WorkoutVariant.today(
      seed: seed, group: group.isEmpty ? nil : group[min(index, group.count - 1)])
    variant.isFlat = flat
    return variant
  }
}
