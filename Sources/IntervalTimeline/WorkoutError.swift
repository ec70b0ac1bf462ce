/// Why a workout cannot be laid out as a timeline, and where.
public struct WorkoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Fault: Error, Hashable, Sendable {
    /// No block, a block without a phase, a last set whose phases are all skipped, or a block that
    /// numbers its phases of effort and has none.
    case emptySet
    /// Fewer than one set.
    case setCount(Int)
    /// The sets of the steps of a `marked` block do not go up from 1, one by one.
    case setNumbers
    /// A length that is zero, negative, or finer than a millisecond.
    case length(Duration)
    /// Fewer than one repetition, or more than `Timeline.maximumReps`.
    case reps(Int)
    /// A heart rate that ends no phase.
    case heartRate(Int)
    /// A metronome with a number outside its limits.
    case metronome
    /// A tempo that is heard, with a number outside its limits.
    case tempo
    /// A name that no signal has.
    case signal(String)
    /// An open phase whose shortest length exceeds its longest.
    case bounds(atLeast: Duration, atMost: Duration)
    /// A text of a phase without a wording.
    case emptyRemark
    /// A text of a phase whose place is below zero, or more than 24 h from its end of the phase.
    case remarkPlace(Duration)
    /// More than 24 h of fixed phases in all.
    case tooLong
    /// More than `Timeline.maximumPhaseCount` phases in all.
    case tooManyPhases
  }

  /// What is wrong.
  public let fault: Fault
  /// The number of the block, from 1; nil where it is the whole workout.
  public let block: Int?
  /// The number of the step in the block, from 1; nil where it is the whole block, or its phase between the sets.
  public let step: Int?

  /// - Parameters:
  ///   - block: the block's index, from 0.
  ///   - step: the step's index, from 0.
  init(_ fault: Fault, block: Int? = nil, step: Int? = nil) {
    self.fault = fault
    // A sum of all has no place of its own.
    let isOfAll = fault == .tooLong || fault == .tooManyPhases
    self.block = isOfAll ? nil : block.map { $0 + 1 }
    self.step = isOfAll ? nil : step.map { $0 + 1 }
  }

  /// Where, what is wrong and what was expected, on one line.
  public var description: String {
    let place = [block.map { "block \($0)" }, step.map { "step \($0)" }].compactMap { $0 }
    return place.isEmpty ? "\(fault)" : "\(place.joined(separator: ", ")): \(fault)"
  }
}

extension WorkoutError.Fault: CustomStringConvertible {
  /// What is wrong and what was expected, on one line.
  public var description: String {
    switch self {
    case .emptySet: "a set without a phase, expected one phase at least"
    case .setCount(let sets): "\(sets) sets, expected 1 or more"
    case .setNumbers: "its sets do not go up from 1, one by one and each in one piece"
    case .length(let length): "a length of \(length), expected whole milliseconds above zero"
    case .reps(let reps): "\(reps) repetitions, expected 1 to \(Timeline.maximumReps)"
    case .tempo:
      "a tempo outside its limits, expected four numbers of seconds from 0 to 60, with a part that moves"
    case .metronome:
      "a metronome outside its limits, expected 1 to 240 beats and at most 480 ticks a minute"
    case .heartRate(let limit):
      "a heart rate below \(limit), expected \(OpenEnd.heartRates.lowerBound) to "
        + "\(OpenEnd.heartRates.upperBound)"
    case .signal(let name):
      "\(String(reflecting: String(name.prefix(40)))) as the name of a signal, expected "
        + "1 to 40 of a-z, 0-9 and hyphens, from a letter, and not next"
    case .bounds(let atLeast, let atMost):
      "at least \(atLeast) and at most \(atMost), expected the shorter one first"
    case .emptyRemark: "a text without a wording, expected one wording at least"
    case .remarkPlace(let time): "a text at \(time), expected zero to 24 h"
    case .tooLong: "more than 24 h of fixed phases in all"
    case .tooManyPhases: "more than \(Timeline.maximumPhaseCount) phases in all"
    }
  }
}

extension Phase {
  /// The first value that is not possible.
  var fault: WorkoutError.Fault? {
    if let fault = length.fault { return fault }
    if metronome?.isPermitted == false { return .metronome }
    return glides?.isPermitted == false ? .tempo : nil
  }
}

extension PhaseLength {
  fileprivate var fault: WorkoutError.Fault? {
    var lengths: [Duration] = []
    switch self {
    case .fixed(let fixed): lengths = [fixed]
    case .open(let end, let bounds):
      lengths = [bounds.atLeast, bounds.atMost, bounds.about].compactMap { $0 }
      if case .reps(let reps) = end, !(1...Timeline.maximumReps).contains(reps) {
        return .reps(reps)
      }
      if case .sendOff(let time) = end { lengths.append(time) }
      if case .signal(let name) = end, !OpenEnd.isSignal(name) { return .signal(name) }
      if case .heartRate(let limit) = end, !OpenEnd.heartRates.contains(limit) {
        return .heartRate(limit)
      }
      if let atLeast = bounds.atLeast, let atMost = bounds.atMost, atLeast > atMost {
        return .bounds(atLeast: atLeast, atMost: atMost)
      }
    }
    for length in lengths {
      guard length <= Timeline.maximumLength else { return .tooLong }
      guard length > .zero, length == .milliseconds(length.wholeMilliseconds) else {
        return .length(length)
      }
    }
    return nil
  }
}
