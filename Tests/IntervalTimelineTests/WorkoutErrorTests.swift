import Foundation
import IntervalTimeline
import Testing

/// An embedder prints an error as it is.
@Suite struct WorkoutErrorTests {
  private func error(_ steps: [Block.Step], sets: Int? = 1) -> String {
    do {
      _ = try Timeline(Workout(name: "Rows", blocks: [Block(sets: sets, steps: steps)]))
      return "none"
    } catch {
      return "\(error)"
    }
  }

  private func open(_ end: OpenEnd, _ bounds: OpenBounds = OpenBounds()) -> [Block.Step] {
    [Block.Step(Phase(.work, .open(end, bounds)))]
  }

  @Test func eachSaysWhatIsWrongAndWhatWasExpected() {
    let row = Block.Step(Phase(.work, .fixed(.seconds(20))))
    #expect(error([]) == "block 1: a set without a phase, expected one phase at least")
    #expect(error([row], sets: 0) == "block 1: 0 sets, expected 1 or more")
    #expect(
      error([Block.Step(Phase(.work, .fixed(.zero)))])
        == "block 1, step 1: a length of 0.0 seconds, expected whole milliseconds above zero")
    #expect(error(open(.reps(-1))) == "block 1, step 1: -1 repetitions, expected 1 to 10000")
    #expect(error(open(.reps(10_001))) == "block 1, step 1: 10001 repetitions, expected 1 to 10000")
    #expect(error(open(.reps(10_000))) == "none")
    #expect(
      error(open(.signal("A B")))
        == "block 1, step 1: \"A B\" as the name of a signal, expected 1 to 40 of a-z, 0-9 and hyphens, from a letter, "
        + "and not next")
    let bounds = OpenBounds(atLeast: .seconds(10), atMost: .seconds(5))
    #expect(
      error(open(.untilNext, bounds))
        == "block 1, step 1: at least 10.0 seconds and at most 5.0 seconds, expected the shorter one first"
    )
    let days = Block.Step(Phase(.work, .fixed(.seconds(90_000))))
    #expect(error([days]) == "more than 24 h of fixed phases in all")
  }

  @Test func aTextOfAPhaseHasAWordingAndAPlace() throws {
    func error(_ remark: Remark) -> String {
      self.error([Block.Step(Phase(.work, .fixed(.seconds(20)), remarks: [remark]))])
    }
    var empty = Remark("Go", at: .fromStart(.zero))
    empty.wordings = []
    #expect(
      error(empty) == "block 1, step 1: a text without a wording, expected one wording at least")
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(empty) }
    let far = Duration.seconds(Int64.max)
    let places: [Remark.Place] = [
      .fromStart(.seconds(-5)), .beforeEnd(.seconds(-5)), .fromStart(far), .beforeEnd(far),
      .fromStart(.zero - far),
    ]
    for place in places {
      let text = error(Remark("Go", at: place))
      #expect(
        text.hasPrefix("block 1, step 1: a text at ") && text.hasSuffix(", expected zero to 24 h"))
    }
    // Longer than the phase is no error: the text is left out.
    #expect(error(Remark("Go", at: .fromStart(.seconds(30)))) == "none")
  }

  @Test func aTemplateSaysWhatItRefuses() {
    func error(_ text: String) -> String {
      do {
        _ = try Template(text, values: ["watts"])
        return "none"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      error("{wats}")
        == "{wats} is neither a variable nor one of the live values that are given")
    #expect(
      error("{watts")
        == "a brace without its other one, or within braces, expected a name in braces")
  }
}
