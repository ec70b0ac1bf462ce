import ForeignWorkouts
import IntervalTimeline
import Testing

/// Sets that are found in phases which a file writes out.
@Suite struct WrittenOutSetsTests {
  /// H is a high minute, h a shorter one, R a recovery, L a low one; W and C warm up and cool down.
  private func outline(_ phases: String, flat: Bool = false) throws -> [String] {
    let steps = phases.map { phase in
      switch phase {
      case "W": "<Warmup Duration=\"60\"/>"
      case "C": "<Cooldown Duration=\"60\"/>"
      case "H": "<SteadyState Duration=\"60\" Power=\"1\"/>"
      case "h": "<SteadyState Duration=\"30\" Power=\"1\"/>"
      case "L": "<SteadyState Duration=\"60\" Power=\"0.7\"/>"
      default: "<SteadyState Duration=\"60\" Power=\"0.5\"/>"
      }
    }
    let text = "<workout_file><workout>\(steps.joined())</workout></workout_file>"
    let blocks = try foreign(text, flat: flat).workout.blocks
    return blocks.map { block in
      let letters = block.steps.map { step -> String in
        let isShort = step.phase.length.duration == .seconds(30)
        let letter =
          switch step.phase.kind {
          case .warmup: "W"
          case .cooldown: "C"
          case .high: isShort ? "h" : "H"
          case .low: "L"
          default: "R"
          }
        return step.skippedInLastSet ? "(\(letter))" : letter
      }
      return (block.sets.map { "\($0)x" } ?? "") + letters.joined()
    }
  }

  @Test(arguments: [
    ("WHRHRHRHRC", ["W", "4xHR", "C"]), ("WHRHRHRHC", ["W", "4xH(R)", "C"]),
    ("HRH", ["2xH(R)"]), ("HHH", ["3xH"]), ("RHRHR", ["R", "2xHR"]),
    ("LHLHL", ["2xLH", "L"]), ("HhRHhRHhR", ["3xHhR"]), ("HhRHh", ["2xHh(R)"]),
    // Intervals are the sets, and not their rounds.
    ("HRHRHRLHRHRHRL", ["3xHR", "L", "3xHR", "L"]), ("HhHRHhHR", ["2xHhHR"]),
    ("WC", ["WC"]), ("LLLL", ["LLLL"]), ("HRhRHC", ["HRhRHC"]), ("WWWW", ["WWWW"]),
  ])
  func patternIsFound(phases: String, blocks: [String]) throws {
    #expect(try outline(phases) == blocks)
    #expect(try outline(phases, flat: true) == [phases])
  }
}
