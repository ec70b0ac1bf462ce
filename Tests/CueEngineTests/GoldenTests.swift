import Foundation
import IntervalTimeline
import TestSupport
import Testing

/// The cue traces in Golden/, one file per case: what plays, when, and its outcome.
///
/// A golden is recorded only if CUECOACH_RECORD_GOLDEN is set. The test then fails, so that
/// recording is never mistaken for passing.
struct GoldenTests {
  static let lengths = [1, 2, 3, 5, 7, 18, 19]

  @Test(arguments: lengths) func everyCueOfAPhaseOfThatLength(_ seconds: Int) throws {
    // The length inside a set, at a set's end, and as a rest.
    let workout = Workout.sets(2, [(.low, seconds), (.rest, seconds), (.high, seconds)])
    try compare(workout, to: "\(seconds)s")
  }

  @Test func theEveryKindOfCue() throws {
    var workout = Workout.sets(2, [(.high, 40), (.recovery, 15)])
    workout.blocks[0].steps[0].phase.name = "Hard"
    workout.blocks[0].steps[1].skippedInLastSet = true
    workout.blocks.insert(Block(steps: [.init(Phase(.prepare, .fixed(.seconds(10))))]), at: 0)
    workout.blocks.append(Block(steps: [.init(Phase(.cooldown, .fixed(.seconds(20))))]))
    try compare(workout, to: "every-kind")
  }

  private func compare(_ workout: Workout, to name: String) throws {
    let run = try TestRun(workout, settings: .init())
    run.play(.seconds(200))
    try Self.compare(run.trace, to: name)
  }

  /// - Parameter name: of the file in Golden/, without its extension.
  static func compare(_ trace: [String], to name: String) throws {
    let trace = trace.joined(separator: "\n") + "\n"
    let file = SourceTree.url("Tests/CueEngineTests/Golden/\(name).txt")
    if ProcessInfo.processInfo.environment["CUECOACH_RECORD_GOLDEN"] != nil {
      try trace.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(name).txt; run again without CUECOACH_RECORD_GOLDEN")
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == trace)
  }
}
