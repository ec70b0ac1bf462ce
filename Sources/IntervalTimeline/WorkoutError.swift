/// Why a workout cannot be laid out as a timeline. `block` is the index of the block, from 0.
public enum WorkoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No block, a block without a phase, a last set whose phases are all skipped, or a block that
  /// numbers its phases of effort and has none.
  case emptySet(block: Int)
  /// Fewer than one set.
  case setCount(Int, block: Int)
  /// The sets of the steps of a `marked` block do not go up from 1, one by one.
  case setNumbers(block: Int)
  /// A length that is zero, negative, or finer than a millisecond.
  case length(Duration, block: Int)
  /// Fewer than one repetition, or more than `Timeline.maximumReps`.
  case reps(Int, block: Int)
  /// A name that no signal has.
  case signal(String, block: Int)
  /// An open phase whose shortest length exceeds its longest.
  case bounds(atLeast: Duration, atMost: Duration, block: Int)
  /// A text of a phase without a wording.
  case emptyRemark(block: Int)
  /// A text of a phase whose place is below zero, or more than 24 h from its end of the phase.
  case remarkPlace(Duration, block: Int)
  /// More than 24 h of fixed phases in all.
  case tooLong
  /// More than `Timeline.maximumPhaseCount` phases in all.
  case tooManyPhases

  /// What is wrong and what was expected, on one line.
  public var description: String {
    switch self {
    case .emptySet(let block): "block \(block): a set without a phase, expected one phase at least"
    case .setCount(let sets, let block): "block \(block): \(sets) sets, expected 1 or more"
    case .setNumbers(let block):
      "block \(block): its sets do not go up from 1, one by one and each in one piece"
    case .length(let length, let block):
      "block \(block): a length of \(length), expected whole milliseconds above zero"
    case .reps(let reps, let block):
      "block \(block): \(reps) repetitions, expected 1 to \(Timeline.maximumReps)"
    case .signal(let name, let block):
      "block \(block): \(String(reflecting: String(name.prefix(40)))) as the name of a signal, expected "
        + "1 to 40 of a-z, 0-9 and hyphens, from a letter, and not next"
    case .bounds(let atLeast, let atMost, let block):
      "block \(block): at least \(atLeast) and at most \(atMost), expected the shorter one first"
    case .emptyRemark(let block):
      "block \(block): a text without a wording, expected one wording at least"
    case .remarkPlace(let time, let block):
      "block \(block): a text at \(time), expected zero to 24 h"
    case .tooLong: "more than 24 h of fixed phases in all"
    case .tooManyPhases: "more than \(Timeline.maximumPhaseCount) phases in all"
    }
  }
}
