import ArgumentParser
import InstalledFiles
import Presets

/// What a file leaves to the run.
struct VariantOptions: ParsableArguments {
  @OptionGroup var ofAll: CommonVariantOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Begin at this station, from 1.", valueName: "n"))
  var group: Int?

  func validate() throws { try CommonVariantOptions.check(group) }

  /// As of today.
  func variant() -> WorkoutVariant { ofAll.variant(group: group) }
}

/// What several files leave to the run.
struct VariantsOptions: ParsableArguments {
  @OptionGroup var ofAll: CommonVariantOptions
  @Option(
    help: ArgumentHelp(
      "Begin at this station, from 1; with several presets once for each.", valueName: "n"))
  var group: [Int] = []

  func validate() throws { for group in group { try CommonVariantOptions.check(group) } }

  /// Of the file with this index, as of today.
  func variant(_ index: Int) -> WorkoutVariant {
    ofAll.variant(group: group.isEmpty ? nil : group[min(index, group.count - 1)])
  }
}

/// What is the same for one file and for several.
struct CommonVariantOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Draw the surprises from this number instead of the preset's, or the day's.", valueName: "n"))
  var seed: UInt64?
  @Flag(help: "Write out what is repeated in a file of another program, instead of as sets.")
  var flat = false
  @OptionGroup var athlete: AthleteOptions

  static let groups = 1...1000

  static func check(_ group: Int?) throws {
    guard let group, !groups.contains(group) else { return }
    throw ValidationError(
      "--group \(group): expected a number from \(groups.lowerBound) to \(groups.upperBound)")
  }

  func variant(group: Int?) -> WorkoutVariant {
    var variant = WorkoutVariant.today(seed: seed, group: group)
    variant.isFlat = flat
    variant.athlete = athlete.athlete
    return variant
  }
}
